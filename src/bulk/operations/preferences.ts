// Plan for changing the preferences of many subscribers: one request for the workflows of a subscriber in consecutive
// rows, and one for a row without a workflow, which changes the global preferences.
import { operations } from '../../api/operations/index.ts';
import { channelTypes } from '../../api/schemas/vocabulary.ts';
import { fillPath } from '../../api/url.ts';
import { isObject } from '../../core/objects.ts';
import type { InputRecord } from '../../input/records.ts';
import type { Item, Outcome, Plan } from '../engine/plan.ts';
import type { FieldReader } from './field-reader.ts';
import { toPathItem } from './id-list.ts';

export const preferenceFields = ['subscriberId', 'workflow', ...channelTypes] as const;

interface PreferencePlanOptions {
  read: FieldReader<(typeof preferenceFields)[number]>;
  /** The id of a workflow in the environment, by any of its ids; undefined for an unknown workflow. */
  findWorkflow: (workflow: string) => string | undefined;
  /** Called for each change that the service ignores because the workflow is critical. */
  onCritical: (workflow: string) => void;
}

const globalGroup = 'global ';

export function createPreferencePlan({
  read,
  findWorkflow,
  onCritical,
}: PreferencePlanOptions): Plan {
  const toItem = (record: InputRecord): Item | { error: string } => {
    const row = read(record);
    if ('error' in row) return { error: String(row.error) };
    const { subscriberId, workflow, ...switches } = row;
    const item = toPathItem(subscriberId, 'subscriberId', workflowsPath);
    if ('error' in item) return item;
    const channels = readChannels(switches);
    if ('error' in channels) return { error: String(channels.error) };
    if (Object.keys(channels).length === 0) return { error: 'no channel is given' };
    if (workflow === undefined)
      return { id: item.id, json: JSON.stringify({ channels }), group: globalGroup + item.id };
    const workflowId = findWorkflow(String(workflow));
    if (workflowId === undefined) return { error: `workflow: ${workflow} does not exist` };
    return { id: item.id, json: JSON.stringify({ workflowId, channels }), group: item.id };
  };
  return {
    operation: 'updateManyPreferences',
    successStates: ['updated'],
    // A global change resets the channel for workflows, so the order of the rows of a subscriber counts.
    isOrdered: true,
    target: ([item]) => (isGlobal(item) ? globalPath : workflowsPath)(item?.id ?? ''),
    frame: ([item]) =>
      isGlobal(item) ? { open: '', close: '' } : { open: '{"preferences":[', close: ']}' },
    toItem,
    readOutcomes({ value }, items) {
      for (const workflow of criticalWorkflows(value)) onCritical(workflow);
      return items.map(
        (): Outcome =>
          isObject(value) || Array.isArray(value) ? { state: 'updated' } : { state: 'unknown' },
      );
    },
    readRejection: ({ exitReason, message, details: { notOffered } }, items) =>
      exitReason === 'notFound' && !notOffered
        ? items.map(() => ({ state: 'failed', reason: message }))
        : undefined,
  };
}

const criticalWorkflows = (response: unknown): string[] =>
  (Array.isArray(response) ? response : [])
    .map((change: unknown) => (isObject(change) ? change.workflow : undefined))
    .flatMap((workflow) =>
      isObject(workflow) && workflow.critical === true ? [String(workflow.identifier)] : [],
    );

const isGlobal = (item: Item | undefined) => item?.group?.startsWith(globalGroup) === true;

const workflowsPath = (subscriberId: string) =>
  fillPath(operations.updateManyPreferences.path, { subscriberId });
const globalPath = (subscriberId: string) =>
  fillPath(operations.updateSubscriberPreferences.path, { subscriberId });

function readChannels(switches: Record<string, unknown>) {
  const channels: Record<string, boolean> = {};
  for (const [channel, given] of Object.entries(switches)) {
    const text = String(given).toLowerCase();
    if (text !== 'on' && text !== 'off' && typeof given !== 'boolean')
      return { error: `${channel}: must be on or off` };
    channels[channel] = given === true || text === 'on';
  }
  return channels;
}
