// Workflows and layouts. Avoids what the service does silently: a second workflow under another identifier, steps without
// content, settings that are reset.
import type { Client } from '../api/client.ts';
import type { JsonObject } from '../core/objects.ts';
import { editableOrigin } from '../service/schemas/vocabulary.ts';
import { isSame } from './compare.ts';
import type { KindAccess } from './kind-access.ts';
import {
  type Definition,
  type GivenWorkflow,
  type NormalLayout,
  type NormalWorkflow,
  toNormalWorkflow,
} from './normal-form.ts';
import { type FoundResource, type RemoteReader, readAll } from './remote.ts';

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
    return workflow && { value: workflow.given };
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
  const given = created as unknown as JsonObject & GivenWorkflow;
  // A workflow cannot be created without a payload schema; an update can remove it.
  if (!isSame(toNormalWorkflow(given), workflow))
    await updateWorkflow(client, workflow, { given, origin: String(created.origin) });
  return undefined;
}

/** Sends everything: the service resets what is left out. */
async function updateWorkflow(
  client: Client,
  workflow: NormalWorkflow,
  { given, origin }: Pick<FoundResource, 'given' | 'origin'>,
): Promise<void> {
  const known = (given.steps ?? []) as { _id: string; stepId: string; type: string }[];
  const current = toNormalWorkflow(given as unknown as GivenWorkflow);
  // A step without _id is new, and one with an _id that the environment lacks loses its content. A step keeps its type,
  // so a step of another type is a new one.
  const steps = workflow.steps.map((step) => {
    const index = known.findIndex(
      ({ stepId, type }) => stepId === step.stepId && type === step.type,
    );
    const existing = current.steps[index] ?? {};
    return { _id: known[index]?._id, ...removed(existing, step), ...step };
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
