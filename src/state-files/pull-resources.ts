// The parts that all steps of `svc sandbox pull` share: the source, the file, the counts and what is left out.
import type { Service } from '../app/context.ts';
import type { Propose } from '../config/propose.ts';
import { isNotOffered, SvcError } from '../core/errors.ts';
import { readEnvironmentId } from '../environment/environments.ts';
import { type Definition, layoutReferences, usesSkip } from '../environment/normal-form.ts';
import type { FoundResource, RemoteReader } from '../environment/remote.ts';
import { toLayoutState } from '../environment/sandbox-state.ts';
import { defaultIntegrations } from '../sandbox/state/default-integrations.ts';
import { fromServiceId } from '../service/providers.ts';
import { isPathSegment, noSegment } from '../service/rules/formats.ts';
import type { Integration } from '../service/schemas/integrations.ts';
import { type WorkflowSwitches, workflowSwitches } from './own-preferences.ts';
import type { PersonalDataFilter } from './personal-data.ts';
import { toIntegrationState, toWorkflowState } from './resources.ts';
import { type Section, sections } from './state-writer.ts';

interface PullCounts extends Record<Section, number> {
  steps: number;
  /** Subscribers with preferences of their own. */
  preferences: number;
  subscriptions: number;
}

interface LeftOut {
  kind: string;
  id: string;
  reason: string;
}

export type PullRun = ReturnType<typeof createPullRun>;

const kinds: Record<Section, string> = {
  integrations: 'integration',
  layouts: 'layout',
  workflows: 'workflow',
  subscribers: 'subscriber',
  topics: 'topic',
  contexts: 'context',
};

interface RunOptions {
  service: Service;
  propose: Propose;
  filter: PersonalDataFilter;
  /** Returns why a state file cannot contain an item. */
  itemError: (section: Section, item: object) => string | undefined;
  write: (section: Section, item: object) => void;
}

export function createPullRun({ itemError, write, ...shared }: RunOptions) {
  const counts: PullCounts = {
    ...(Object.fromEntries(sections.map((section) => [section, 0])) as Record<Section, number>),
    steps: 0,
    preferences: 0,
    subscriptions: 0,
  };
  const leftOut: LeftOut[] = [];
  const keys = new Set<string>();
  return {
    ...shared,
    counts,
    leftOut,
    /** The identifiers of the integrations, by their internal ids. */
    integrations: new Map<string, string>(),
    /** Sentences about parts that the service does not offer. */
    notOffered: [] as string[],
    /** Writes an item. Returns false if a state file cannot contain it. `id` is for messages. */
    add(section: Section, item: object, id: string): boolean {
      const isDuplicate = section !== 'contexts' && keys.has(`${section} ${id}`);
      const reason = isDuplicate
        ? 'the service lists another one with this identifier'
        : itemError(section, item);
      if (reason !== undefined) {
        leftOut.push({ kind: kinds[section], id, reason });
        return false;
      }
      keys.add(`${section} ${id}`);
      write(section, item);
      counts[section] += 1;
      return true;
    },
  };
}

/** Whether an id can be part of the address of a request. If not, the resource is left out. */
export function isRequestable(run: PullRun, kind: string, id: string): boolean {
  const isValid = isPathSegment(id);
  if (!isValid) run.leftOut.push({ kind, id, reason: noSegment });
  return isValid;
}

/** Reads a part. If the service does not offer it, adds the sentence to the run. */
export async function ifOffered(run: PullRun, sentence: string, read: () => Promise<void>) {
  try {
    await read();
  } catch (error) {
    if (!isNotOffered(error)) throw error;
    run.notOffered.push(sentence);
  }
}

// Reads the integrations, layouts, workflows and contexts of an environment and writes them to its state file.

/** `requiredCredentials` returns the names of the credentials that a provider needs. */
export async function pullIntegrations(
  run: PullRun,
  requiredCredentials: (providerId: string) => readonly string[],
): Promise<void> {
  const integrations = await ownIntegrations(run);
  if (!integrations)
    run.notOffered.push('The integrations are not readable. The file has one for each channel.');
  for (const { _id = '', identifier } of integrations ?? []) run.integrations.set(_id, identifier);
  const states =
    integrations?.map((integration) =>
      toIntegrationState(integration, requiredCredentials(fromServiceId(integration.providerId))),
    ) ?? defaultIntegrations;
  for (const state of states) run.add('integrations', state, state.identifier);
}

