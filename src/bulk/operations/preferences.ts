// Changes the preferences of many subscribers: one request for the workflows of a subscriber in consecutive rows, and one for a row without a workflow, which changes the global preferences.
import type { z } from 'zod';
import { asObject, isObject } from '../../core/objects.ts';
import type { InputRecord } from '../../input/records.ts';
import { withPlainMessages } from '../../service/schemas/plain-messages.ts';
import type { Preferences } from '../../service/schemas/preferences.ts';
import { allChannels } from '../../service/schemas/vocabulary.ts';
import type { Item, Outcome, Sender } from '../engine/sender.ts';
import type { FieldReader } from './field-reader.ts';
import {
  failMissing,
  type IdReader,
  idInPath,
  requestPerId,
  toPathItem,
  wholeBody,
} from './id-list.ts';
import { formatIssues } from './responses.ts';

export const preferenceFields = ['subscriberId', 'workflow', ...allChannels, 'schedule'] as const;

interface PreferenceSenderOptions {
  read: FieldReader<(typeof preferenceFields)[number]>;
  scheduleSchema: z.ZodType;
  /** The id of a workflow in the environment, by any of its ids; undefined for an unknown workflow. */
  findWorkflow: (workflow: string) => string | undefined;
  /** Called for each row that changes nothing; without a workflow for the global preferences. */
  onUnchanged: (workflow: string | undefined, isCritical: boolean) => void;
}

const globalGroup = 'global ';

export function createPreferenceSender({
  read,
  scheduleSchema,
  findWorkflow,
  onUnchanged,
}: PreferenceSenderOptions): Sender {
  const readRow = (record: InputRecord): Row | { error: string } => {
    const row = read(record);
    if ('error' in row) return { error: String(row.error) };
    const { subscriberId, workflow, schedule: scheduleValue, ...switches } = row;
    const item = toPathItem(subscriberId, 'subscriberId');
    if ('error' in item) return item;
    const channels = readChannels(switches);
    if ('error' in channels) return { error: String(channels.error) };
    if (workflow === undefined) {
      const schedule =
        scheduleValue === undefined ? {} : readSchedule(scheduleValue, scheduleSchema);
      if ('error' in schedule) return { error: String(schedule.error) };
      if (Object.keys({ ...channels, ...schedule }).length === 0)
        return { error: 'no channel and no schedule is given' };
      return { id: item.id, channels, ...schedule };
    }
    if (scheduleValue !== undefined)
      return { error: 'schedule: must be in a row without a workflow' };
    if (Object.keys(channels).length === 0) return { error: 'no channel is given' };
    const workflowId = findWorkflow(String(workflow));
    if (workflowId === undefined) return { error: `workflow: ${workflow} does not exist` };
    return { id: item.id, workflowId, channels };
  };
  const toItem = (record: InputRecord): Item | { error: string } => {
    const row = readRow(record);
    if ('error' in row) return row;
    const { id, ...body } = row;
    // A request changes the global preferences once.
    const group = body.workflowId === undefined ? `${globalGroup}${record.row}` : `of ${id}`;
    return { id, json: JSON.stringify(body), group };
  };
  return {
    operation: 'updateManyPreferences',
    successStates: ['updated', 'unchanged'],
    // A global change resets the channel for workflows, so the order of the rows of a subscriber counts.
    isOrdered: true,
    operationOf: ([item]) =>
      isGlobal(item) ? 'updateSubscriberPreferences' : 'updateManyPreferences',
    path: idInPath('subscriberId'),
    frame: ([item]) => (isGlobal(item) ? wholeBody : { open: '{"preferences":[', close: ']}' }),
    toItem,
    readOutcomes({ value }, items) {
      const rows = items.flatMap(({ record }) => {
        const row = record && readRow(record);
        return row === undefined || 'error' in row ? [] : [row];
      });
      return rows.map((row, index) => {
        const { workflowId } = row;
        const applied = appliedPreference(value, workflowId);
        if (!applied) return unknown;
        const laterRows = rows.slice(index + 1).filter((later) => later.workflowId === workflowId);
        const replaced = new Set(laterRows.flatMap(({ channels }) => Object.keys(channels)));
        const asked = Object.entries(row.channels).filter(([channel]) => !replaced.has(channel));
        if (!isUnchanged(Object.fromEntries(asked), applied)) return updated;
        onUnchanged(workflowId, applied.isCritical);
        return unchanged;
      });
    },
    readRejection: failMissing,
  };
}

