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
