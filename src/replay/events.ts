// Items of the activity → the events that a replay runs, with what the service did. Leaves out what cannot run again.
import { stepVerdicts, workflowIdentifier } from '../deliveries/verdict.ts';
import type { PastEvent } from '../sandbox/index.ts';
import type { WorkflowState } from '../sandbox/state/schema.ts';
import type { ChannelCause, StepOutcome } from '../service/job-outcomes.ts';
import type { ActivityItem } from '../service/schemas/activity.ts';
import { isChannel } from '../service/schemas/vocabulary.ts';

/** `merged`: the digest of another event carries the step. */
export type StepState = StepOutcome | 'merged';

/** A channel step as the service ran it. */
export interface ObservedStep {
  channel: string;
  state: StepState;
  cause: ChannelCause | null;
}

export interface RecordedEvent extends PastEvent {
  transactionId: string;
  /** False if the service has none: it was empty, or is not stored any more. */
  hasPayload: boolean;
  observed: readonly ObservedStep[];
}

/** Why an event is left out, as the end of "12 events: …". */
export const leftOutReasons = {
  workflow: 'their workflow is deleted, or cannot be read',
  code: 'their workflow is defined by code',
  recipient: 'their recipient is deleted',
  payload: 'they have no payload, or the service no longer has it',
  time: 'they have no time',
} as const;
export type LeftOutReason = keyof typeof leftOutReasons;

export type ReadEvent = RecordedEvent | LeftOutReason;

export const isRecorded = (event: ReadEvent): event is RecordedEvent => typeof event !== 'string';

export function toRecordedEvent(item: ActivityItem): ReadEvent {
  const at = Date.parse(item.createdAt ?? '');
  if (Number.isNaN(at)) return 'time';
  const { template, contextKeys } = item;
  if (template?.origin === 'external') return 'code';
  const workflowId = workflowIdentifier(item);
  if (workflowId === undefined) return 'workflow';
  const subscriberId = item.subscriber?.subscriberId ?? item.to?.subscriberId;
  if (typeof subscriberId !== 'string') return 'recipient';
  const jobs = item.jobs ?? [];
  const payload = item.payload ?? jobs.find((job) => job.payload)?.payload;
  const verdicts = stepVerdicts(item);
  const observed = jobs
    .filter(({ type }) => isChannel(type))
    .map(({ type, status }, index): ObservedStep => {
      const { verdict = 'waiting', cause = null } = verdicts[index] ?? {};
      return { channel: type, state: status === 'merged' ? 'merged' : verdict, cause };
    });
  return {
    workflowId,
    subscriberId,
    at,
    payload: payload ?? {},
    hasPayload: payload !== undefined,
    contextKeys,
    transactionId: item.transactionId,
    observed,
  };
}

/** Why an event cannot run in an environment with these workflows; undefined if it can. */
export function whyNotRunnable(
  { workflowId, hasPayload }: RecordedEvent,
  workflows: ReadonlyMap<string, WorkflowState>,
): LeftOutReason | undefined {
  const workflow = workflows.get(workflowId);
  if (!workflow) return 'workflow';
  return !hasPayload && usesPayload(workflow) ? 'payload' : undefined;
}

/** The service leaves out an empty payload. An event of such a workflow has lost its payload. */
export const usesPayload = ({ steps = [] }: { steps?: readonly object[] | undefined }) =>
  /\bpayload\s*(?:\.|\[|\||-?\}\})|\{%[^%]*\bpayload\b/.test(JSON.stringify(steps));

/**
 * A part of the events, at least `count` of them: all events of some recipients of a workflow, so that digests stay whole.
 * The same events each time.
 */
export function sampleEvents<Event extends Pick<PastEvent, 'workflowId' | 'subscriberId'>>(
  events: readonly Event[],
  count: number,
  order: (text: string) => string,
): Event[] {
  const groupOf = ({ workflowId, subscriberId }: Event) => `${workflowId}\0${subscriberId}`;
  const sizes = new Map<string, number>();
  for (const event of events) sizes.set(groupOf(event), (sizes.get(groupOf(event)) ?? 0) + 1);
  const inOrder = [...sizes.keys()].map((group) => ({ group, rank: order(group) }));
  inOrder.sort((a, b) => (a.rank < b.rank ? -1 : 1));
  const chosen = new Set<string>();
  let total = 0;
  for (const { group } of inOrder) {
    if (total >= count) break;
    chosen.add(group);
    total += sizes.get(group) ?? 0;
  }
  return events.filter((event) => chosen.has(groupOf(event)));
}
