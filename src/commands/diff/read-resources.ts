// Reads what is compared of an environment: each resource by its public identifier, without what only one environment has.

import type { Service } from '../../app/context.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import type { Mode } from '../../service/mode.ts';
import type { Resource } from '../../workflow-files/normal-form.ts';
import { environmentIdOf } from '../shared/environments.ts';
import { createRemoteReader, readAll } from '../shared/remote-workflows.ts';
import type { DiffKind } from './kinds.ts';

export interface ComparedResource {
  kind: 'workflow' | 'layout' | 'topic' | 'context' | 'integration';
  id: string;
  /** Its name, for people. */
  name?: string | undefined;
  value: object;
}

export interface ComparedSide {
  /** For messages: `Production (profile live)`, or a folder. */
  title: string;
  mode: Mode;
  resources: ComparedResource[];
  /** The workflows with the mode of their server. */
  workflows: readonly { mode: Mode | undefined; resource: Resource }[];
  /** Kinds that the server does not offer. */
  missing: DiffKind[];
}

/** `isWithFolder`: leaves out workflows and layouts that a folder cannot contain. */
export async function readSide(
  service: Service,
  kinds: readonly DiffKind[],
  title: string,
  isWithFolder = false,
): Promise<ComparedSide> {
  const reader = createRemoteReader(service.client);
  const missing: DiffKind[] = [];
  const workflows: Resource[] = [];
  const findAll = async (kind: Resource['kind']) =>
    isWithFolder
      ? (await readAll(reader, kind)).usable
      : reader.findAll(kind, await reader.ids(kind));
  const readKind: Record<DiffKind, () => Promise<ComparedResource[]>> = {
    workflows: async () => {
      const remote = await findAll('workflow');
      workflows.push(...remote.map(({ resource }) => resource));
      return remote.map(({ resource }) => toCompared(resource));
    },
    layouts: async () => (await findAll('layout')).map(({ resource }) => toCompared(resource)),
    topics: async () =>
      (await service.listAll('listTopics', { query: {} })).map(({ key, name }) => ({
        ...{ kind: 'topic', id: key, name: name ?? undefined },
        value: { name: name ?? null },
      })),
    contexts: async () =>
      (await service.listAll('listContexts', { query: {} })).map(({ type, id, data }) => ({
        ...{ kind: 'context', id: `${type}:${id}` },
        value: { data: data ?? {} },
      })),
    integrations: () => readIntegrations(service),
  };
  const resources: ComparedResource[] = [];
  for (const kind of kinds) {
    try {
      resources.push(...(await readKind[kind]()));
    } catch (error) {
      if (!(error instanceof SvcError && error.details.notOffered)) throw error;
      missing.push(kind);
    }
  }
  const mode = await reader.mode();
  return {
    ...{ title, mode, resources, missing },
    workflows: workflows.map((resource) => ({ mode, resource })),
  };
}

export const toCompared = ({ kind, id, value }: Resource): ComparedResource => ({
  ...{ kind, id, value, name: value.name },
});

/** The service lists the integrations of all environments. Identifiers are unique only within one. */
async function readIntegrations(service: Service): Promise<ComparedResource[]> {
  const all = await service.client.call('listIntegrations', {});
  const environmentId = await environmentIdOf(service);
  if (environmentId === undefined)
    throw usageError(
      `The environment of the API key cannot be determined ${service.place}, so integrations cannot be compared.`,
      {
        hint: 'Save a profile with the environment, or omit integrations with --only.',
        next: ['svc environments list --save-profiles'],
      },
    );
  return all
    .filter((integration) => integration._environmentId === environmentId)
    .map(({ identifier, name, providerId, channel, active, primary, conditions }) => ({
      ...{ kind: 'integration', id: identifier, name },
      value: {
        ...{ name, providerId, channel, active, primary: primary ?? false },
        conditions: conditions ?? [],
      },
    }));
}
