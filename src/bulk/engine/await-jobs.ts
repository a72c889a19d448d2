// Waits until the activity shows the jobs of a transaction. Only then does the service drop an event with the same id.
import type { Client } from '../../api/client.ts';
import type { WireClock } from '../../api/client-options.ts';
import { pollUntil } from '../../core/async.ts';

const firstPauseMs = 250;
/** Total wait for one request, over all its retries. */
const waitMs = 5_000;

/**
 * Returns a function that resolves to true as soon as the activity shows the jobs of a transaction, and to false after
 * five seconds for all calls together or when the activity cannot be read.
 */
export function createJobCheck(client: Client, clock: WireClock, signal: AbortSignal) {
  let remainingMs = waitMs;
  return async (transactionId: string): Promise<boolean> => {
    const startedAt = clock.ticks();
    const deadline = clock.deadline(remainingMs, signal);
    const elapsed = () => clock.ticks() - startedAt;
    try {
      const polling = { firstMs: firstPauseMs, factor: 2, timeoutMs: remainingMs };
      return await pollUntil({ ...polling, clock, signal: deadline.signal }, async (isLast) => {
        if (await hasJobs(client, transactionId, deadline.signal)) return true;
        return isLast() ? false : undefined;
      });
    } catch (error) {
      if (signal.aborted) throw error;
      return false;
    } finally {
      deadline.clear();
      remainingMs = Math.max(0, remainingMs - elapsed());
    }
  };
}

async function hasJobs(client: Client, transactionId: string, signal: AbortSignal) {
  const query = { transactionId, limit: 1 };
  const { data } = await client.call('listActivity', { query }, { signal });
  const [item] = Array.isArray(data) ? data : [];
  return (item?.jobs ?? []).length > 0;
}