// Shared objects, because the engine counts a batch with a single outcome faster.
const updated: Outcome = { state: 'updated' };
const unchanged: Outcome = { state: 'unchanged' };
const unknown: Outcome = { state: 'unknown' };

interface Row {
  id: string;
  workflowId?: string;
  channels: Channels;
  schedule?: unknown;
}

/** The preference of a workflow, or the global preference, in a response; undefined if it is not there. */
function appliedPreference(
  response: unknown,
  workflowId: string | undefined,
): AppliedPreference | undefined {
  if (workflowId === undefined) {
    if (!isObject(response)) return undefined;
    const { global } = response;
    return { channels: isObject(global) ? global.channels : {}, isCritical: false };
  }
  for (const change of Array.isArray(response) ? response : []) {
    const workflow: unknown = isObject(change) ? change.workflow : undefined;
    if (isObject(workflow) && workflow.identifier === workflowId)
      return { channels: change.channels, isCritical: workflow.critical === true };
  }
  return undefined;
}

const isGlobal = (item: Item | undefined) => item?.group?.startsWith(globalGroup) === true;

/** A schedule is an object, or JSON in a cell. */
function readSchedule(
  value: unknown,
  schema: z.ZodType,
): { schedule: unknown } | { error: string } {
  let schedule = value;
  try {
    if (typeof value === 'string') schedule = JSON.parse(value);
  } catch {
    return { error: 'schedule: is not valid JSON' };
  }
  const { success, data, error } = schema.safeParse(schedule, withPlainMessages);
  return success ? { schedule: data } : { error: `schedule: ${formatIssues(error)}` };
}

function readChannels(switches: Record<string, unknown>) {
  const channels: Record<string, boolean> = {};
  for (const [channel, value] of Object.entries(switches)) {
    const text = String(value).toLowerCase();
    if (text !== 'on' && text !== 'off' && typeof value !== 'boolean')
      return { error: `${channel}: must be on or off` };
    channels[channel] = value === true || text === 'on';
  }
  return channels;
}

// Writes preferences that follow from the stored ones: for each subscriber, one request reads them, and another writes the
// change, if any.

interface CopyOptions {
  idOf: IdReader;
  workflowId: string;
  /** The channels to write; undefined to skip the subscriber. */
  choose: (preferences: Preferences) => Channels | undefined;
  /** Whether all subscribers are skipped without a request. */
  skipsAll: boolean;
}

const skipped: Outcome = { state: 'skipped' };

export const createPreferenceCopySender = ({
  idOf,
  workflowId,
  choose,
  skipsAll,
}: CopyOptions): Sender => ({
  ...requestPerId('updateSubscriberPreferences', idOf, { field: 'subscriberId' }),
  subscriberOf: idOf,
  async sendRow({ id }, { call }) {
    if (skipsAll) return skipped;
    const path = { subscriberId: id };
    const channels = choose(await call('getSubscriberPreferences', { path }));
    if (!channels) return skipped;
    const { workflows } = await call('updateSubscriberPreferences', {
      path,
      body: { workflowId, channels },
    });
    const changed = workflows.find(({ workflow }) => workflow.identifier === workflowId);
    if (!changed) return { state: 'unknown' };
    if (holdsValues(changed.channels, channels)) return { state: 'updated' };
    return { state: 'failed', reason: 'the service did not change the preferences' };
  },
  readRejection: failMissing,
});

// Compares the preferences in a response of the service with the request. The service ignores changes for
// critical workflows and responds with 200.

export type Channels = Readonly<Record<string, boolean>>;

/** A preference in a response. Some servers omit channels that the workflow does not use. */
export interface AppliedPreference {
  channels?: unknown;
  isCritical: boolean;
}

export const isUnchanged = (
  asked: Channels,
  { channels, isCritical }: AppliedPreference,
): boolean => isCritical || !holdsValues(channels, asked);

/** Whether the channels that a response contains have the values of the request. */
export function holdsValues(applied: unknown, asked: Channels): boolean {
  const values = asObject(applied);
  return Object.entries(asked).every(
    ([channel, isOn]) => typeof values[channel] !== 'boolean' || values[channel] === isOn,
  );
}
