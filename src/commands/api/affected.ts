// Finds the environments that a raw request affects: those that its path or body names, and those of an integration.
import type { RawRequest } from '../../api/request.ts';
import type { Context } from '../../app/context.ts';
import type { Affected } from '../../cli/command.ts';
import { parseJson } from '../../core/lossless-json.ts';
import { isObject } from '../../core/objects.ts';
import { environmentsWithIds, listedIntegration } from '../shared/affected-environments.ts';
import { listedEnvironments } from '../shared/environments.ts';

export async function affectedByRequest(
  context: Context,
  { target, body }: Pick<RawRequest, 'target' | 'body'>,
): Promise<Affected> {
  const integrationId = idAfter('integrations', target);
  const integration =
    integrationId === undefined ? undefined : await listedIntegration(context, integrationId);
  const environmentId = await idOfEnvironment(context, idAfter('environments', target));
  const value = body && (await parseJson(Buffer.from(body).toString('utf8')));
  const ids = [environmentId, integration?._environmentId, ...environmentIdsIn(value)].filter(
    (id) => id !== undefined,
  );
  // The protection of the active profile applies too, because svc does not know what the request does.
  return { environments: [undefined, ...(await environmentsWithIds(context, ids))] };
}

/** The segment after this one in the path: `…/integrations/<id>`. */
function idAfter(collection: string, target: string): string | undefined {
  const segments = new URL(target, 'http://base').pathname.split('/').map(decoded);
  const at = segments.findIndex((segment) => segment.toLowerCase() === collection);
  return at < 0 ? undefined : segments[at + 1] || undefined;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Some operations take an identifier or slug instead of the id. Undefined if no environment has it. */
async function idOfEnvironment(
  context: Context,
  text: string | undefined,
): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const environments = await listedEnvironments(context);
  return environments.find(
    ({ _id, identifier, slug }) =>
      _id.toLowerCase() === text.toLowerCase() || [identifier, slug].includes(text),
  )?._id;
}

/** The values of members such as `_environmentId` and `targetEnvironmentId`. */
const environmentIdsIn = (body: unknown): string[] =>
  isObject(body)
    ? Object.entries(body).flatMap(([name, value]) =>
        /environmentId$/i.test(name) && typeof value === 'string' ? [value] : [],
      )
    : [];
