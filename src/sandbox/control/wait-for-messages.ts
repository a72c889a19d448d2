// Waits until the sandbox has captured messages, for `svc sandbox messages wait` and for tests of applications.
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

/** `finished`: all steps of the transaction have finished, so no more messages will match. */
export type WaitOutcome = 'captured' | 'finished' | 'timeout';

/** Returns as soon as `count` messages match, when no more can match, or when the time is over. */
export async function waitForMessages(
  control: ControlClient,
  query: MessageQuery,
  { count, timeoutMs, now, sleep, intervalMs }: WaitOptions,
): Promise<WaitOutcome> {
  const end = now() + timeoutMs;
  for (;;) {
    // Asked before the messages, so that a message of the last step is not missed.
    const isOver = await hasFinished(control, query);
    // The page of size 1 at that position has an item if there are enough messages.
    const { data } = await control.messages({ ...query, page: count - 1, limit: 1 });
    if (data.length > 0) return 'captured';
    if (isOver) return 'finished';
    const left = end - now();
    if (left <= 0) return 'timeout';
    await sleep(Math.min(intervalMs, left));
  }
}

/** Only for a transaction: other filters can match an event that is triggered later. */
async function hasFinished({ activity }: ControlClient, query: MessageQuery): Promise<boolean> {
  const { transactionId, channel, ...filter } = query;
  if (transactionId === undefined) return false;
  // A sandbox of an earlier version does not have this route.
  const found = await activity({ ...filter, transactionId, limit: 100 }).catch(() => undefined);
  if (!found || found.hasMore || found.data.length === 0) return false;
  const steps = found.data.flatMap((event) => event.steps);
  return !steps.some(
    (step) => (channel === undefined || step.channel === channel) && step.verdict === 'waiting',
  );
}

/** All messages that match, newest first. */
export const allMessages = (
  { messages }: ControlClient,
  query: MessageQuery,
): Promise<CapturedMessage[]> => allPages((page) => messages({ ...query, ...page }));

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
