// Writes items directly into the body of their request. Many bodies share a buffer, so that a body needs no memory of
// its own and no copy. Buffers are used again, because V8 collects garbage more often when many are allocated.

const bufferBytes = 1024 * 1024;
/** Max buffers kept for later bodies. */
const maxSpare = 8;
const comma = 44;
const quote = 34;
const backslash = 92;
const letterU = 117;

/** The character after the backslash for each byte that JSON escapes; `u` for `\u00…`, and 0 for none. */
const escapes = new Uint8Array(256);
escapes.fill(letterU, 0, 32);
for (const pair of ['\bb', '\tt', '\nn', '\ff', '\rr', '""', '\\\\'])
  escapes[pair.charCodeAt(0)] = pair.charCodeAt(1);

/** JSON before and after the items of a request. */
export interface Frame {
  open: string;
  close: string;
}

export interface ItemWriter {
  /** Starts an item of at most this many bytes, and drops an item that was not kept. */
  start(maxBytes: number): void;
  addBytes(bytes: Uint8Array): void;
  addText(text: string): void;
  /** Adds a part of a text in UTF-8 as a JSON string. In `text`, each quote is doubled, as in CSV. */
  addQuoted(text: Uint8Array, start: number, end: number): void;
}

/** The part of a body that contains an item; `bodyEnd` is exclusive. */
export interface ItemRange {
  bodyStart: number;
  bodyEnd: number;
}

export function createBodyWriter({ open, close }: Frame) {
  const [openBytes, closeBytes] = [Buffer.from(open), Buffer.from(close)];
  let buffer: Buffer = Buffer.alloc(0);
  /** Number of bodies in each buffer that are not released. */
  const bodies = new WeakMap<ArrayBufferLike, number>();
  const spare: Buffer[] = [];
  /** Positions in the buffer: the body, the end of its last item, the new item. */
  let bodyStart = 0;
  let keptEnd = 0;
  let itemStart = 0;
  let at = 0;

  /** Moves the body to a new buffer if the current one has no room. */
  const reserve = (bytes: number) => {
    // Besides the item, there must be room for both frames and for two commas.
    const needed = bytes + 2 * (openBytes.length + closeBytes.length) + 2;
    if (keptEnd + needed <= buffer.length) return;
    const kept = buffer.subarray(bodyStart, keptEnd);
    const size = Math.max(bufferBytes, 2 * (kept.length + needed));
    buffer = (size === bufferBytes ? spare.pop() : undefined) ?? Buffer.allocUnsafeSlow(size);
    kept.copy(buffer);
    bodyStart = 0;
    keptEnd = kept.length;
  };
  const isEmpty = () => keptEnd === bodyStart;

  return {
    start(maxBytes) {
      reserve(maxBytes);
      itemStart = isEmpty() ? bodyStart + openBytes.length : keptEnd + 1;
      at = itemStart;
    },
    addBytes(bytes) {
      const { length } = bytes;
      const to = at;
      for (let index = 0; index < length; index += 1) buffer[to + index] = bytes[index] as number;
      at = to + length;
    },
    addText(text) {
      at += buffer.write(text, at);
    },
    addQuoted(text, start, end) {
      at = writeQuoted(buffer, at, text, start, end);
    },
    itemBytes: () => at - itemStart,
    /** Makes the new item a part of the body, and sets its place in it. */
    keepItem(range: ItemRange) {
      if (isEmpty()) openBytes.copy(buffer, bodyStart);
      else buffer[keptEnd] = comma;
      keptEnd = at;
      range.bodyStart = itemStart - bodyStart;
      range.bodyEnd = at - bodyStart;
    },
    /** Ends the body and returns it. The new item becomes the first one of the next body. */
    endBody(): Buffer {
      const size = at - itemStart;
      const next = keptEnd + closeBytes.length;
      buffer.copyWithin(next + openBytes.length, itemStart, at);
      closeBytes.copy(buffer, keptEnd);
      const body = buffer.subarray(bodyStart, next);
      bodies.set(body.buffer, (bodies.get(body.buffer) ?? 0) + 1);
      bodyStart = next;
      keptEnd = next;
      itemStart = next + openBytes.length;
      at = itemStart + size;
      return body;
    },
    /** Makes the memory of a body free for other bodies. */
    release({ buffer: memory }: Buffer): void {
      const left = (bodies.get(memory) ?? 0) - 1;
      bodies.set(memory, left);
      if (left === 0 && memory !== buffer.buffer && spare.length < maxSpare)
        spare.push(Buffer.from(memory));
    },
  } satisfies ItemWriter & Record<string, unknown>;
}

/** Writes a JSON string and returns its end. */
function writeQuoted(
  out: Buffer,
  at: number,
  text: Uint8Array,
  start: number,
  end: number,
): number {
  let to = at;
  out[to] = quote;
  to += 1;
  for (let from = start; from < end; from += 1) {
    const byte = text[from] as number;
    const escaped = escapes[byte] as number;
    if (escaped === 0) {
      out[to] = byte;
      to += 1;
      continue;
    }
    if (byte === quote) from += 1;
    out[to] = backslash;
    out[to + 1] = escaped;
    to += 2;
    if (escaped === letterU) to += out.write(byte.toString(16).padStart(4, '0'), to);
  }
  out[to] = quote;
  return to + 1;
}
