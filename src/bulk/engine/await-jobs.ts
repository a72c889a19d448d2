// Waiting until the activity shows a transaction: only then does the service drop an event with the same id.
import type { Client } from '../../api/client.ts';
import type { WireClock } from '../../api/client-options.ts';

const firstPauseMs = 250;
/** How long one request waits for jobs, however often it is sent again. */
const waitMs = 5_000;

/**
 * Tells whether the jobs of a transaction show up, within five seconds for all calls together. A service that does
 * not answer counts as one that does not show them.
 */
export function createJobCheck(client: Client, clock: WireClock, signal: AbortSignal) {
  let left = waitMs;
  return async (transactionId: string): Promise<boolean> => {
    const began = clock.ticks();
    const deadline = clock.deadline(left, signal);
    const elapsed = () => clock.ticks() - began;
    try {
      for (let pause = firstPauseMs; ; pause *= 2) {
        if (await isShown(client, transactionId, deadline.signal)) return true;
        if (elapsed() + pause > left) return false;
        await clock.sleep(pause, deadline.signal);
      }
    } catch (error) {
      if (signal.aborted) throw error;
      return false;
    } finally {
      deadline.clear();
      left = Math.max(0, left - elapsed());
    }
  };
}

async function isShown(client: Client, transactionId: string, signal: AbortSignal) {
  const query = { transactionId, limit: 1 };
  const { data } = await client.call('listActivity', { query }, { signal });
  const [item] = Array.isArray(data) ? data : [];
  return (item?.jobs ?? []).length > 0;
}
