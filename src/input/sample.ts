// Reads the first records of an input ahead, for proposals that depend on the content.

export interface Sampled<T> {
  /** All chunks, including those that were read ahead. */
  chunks: AsyncIterable<readonly T[]>;
  /** The first chunk; empty at the end of the input. */
  sample: () => Promise<readonly T[]>;
}

export function withSample<T>(chunks: AsyncIterable<readonly T[]>): Sampled<T> {
  const iterator = chunks[Symbol.asyncIterator]();
  let first: Promise<IteratorResult<readonly T[]>> | undefined;
  async function* all(): AsyncGenerator<readonly T[]> {
    try {
      let next = await (first ?? iterator.next());
      first = undefined;
      for (; !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return {
    chunks: all(),
    sample: async () => {
      first ??= iterator.next();
      const { done, value } = await first;
      return done ? [] : value;
    },
  };
}