/** The service lists the integrations of all environments. Undefined if it is not known which belong to this one. */
async function ownIntegrations({ service }: PullRun): Promise<Integration[] | undefined> {
  try {
    const all = await service.client.call('listIntegrations', {});
    const environmentId = await readEnvironmentId(service);
    if (environmentId === undefined) return undefined;
    return all.filter((integration) => integration._environmentId === environmentId);
  } catch (error) {
    if (isNotOffered(error) || isForbidden(error)) return undefined;
    throw error;
  }
}

const isForbidden = (error: unknown) =>
  error instanceof SvcError && (error.details.status === 403 || error.details.status === 402);

/** Resources that are read before they are written. */
const batchSize = 32;

async function pullFound(
  run: PullRun,
  reader: RemoteReader,
  kind: Definition['kind'],
  write: (resource: FoundResource) => void,
) {
  const ids = (await reader.ids(kind)).filter((id) => isRequestable(run, kind, id));
  for (let at = 0; at < ids.length; at += batchSize) {
    const some = ids.slice(at, at + batchSize);
    const resources = await reader.findAll(kind, some);
    for (const resource of resources) write(resource);
    const readIds = new Set(resources.map(({ resource }) => resource.id));
    for (const id of some)
      if (!readIds.has(id))
        run.leftOut.push({ kind, id, reason: 'the service lists it but does not return it' });
  }
}

/** Returns false if the service does not offer layouts. */
export async function pullLayouts(run: PullRun, reader: RemoteReader): Promise<boolean> {
  const isOffered = await reader.offers('layout');
  let hasDefault = false;
  await pullFound(run, reader, 'layout', ({ resource, isPermanent }) => {
    if (resource.kind !== 'layout') return;
    const isFirstDefault = isPermanent && !hasDefault;
    hasDefault ||= isFirstDefault;
    run.add('layouts', toLayoutState(resource.value, isFirstDefault), resource.id);
  });
  return isOffered;
}

export async function pullWorkflows(run: PullRun, reader: RemoteReader) {
  /** The switches of each workflow, by its identifier. */
  const switches = new Map<string, WorkflowSwitches>();
  /** The layouts that e-mail steps use. */
  const layoutIds = new Set<string>();
  let hasSkipCondition = false;
  await pullFound(run, reader, 'workflow', ({ resource, response }) => {
    const state = toWorkflowState(response);
    if (resource.kind !== 'workflow' || !run.add('workflows', state, resource.id)) return;
    hasSkipCondition ||= usesSkip(resource.value);
    run.counts.steps += state.steps?.length ?? 0;
    switches.set(resource.id, workflowSwitches(state));
    for (const { layoutId } of layoutReferences(resource.value)) layoutIds.add(layoutId);
  });
  return { switches, layoutIds, hasSkip: hasSkipCondition };
}

/** Layouts for a service that does not offer them. An e-mail whose layout is missing would fail. */
export function addPlainLayouts(run: PullRun, layoutIds: ReadonlySet<string>): void {
  run.notOffered.push(
    'The layouts are not readable. The file has a plain one for each that an e-mail uses.',
  );
  const body = '<html><body>{{content}}</body></html>';
  for (const layoutId of layoutIds)
    run.add('layouts', { layoutId, name: layoutId, editorType: 'html', body }, layoutId);
}

export async function pullContexts(run: PullRun): Promise<void> {
  const { service, filter } = run;
  const query = { orderDirection: 'ASC' } as const;
  const read = async () => {
    for await (const { items } of service.pages('listContexts', { query }))
      for (const context of items)
        run.add('contexts', filter.context(context), `${context.type}:${context.id}`);
  };
  try {
    await ifOffered(run, 'The contexts are not readable.', read);
  } catch (error) {
    // The service can turn contexts off.
    if (!isForbidden(error)) throw error;
    run.notOffered.push('The contexts are not readable.');
  }
}
