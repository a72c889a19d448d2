// Writes one workflow or layout, and reads it back. Avoids what the service does silently: a second workflow under
// another identifier, steps without content, settings that are reset.
import type { Client } from '../../api/client.ts';
import { SvcError } from '../../core/errors.ts';
import { compare, isSame } from '../../diff/compare.ts';
import type {
  JsonObject,
  NormalLayout,
  NormalWorkflow,
  Resource,
} from '../../workflow-files/normal-form.ts';
import { editableOrigin } from '../../workflow-files/plan.ts';
import type { FoundResource, RemoteReader } from '../shared/remote-workflows.ts';
import type { PlannedItem, Written } from './push-types.ts';

/** A reason not to write, or why the write is not as planned. */
export interface WriteProblem {
  result: 'skipped' | 'failed';
  message: string;
}

/** A client for writes. `onWrite` is called with whether the service has made each change. */
export const watchWrites = (client: Client, onWrite: (written: Written) => void): Client => ({
  ...client,
  async call(id, input, options) {
    try {
      const response = await client.call(id, input, options);
      onWrite('yes');
      return response;
    } catch (error) {
      if (error instanceof SvcError && error.details.maybeApplied) onWrite('maybe');
      throw error;
    }
  },
});

/** Returns undefined if the environment now has what was planned. */
export async function writeItem(
  client: Client,
  reader: RemoteReader,
  item: PlannedItem,
): Promise<{ problem: WriteProblem | undefined; written: FoundResource | undefined }> {
  const { kind, id, wanted } = item;
  const [latest] = await reader.findAll(kind, [id]);
  const changed = changedSince(item, latest);
  if (changed !== undefined)
    return { problem: { result: 'skipped', message: changed }, written: undefined };
  if (!wanted) {
    await deleteResource(client, kind, id);
    return { problem: undefined, written: undefined };
  }
  const suffixed =
    wanted.kind === 'workflow'
      ? await writeWorkflow(client, reader, wanted.value, latest)
      : await writeLayout(client, wanted.value, latest);
  if (suffixed !== undefined)
    return { problem: { result: 'skipped', message: suffixed }, written: undefined };
  let written = await reader.find(kind, id);
  // A new workflow cannot be created without a payload schema; an update can remove it.
  if (
    !latest &&
    written &&
    wanted.kind === 'workflow' &&
    !isSame(written.resource.value, wanted.value)
  ) {
    await updateWorkflow(client, wanted.value, written);
    written = await reader.find(kind, id);
  }
  return { problem: problemOf(wanted, written), written };
}

/** Why the item must not be written: it was changed after the plan was made. */
function changedSince(
  { current, wanted }: PlannedItem,
  latest: FoundResource | undefined,
): string | undefined {
  if (!current) return latest ? 'it was created after the plan was made' : undefined;
  if (!latest) return wanted ? 'it was deleted after the plan was made' : 'it is already deleted';
  const isUnchanged =
    latest.updatedAt === current.updatedAt && isSame(latest.resource.value, current.resource.value);
  return isUnchanged ? undefined : 'it was changed after the plan was made';
}

function problemOf(wanted: Resource, written: FoundResource | undefined): WriteProblem | undefined {
  if (!written)
    return { result: 'failed', message: 'the service no longer has it after the write' };
  const differences = compare(written.resource.value, wanted.value);
  if (differences.length > 0)
    return {
      result: 'failed',
      message: `the service stored other values than were sent: ${differences.map(({ path }) => path).join(', ')}`,
    };
  return written.given.status === 'ERROR'
    ? { result: 'failed', message: 'the service reports errors in the workflow' }
    : undefined;
}

const deleteResource = (client: Client, kind: Resource['kind'], id: string) =>
  kind === 'workflow'
    ? client.call('deleteWorkflow', { path: { workflowId: id } })
    : client.call('deleteLayout', { path: { layoutId: id } });

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
    { body: { workflowId, ...settingsOf(workflow), steps: workflow.steps.map(toStep) } as never },
    { findResult },
  );
  if (created.workflowId === workflowId) return undefined;
  await client.call('deleteWorkflow', { path: { workflowId: created._id } });
  return 'it was created after the plan was made';
}

/** Sends everything: the service resets what is left out. */
async function updateWorkflow(
  client: Client,
  workflow: NormalWorkflow,
  { given, origin }: FoundResource,
): Promise<void> {
  const known = (given.steps ?? []) as { _id: string; stepId: string; type: string }[];
  // A step without _id is new, and one with an _id that the environment lacks loses its content. A step keeps its type,
  // so a step of another type is a new one.
  const steps = workflow.steps.map((step) => {
    const existing = known.find(({ stepId, type }) => stepId === step.stepId && type === step.type);
    return { ...(existing ? { _id: existing._id } : {}), ...toStep(step) };
  });
  await client.call('updateWorkflow', {
    path: { workflowId: workflow.workflowId },
    body: { ...settingsOf(workflow), origin: origin || editableOrigin, steps } as never,
  });
}

/** The default preferences are `default` in responses and `workflow` in requests. */
const settingsOf = ({
  workflowId: _id,
  steps: _steps,
  preferences,
  ...settings
}: NormalWorkflow) => ({
  ...settings,
  preferences: { user: preferences.user, workflow: preferences.default },
});

const toStep = ({ stepId, name, type, controlValues }: NormalWorkflow['steps'][number]) => ({
  ...{ stepId, name, type, controlValues },
});

/** A new layout is always empty; its body needs an update. */
async function writeLayout(
  client: Client,
  { layoutId, name, isTranslationEnabled, controlValues }: NormalLayout,
  latest: FoundResource | undefined,
): Promise<undefined> {
  if (!latest)
    await client.call('createLayout', { body: { layoutId, name, isTranslationEnabled } });
  const values: JsonObject | null = Object.keys(controlValues).length === 0 ? null : controlValues;
  await client.call('updateLayout', {
    path: { layoutId },
    body: { name, isTranslationEnabled, controlValues: values } as never,
  });
}
