// Ending early: reading stops at once, requests in flight get a bounded time.
import type { WireClock } from '../../api/client-options.ts';

/** How long requests in flight may take to finish after an interruption. */
const drainMs = 30_000;

/** Everything in flight, for a bounded time once somebody has interrupted. */
export async function drained(
  inFlight: ReadonlySet<Promise<void>>,
  interruption: AbortSignal,
  clock: WireClock,
  hurry: AbortController,
): Promise<void> {
  const over = new AbortController();
  if (interruption.aborted) {
    void clock.sleep(drainMs, over.signal).then(
      () => hurry.abort(interruption.reason),
      () => undefined,
    );
  }
  while (inFlight.size > 0) await Promise.race(inFlight);
  over.abort();
}

/** The chunks until the signal aborts, also while the next one is awaited from a pipe that stays silent. */
export async function* until<T>(chunks: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = chunks[Symbol.asyncIterator]();
  while (!signal.aborted) {
    const next = await nextOrAborted(iterator, signal);
    if (next.done) return;
    yield next.value;
  }
}

/** Not a race with one promise for all chunks: that promise would keep every chunk for ever. */
function nextOrAborted<T>(iterator: AsyncIterator<T>, signal: AbortSignal) {
  return new Promise<IteratorResult<T>>((resolve, reject) => {
    const give = () => resolve({ done: true, value: undefined });
    signal.addEventListener('abort', give, { once: true });
    iterator
      .next()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', give));
  });
}
