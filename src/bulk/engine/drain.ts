// Graceful shutdown: reading stops immediately, and requests in flight get a limited time to finish.
import type { WireClock } from '../../api/client-options.ts';

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
    const next = await nextOrAborted(iterator, signal);
    if (next.done) return;
    yield next.value;
  }
}

/** Does not use `Promise.race` with a promise for the signal, because that promise would keep all chunks in memory. */
function nextOrAborted<T>(iterator: AsyncIterator<T>, signal: AbortSignal) {
  return new Promise<IteratorResult<T>>((resolve, reject) => {
    const finish = () => resolve({ done: true, value: undefined });
    signal.addEventListener('abort', finish, { once: true });
    iterator
      .next()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', finish));
  });
}
