// Runs independent actions in parallel.

/** Returns the results in the order of the items. Runs at most `maxConcurrent` actions at once. */
export async function runParallel<T, R>(
  items: readonly T[],
  act: (item: T) => Promise<R>,
  maxConcurrent = 3,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next;
      next += 1;
      results[at] = await act(items[at] as T);
    }
  };
  await Promise.all(Array.from({ length: maxConcurrent }, worker));
  return results;
}
