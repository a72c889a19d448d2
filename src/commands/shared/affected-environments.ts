// Finds the environments that a write affects, so that their protection applies.

import type { Context } from '../../app/context.ts';
import type { Affected } from '../../cli/command.ts';
import { isNotOffered } from '../../core/errors.ts';
import {
  environmentNamed,
  listedEnvironments,
  perCommand,
} from '../../environment/environments.ts';
import type { Integration } from '../../service/schemas/integrations.ts';

/** For a write that names an environment by its id or name. */
export const affectsNamed = async (context: Context, text: string): Promise<Affected> => ({
  environments: [environmentNamed(await listedEnvironments(context), text)],
});

/** The integrations of all environments; undefined if the server does not list them. */
export const listedIntegrations = perCommand(
  async (context): Promise<Integration[] | undefined> => {
    try {
      return await context.call('listIntegrations', {});
    } catch (error) {
      if (isNotOffered(error)) return undefined;
      throw error;
    }
  },
);

/** For a write to an integration, which `movedTo` moves to another environment. */
export async function affectsIntegration(
  context: Context,
  integrationId: string,
  movedTo?: string,
): Promise<Affected> {
  const integration = await listedIntegration(context, integrationId);
  if ((await listedIntegrations(context)) === undefined)
    context.note(
      'The server does not list integrations, so svc cannot check whether this one belongs to a protected environment.',
    );
  const ids = [integration?._environmentId, ...(movedTo === undefined ? [] : [movedTo])];
  return { environments: await environmentsWithIds(context, ids), isInside: true };
}

/** Undefined if it does not exist or the server does not list integrations. */
export async function listedIntegration(
  context: Context,
  integrationId: string,
): Promise<Integration | undefined> {
  const all = await listedIntegrations(context);
  return all?.find(({ _id = '' }) => isSameId(_id, integrationId));
}

/** Returns undefined for an undefined id and for the active environment, which needs no request. */
export async function environmentsWithIds(
  context: Context,
  ids: readonly (string | undefined)[],
): Promise<Affected['environments']> {
  const { keyFrom } = context.connection.target();
  const own = keyFrom.type === 'profile' ? keyFrom.profile.environmentId : undefined;
  const others = ids.filter((id) => id !== undefined && !isSameId(id, own));
  const listed = others.length === 0 ? [] : await listedEnvironments(context);
  return ids.map((id) => {
    if (id === undefined || isSameId(id, own)) return undefined;
    // Nothing is known about an environment that the service does not list, so it is protected.
    return listed.find(({ _id }) => isSameId(_id, id)) ?? unlistedEnvironment(id);
  });
}

const unlistedEnvironment = (id: string) => ({
  _id: id,
  name: id,
  type: 'prod',
  identifier: id,
  _organizationId: '',
});

/** The service reads ids in upper and lower case. */
const isSameId = (id: string, other: string | undefined) =>
  id.toLowerCase() === other?.toLowerCase();
