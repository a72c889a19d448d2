// Waits until the sandbox has captured messages, for `svc sandbox messages wait` and for tests of applications. Messages
// that a service would not deliver, such as those without an address, do not count.
import type { CapturedMessage, ControlClient, MessageQuery } from './client.ts';

export interface WaitOptions {
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
