// Reads the resources of an environment in their normal form: workflows and layouts one by one, and all kinds as a whole.
import type { Client } from '../api/client.ts';
import { pages } from '../api/paginate.ts';
import type { Context } from '../app/context.ts';
import { collectItems } from '../core/async.ts';
import { ifFound, isNotOffered, SvcError } from '../core/errors.ts';
import type { JsonObject } from '../core/objects.ts';
import { counted } from '../core/text.ts';
import { type ExitEnd, exit } from '../output/result.ts';
import { type Mode, readMode } from '../service/mode.ts';
import { editableOrigin } from '../service/schemas/vocabulary.ts';
import { isSame } from './compare.ts';
import type { KindAccess } from './listed-access.ts';
import {
  type Definition,
  type GivenLayout,
  type GivenWorkflow,
  isFileId,
  isFirstFileId,
  layoutReferences,
  type NormalLayout,
  type NormalWorkflow,
  toNormalLayout,
  toNormalWorkflow,
} from './normal-form.ts';
import type { RemoteResource } from './plan.ts';
import type { ResourceKind } from './resource.ts';

export interface FoundResource extends RemoteResource {
  /** The response, for internal ids and issues. */
  response: JsonObject;
}

export interface FoundDefinition extends FoundResource {
  resource: Definition;
}

export type RemoteReader = ReturnType<typeof createRemoteReader>;

/** Requests that are sent at the same time. */
const concurrent = 8;

export function createRemoteReader(client: Client) {
  let mode: Mode | undefined;
  const learnMode = ({ headers }: { headers: Record<string, string> }) => {
    mode = readMode(headers);
  };
  const reading: Pick<Client, 'call'> = {
    async call(id, input, options) {
      const exchange = await client.exchange(id, input, options);
      learnMode(exchange);
      return exchange.value;
    },
  };
  const readOne = (kind: Definition['kind']): Promise<unknown> =>
    kind === 'workflow'
      ? reading.call('listWorkflows', { query: { limit: 1 } })
      : reading.call('listLayouts', { query: { limit: 1 } });
  /** Undefined if it does not exist. */
  const find = async (kind: Definition['kind'], id: string) => {
    const response = await ifFound<object>(
      kind === 'workflow'
        ? reading.call('getWorkflow', { path: { workflowId: id }, query: {} })
        : reading.call('getLayout', { path: { layoutId: id } }),
    );
    return response && toFound(kind, response as JsonObject);
  };
  return {
    find,
    /** The mode of the server. */
    mode: async (): Promise<Mode> => {
      if (mode === undefined) await readOne('workflow');
      return mode ?? 'novu';
    },
    /** Whether the server has such resources. */
    offers: (kind: Definition['kind']) =>
      readOne(kind).then(
        () => true,
        (error) => {
          if (isNotOffered(error)) return false;
          throw error;
        },
      ),
    /** The identifiers of all workflows or layouts, oldest first. */
    ids: async (kind: Definition['kind']) => {
      const all = { limit: Number.POSITIVE_INFINITY };
      const query = { orderBy: 'createdAt', orderDirection: 'ASC' } as const;
      if (kind === 'workflow') {
        const workflows = await collectItems(pages(reading, 'listWorkflows', { query }, all));
        return workflows.map(({ workflowId }) => workflowId);
      }
      const layouts = collectItems(pages(reading, 'listLayouts', { query }, all));
      return (await layouts.catch(noLayouts)).map(({ layoutId }) => layoutId);
    },
    /** All that exist at the time of the request. */
    findAll: async (kind: Definition['kind'], ids: readonly string[]) => {
      const all: FoundDefinition[] = [];
      // These would be another path.
      const safe = ids.filter((id) => !/^\.{0,2}$/.test(id));
      for (let at = 0; at < safe.length; at += concurrent) {
        const some = safe.slice(at, at + concurrent);
        const resources = await Promise.all(some.map((id) => find(kind, id)));
        // A path can also be an internal id, so the response decides.
        all.push(
          ...resources.flatMap((resource, index) =>
            resource && resource.resource.id === some[index] ? [resource] : [],
          ),
        );
      }
      return all;
    },
  };
}

/** A server without layouts has none. */
function noLayouts(error: unknown): never[] {
  if (isNotOffered(error)) return [];
  throw error;
}

function toFound(kind: Definition['kind'], response: JsonObject): FoundDefinition {
  const { updatedAt, origin, isDefault } = response;
  return {
    resource: toResource(kind, response),
    response,
    updatedAt: String(updatedAt),
    origin: String(origin),
    isPermanent: isDefault === true,
  };
}

