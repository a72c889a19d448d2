// Graceful shutdown: reading stops immediately, and requests in flight get a limited time to finish.
import type { WireClock } from '../../api/client-options.ts';
import { raceAbort } from '../../core/race-abort.ts';

/** How long requests in flight may take after a shutdown signal. */
const gracePeriodMs = 30_000;

/** Waits for all requests in flight. After a shutdown signal, aborts them when the grace period is over. */
export async function drain(
  inFlight: ReadonlySet<Promise<void>>,
  shutdownSignal: AbortSignal,
  clock: WireClock,
  abortController: AbortController,
): Promise<void> {
  const drained = new AbortController();
  if (shutdownSignal.aborted) {
    void clock.sleep(gracePeriodMs, drained.signal).then(
      () => abortController.abort(shutdownSignal.reason),
      () => undefined,
    );
  }
  while (inFlight.size > 0) await Promise.race(inFlight);
  drained.abort();
}

/** Yields chunks until the signal aborts, even while waiting for a pipe that sends nothing. */
export async function* readUntilAborted<T>(
  chunks: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const iterator = chunks[Symbol.asyncIterator]();
  while (!signal.aborted) {
    const next = await raceAbort(iterator.next(), signal).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    if (next === undefined || next.done) return;
    yield next.value;
  }
}
