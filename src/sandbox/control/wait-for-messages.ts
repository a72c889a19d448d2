// Waits until the sandbox has captured messages, for `svc sandbox messages wait` and for tests of applications. Messages
// that a service would not deliver, such as those without an address, do not count.

import { counted } from '../../core/text.ts';
import { channelAdjective } from '../../deliveries/verdict.ts';
import type {
  ActivityPage,
  CapturedMessage,
  ControlClient,
  MessageQuery,
  TriggeredEvent,
} from './client.ts';

interface WaitOptions {
  /** The number of messages to wait for. */
  count: number;
  timeoutMs: number;
  /** Milliseconds from any fixed time. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Milliseconds between two requests. */
  intervalMs: number;
}

/**
 * `finished`: all steps of the transaction have finished, so no more messages will match.
 * `notDue` and `frozen`: no job is due before the timeout, or not unless the clock is moved.
 */
export type WaitOutcome = 'captured' | 'timeout' | EarlyEnd;

type EarlyEnd = 'finished' | 'notDue' | 'frozen';

/** Returns as soon as `count` messages match, when no more can match, or when the time is over. */
export async function waitForMessages(
  control: ControlClient,
  query: MessageQuery,
  { count, timeoutMs, now, sleep, intervalMs }: WaitOptions,
): Promise<WaitOutcome> {
  const end = now() + timeoutMs;
  for (;;) {
    const left = end - now();
    // Asked before the messages, so that a message of the last step is not missed.
    const earlyEnd = await findEarlyEnd(control, query, left);
    // The page of size 1 at that position has an item if there are enough messages.
    const page = { page: count - 1, limit: 1, delivered: 'true' };
    const { data } = await control.messages({ ...query, ...page });
    if (data.length > 0) return 'captured';
    if (earlyEnd) return earlyEnd;
    if (left <= 0) return 'timeout';
    await sleep(Math.min(intervalMs, left));
  }
}

/** Only for a transaction: other filters can match an event that is triggered later. */
async function findEarlyEnd(
  { activity, status, clock }: ControlClient,
  { transactionId, channel, ...filter }: MessageQuery,
  leftMs: number,
): Promise<EarlyEnd | undefined> {
  if (transactionId === undefined) return undefined;
  // A sandbox of an earlier version does not have this route.
  const events = await activity({ ...filter, transactionId, limit: 100 }).catch(() => undefined);
  if (!events || events.hasMore || events.data.length === 0) return undefined;
  const steps = events.data.flatMap((event) => event.steps);
  const isWaiting = steps.some(
    (step) => (channel === undefined || step.channel === channel) && step.verdict === 'waiting',
  );
  if (!isWaiting) return 'finished';
  const { nextJobAt } = await status();
  if (nextJobAt === null) return undefined;
  const { now, frozen } = await clock();
  const dueInMs = Date.parse(nextJobAt) - Date.parse(now);
  if (frozen) return dueInMs > 0 ? 'frozen' : undefined;
  return dueInMs > leftMs ? 'notDue' : undefined;
}

/** The end of a sentence that says how many messages were captured. */
export const earlyEndTexts: Record<EarlyEnd, string> = {
  finished: '; all steps of the transaction have finished.',
  notDue: '; the other steps of the transaction are due after the timeout.',
  frozen: '; the other steps of the transaction wait for the clock, which is frozen.',
};

/** All delivered messages that match, newest first. */
export const deliveredMessages = (
  { messages }: ControlClient,
  query: MessageQuery,
): Promise<CapturedMessage[]> =>
  allPages((page) => messages({ ...query, ...page, delivered: 'true' }));

/** Reads all pages of a list of the control routes. */
export async function allPages<Item>(
  read: (page: { page: number; limit: number }) => Promise<{ data: Item[]; hasMore: boolean }>,
): Promise<Item[]> {
  const all: Item[] = [];
  for (let page = 0; ; page += 1) {
    const { data, hasMore } = await read({ page, limit: 100 });
    all.push(...data);
    if (!hasMore) return all;
  }
}