function toResource(kind: Definition['kind'], response: JsonObject): Definition {
  if (kind === 'layout') {
    const value = toNormalLayout(response as unknown as GivenLayout);
    return { kind, id: value.layoutId, value };
  }
  const value = toNormalWorkflow(response as unknown as GivenWorkflow);
  return { kind, id: value.workflowId, value };
}

/** Resources that can be files, and the others with the reason. */
export interface Separated<R extends FoundResource = FoundDefinition> {
  usable: R[];
  skipped: SkippedResource[];
}

const oddId = 'the identifier cannot be a file name';
const sameFile =
  'the identifier of another one differs only in case, so that both would have the same file';

/** Reads all workflows or layouts. An identifier that cannot be a file name is not requested. */
export async function readAll(reader: RemoteReader, kind: Definition['kind']): Promise<Separated> {
  const ids = await reader.ids(kind);
  const all = await reader.findAll(kind, ids.filter(isFirstFileId));
  await requireAll(reader, kind, ids.filter(isFirstFileId), all);
  const { usable, skipped } = separate(all);
  const odd = ids
    .filter((...of) => !isFirstFileId(...of))
    .map((id) => ({ kind, id, reason: isFileId(id) ? sameFile : oddId }));
  return { usable, skipped: [...skipped, ...odd] };
}

/** A gateway that does not reach the service must not look like a service that has deleted what it lists. */
async function requireAll(
  reader: RemoteReader,
  kind: Definition['kind'],
  ids: readonly string[],
  found: readonly FoundDefinition[],
): Promise<void> {
  const foundIds = new Set(found.map(({ resource }) => resource.id));
  const missing = new Set(ids.filter((id) => !foundIds.has(id)));
  if (missing.size === 0) return;
  const id = (await reader.ids(kind)).find((listed) => missing.has(listed));
  if (id === undefined) return;
  throw new SvcError('unavailable', `The service lists ${kind} ${id}, but does not return it.`, {
    hint: 'Check the base URL, and the gateways and proxies before the service.',
  });
}

const separate = (all: readonly FoundDefinition[]): Separated => ({
  usable: all.filter((remote) => skipReason(remote) === undefined),
  skipped: all.flatMap((remote) => {
    const reason = skipReason(remote);
    const { kind, id } = remote.resource;
    const isElsewhere = isFileId(id);
    return reason === undefined ? [] : [{ kind, id, reason, isElsewhere }];
  }),
});

function skipReason({ resource, origin }: RemoteResource): string | undefined {
  if (!isFileId(resource.id)) return oddId;
  if (resource.kind !== 'workflow' || origin === editableOrigin) return undefined;
  const why = Object.hasOwn(originReasons, origin) ? originReasons[origin] : undefined;
  return `${why ?? 'the workflow is not edited in the service'} (origin ${origin})`;
}

const originReasons: Record<string, string> = {
  external: 'the workflow is defined in code',
  'novu-cloud-v1': 'the workflow was made with version 1 of the service, whose format differs',
};

// Reads workflows with the layouts that they use, or all workflows and layouts.

/** Layouts first, because workflows refer to them. */
export async function readAllDefinitions(reader: RemoteReader): Promise<Separated> {
  const layouts = await readAll(reader, 'layout');
  const workflows = await readAll(reader, 'workflow');
  return {
    usable: [...layouts.usable, ...workflows.usable],
    skipped: [...layouts.skipped, ...workflows.skipped],
  };
}

/** The workflows after the layouts that they use. */
export async function withLayouts(
  reader: RemoteReader,
  workflows: readonly FoundDefinition[],
): Promise<Separated> {
  const layoutIds = workflows.flatMap(({ resource }) =>
    resource.kind === 'workflow'
      ? layoutReferences(resource.value).map(({ layoutId }) => layoutId)
      : [],
  );
  return separate([...(await reader.findAll('layout', [...new Set(layoutIds)])), ...workflows]);
}

// Workflows and layouts that a command skips because files cannot replace them.

export interface SkippedResource {
  kind: ResourceKind;
  id: string;
  reason: string;
  /** It is defined elsewhere, so no file can ever contain it. */
  isElsewhere?: boolean;
}

/** The remedy, for people. */
export const skippedHint = (propose: Context['propose']): string =>
  `All others were processed. Change the skipped ones where they are defined. To exit with 0, pass the ids of the other workflows to \`${propose('svc workflows pull')}\` or \`${propose('svc workflows promote')}\`.`;

/** Exits with 3 and lists them. */
export const skippedEnd = (
  propose: Context['propose'],
  skipped: readonly SkippedResource[],
): ExitEnd =>
  exit('partial', {
    isWarning: true,
    message: `Skipped ${counted(skipped.length, 'resource')} that svc cannot keep as files.`,
    hint: skippedHint(propose),
    fieldErrors: skipped.map(({ kind, id, reason }) => ({
      field: `${kind} ${id}`,
      message: reason,
    })),
  });

