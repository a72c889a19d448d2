// Processes items concurrently and yields the results in the order of the items.

/** Runs `work` for at most `limit` items at the same time. The first error ends it. */
export async function* mapConcurrently<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  limit: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, void> {
  const running: Promise<R>[] = [];
  for await (const item of items) {
    const result = work(item);
    // An error is thrown when its turn comes; until then it must not count as unhandled.
    result.catch(() => undefined);
    running.push(result);
    const first = running.length >= limit ? running.shift() : undefined;
    if (first) yield await first;
  }
  for (const result of running) yield await result;
}

// Waits for a promise or a signal, whichever is first.

/**
 * Rejects with the signal's reason as soon as it aborts. Unlike `Promise.race` it leaves nothing behind on a signal that
 * lives as long as the process.
 */
export function raceAbort<T>(pending: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    const done = () => signal.removeEventListener('abort', abort);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    pending.then(
      (value) => {
        done();
        resolve(value);
      },
      (error: unknown) => {
        done();
        reject(error);
      },
    );
  });
}

// Polls something until it is as it should be.

interface Polling {
  clock: { ticks(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> };
  signal?: AbortSignal | undefined;
  /** The pause after the first poll. The following ones grow by the factor (default: 1.5), up to `maxMs`. */
  firstMs: number;
  maxMs?: number;
  factor?: number;
  timeoutMs?: number;
}

/** Returns the first value of `poll` that is not undefined. `isLast`: the time is over before the next poll. */
export async function pollUntil<T>(
  { clock, signal, timeoutMs = Number.POSITIVE_INFINITY, ...pauses }: Polling,
  poll: (isLast: () => boolean) => Promise<T | undefined>,
): Promise<T> {
  const startedAt = clock.ticks();
  const nextPause = growingPauses(pauses);
  for (let pause = nextPause(); ; pause = nextPause()) {
    const value = await poll(() => clock.ticks() - startedAt + pause > timeoutMs);
    if (value !== undefined) return value;
    await clock.sleep(pause, signal);
  }
}

/** Returns a function for the next pause, in milliseconds. */
export function growingPauses({
  firstMs,
  maxMs = Number.POSITIVE_INFINITY,
  factor = 1.5,
}: Pick<Polling, 'firstMs' | 'maxMs' | 'factor'>): () => number {
  let pause = firstMs / factor;
  return () => {
    pause = Math.min(pause * factor, maxMs);
    return pause;
  };
}

// Collects a listing that is read page by page.

export async function collectItems<T>(pages: AsyncIterable<{ items: readonly T[] }>): Promise<T[]> {
  const all: T[] = [];
  for await (const { items } of pages) all.push(...items);
  return all;
}