/** Describes the jobs that are still pending, because their messages appear only when the clock is advanced. */
export async function describePendingJobs({
  status,
}: ControlClient): Promise<{ text: string; nextJobAt: string } | undefined> {
  const { pendingJobs, nextJobAt } = await status();
  if (nextJobAt === null) return undefined;
  const jobs = pendingJobs === 1 ? '1 job is' : `${pendingJobs} jobs are`;
  const text = `${jobs} pending, such as delays and digests. The next one is due at ${nextJobAt} by the clock of the sandbox.`;
  return { text, nextJobAt };
}

// Explains why too few messages match a filter: an unknown workflow, no event, or steps that did not deliver.

interface MissingMessages {
  /** All workflows, if the one of the filter does not exist. */
  knownWorkflows?: readonly string[] | undefined;
  /** One line for each step, first those that did not deliver. `field` is empty or names event and channel. */
  reasons: { field: string; message: string }[];
}

const maxReasons = 5;

export async function explainMissingMessages(
  { activity }: Pick<ControlClient, 'activity'>,
  query: MessageQuery,
): Promise<MissingMessages> {
  const { channel, ...filter } = query;
  const { data, hasMore, knownWorkflows, rejectedTriggers } = await activity({
    ...filter,
    limit: 100,
  });
  if (data.length === 0) {
    const rejected = rejectedReasons(rejectedTriggers);
    if (knownWorkflows) return { knownWorkflows, reasons: rejected };
    return { reasons: [{ field: '', message: 'No matching event was triggered.' }, ...rejected] };
  }
  const reasons = data.flatMap((event) => listReasons(event, channel));
  const isMissing = ({ isDelivered }: StepReason) => !isDelivered;
  const all = withoutDuplicates([
    ...reasons.filter(isMissing),
    ...reasons.filter((reason) => !isMissing(reason)),
  ]);
  if (all.length <= maxReasons) return { reasons: all };
  const others = counted(all.length - maxReasons, 'other reason');
  const message = `${others}${hasMore ? ' or more' : ''} not shown.`;
  return { reasons: [...all.slice(0, maxReasons), { field: '', message }] };
}

/** An application may ignore the error of a trigger. A sandbox of an earlier version does not list them. */
function rejectedReasons(triggers: ActivityPage['rejectedTriggers'] = []) {
  const texts = triggers.map(({ workflow, error }) =>
    workflow === null ? error : `${error} \`${workflow}\``,
  );
  return [...new Set(texts)]
    .slice(0, maxReasons)
    .map((text) => ({ field: '', message: `A trigger was rejected: ${text}` }));
}

interface StepReason {
  field: string;
  message: string;
  isDelivered: boolean;
}

/** Counts equal reasons, such as several for one subscriber without an address. */
function withoutDuplicates(all: StepReason[]): MissingMessages['reasons'] {
  const counts = new Map<string, StepReason & { count: number }>();
  for (const reason of all) {
    const key = JSON.stringify(reason);
    counts.set(key, { ...reason, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].map(({ field, message, count }) => ({
    field: count === 1 ? field : `${field} (${count} times)`,
    message,
  }));
}

function listReasons(
  { workflow, subscriberId, steps }: TriggeredEvent,
  channel: MessageQuery['channel'],
): StepReason[] {
  const event = `${workflow} to ${subscriberId}`;
  const wanted = steps.filter((step) => channel === undefined || step.channel === channel);
  if (wanted.length === 0) {
    const kind = channel === undefined ? 'channel' : channelAdjective(String(channel));
    const message = `The workflow has no ${kind} step.`;
    return [{ field: event, message, isDelivered: false }];
  }
  return wanted.map(({ channel: of, verdict, message, detail }) => {
    const isDelivered = verdict === 'delivered';
    const suffix = isDelivered || detail === null ? '' : ` (${detail})`;
    return { field: `${event}, ${of}`, message: `${message}${suffix}`, isDelivered };
  });
}
