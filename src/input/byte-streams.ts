// Operations on streams of bytes: reading ahead, skipping and converting.

/** Reads bytes until `isEnough`, or to the end. Returns them, and the whole stream including them. */
export async function peek(stream: AsyncIterable<Buffer>, isEnough: (bytes: Buffer) => boolean) {
  const iterator = stream[Symbol.asyncIterator]();
  let first: Buffer = Buffer.alloc(0);
  while (!isEnough(first)) {
    const next = await iterator.next();
    if (next.done) break;
    first = first.length === 0 ? next.value : Buffer.concat([first, next.value]);
  }
  async function* whole(): AsyncGenerator<Buffer> {
    try {
      if (first.length > 0) yield first;
      for (let next = await iterator.next(); !next.done; next = await iterator.next())
        yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { first, stream: whole() };
}

export async function* skipBytes(
  stream: AsyncIterable<Buffer>,
  count: number,
): AsyncGenerator<Buffer> {
  let left = count;
  for await (const chunk of stream) {
    if (chunk.length > left) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}

/** Decodes every chunk on its own, so each character must be a single byte. */
export async function* decodeChunks(
  stream: AsyncIterable<Buffer>,
  decode: (bytes: Buffer) => string,
): AsyncGenerator<Buffer> {
  for await (const chunk of stream) yield Buffer.from(decode(chunk));
}
