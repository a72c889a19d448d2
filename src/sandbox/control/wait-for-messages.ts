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

/** Returns whether at least `count` messages match, as soon as they do or when the time is over. */
export async function waitForMessages(
  { messages }: ControlClient,
  query: MessageQuery,
  { count, timeoutMs, now, sleep, intervalMs }: WaitOptions,
): Promise<boolean> {
  const end = now() + timeoutMs;
  for (;;) {
    // The page of size 1 at that position has an item if there are enough messages.
    const { data } = await messages({ ...query, page: count - 1, limit: 1 });
    if (data.length > 0) return true;
    const left = end - now();
    if (left <= 0) return false;
    await sleep(Math.min(intervalMs, left));
  }
}

/** All messages that match, newest first. */
export async function allMessages(
  { messages }: ControlClient,
  query: MessageQuery,
): Promise<CapturedMessage[]> {
  const all: CapturedMessage[] = [];
  for (let page = 0; ; page += 1) {
    const { data, hasMore } = await messages({ ...query, page, limit: 100 });
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