// Workflows and layouts. Avoids what the service does silently: a second workflow under another identifier, steps without
// content, settings that are reset.

export const definitionAccess = (reader: RemoteReader, kind: Definition['kind']): KindAccess => ({
  readAll: () => readAll(reader, kind),
  read: (ids) => reader.findAll(kind, ids),
  find: async (id) => (await reader.findAll(kind, [id]))[0],
  expected: (current) => current,
  isSame: (current, latest) =>
    latest.updatedAt === current.updatedAt && isSame(latest.resource.value, current.resource.value),
  write: (client, { wanted, latest }) => {
    if (wanted.kind === 'workflow') return writeWorkflow(client, reader, wanted.value, latest);
    if (wanted.kind === 'layout') return writeLayout(client, wanted.value, latest);
    throw new Error(`not a definition: ${wanted.kind}`);
  },
  delete: (client, { resource: { id } }) =>
    kind === 'workflow'
      ? client.call('deleteWorkflow', { path: { workflowId: id } })
      : client.call('deleteLayout', { path: { layoutId: id } }),
});

/** Returns why nothing was written, if the service created the workflow under another identifier. */
async function writeWorkflow(
  client: Client,
  reader: RemoteReader,
  workflow: NormalWorkflow,
  latest: FoundResource | undefined,
): Promise<string | undefined> {
  if (latest) {
    await updateWorkflow(client, workflow, latest);
    return undefined;
  }
  const { workflowId } = workflow;
  // An update would be a second workflow with a suffix. So is a repeated creation, if its first response was lost.
  const findResult = async () => {
    const workflow = await reader.find('workflow', workflowId);
    return workflow && { value: workflow.response };
  };
  const created = await client.call(
    'createWorkflow',
    { body: { workflowId, ...toSettings(workflow), steps: workflow.steps } as never },
    { findResult },
  );
  if (created.workflowId !== workflowId) {
    await client.call('deleteWorkflow', { path: { workflowId: created._id } });
    return 'it was created after the plan was made';
  }
  const response = created as unknown as JsonObject & GivenWorkflow;
  // A workflow cannot be created without a payload schema; an update can remove it.
  if (!isSame(toNormalWorkflow(response), workflow))
    await updateWorkflow(client, workflow, { response, origin: String(created.origin) });
  return undefined;
}

/** Sends everything: the service resets what is left out. */
async function updateWorkflow(
  client: Client,
  workflow: NormalWorkflow,
  { response, origin }: Pick<FoundResource, 'response' | 'origin'>,
): Promise<void> {
  const stored = (response.steps ?? []) as { _id: string; stepId: string; type: string }[];
  const current = toNormalWorkflow(response as unknown as GivenWorkflow);
  // A step without _id is new, and one with an _id that the environment lacks loses its content. A step keeps its type,
  // so a step of another type is a new one.
  const steps = workflow.steps.map((step) => {
    const index = stored.findIndex(
      ({ stepId, type }) => stepId === step.stepId && type === step.type,
    );
    const existing = current.steps[index] ?? {};
    return { _id: stored[index]?._id, ...removed(existing, step), ...step };
  });
  const { steps: _, ...settings } = current;
  await client.call('updateWorkflow', {
    path: { workflowId: workflow.workflowId },
    body: {
      ...removed(settings, workflow),
      ...toSettings(workflow),
      origin: origin || editableOrigin,
      steps,
    } as never,
  });
}

/** The service keeps members that a request leaves out, and removes them for null. */
const removed = (current: object, wanted: object) =>
  Object.fromEntries(
    Object.keys(current)
      .filter((name) => !Object.hasOwn(wanted, name))
      .map((name) => [name, null]),
  );

/** The default preferences are `default` in responses and `workflow` in requests. */
export const toSettings = ({
  workflowId: _id,
  steps: _steps,
  preferences,
  ...settings
}: NormalWorkflow) => ({
  ...settings,
  preferences: { user: preferences.user, workflow: preferences.default },
});

/** A new layout is always empty; its body needs an update. */
async function writeLayout(
  client: Client,
  { layoutId, controlValues, ...settings }: NormalLayout,
  latest: FoundResource | undefined,
): Promise<undefined> {
  if (!latest) await client.call('createLayout', { body: { layoutId, ...settings } });
  const values: JsonObject | null = Object.keys(controlValues).length === 0 ? null : controlValues;
  await client.call('updateLayout', {
    path: { layoutId },
    body: { ...settings, controlValues: values } as never,
  });
}
