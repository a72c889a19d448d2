// Joins chunks of bytes to blocks that end at a line end. An incomplete line is kept until the next chunk. Independent of
// the input format.
import { isAscii, isUtf8 } from 'node:buffer';

/** Maximum size of a record in bytes, so that an unclosed quote does not consume the whole file. */
export const recordLimit = 1024 * 1024;

/** Maximum number of records in a chunk. */
export const recordsPerChunk = 1000;

export interface Block {
  bytes: Buffer;
  /** The bytes as Latin-1: positions are byte offsets, and line ends, commas and quotes are the same as in UTF-8. */
  latin: string;
  /** Byte offset of the block in the input. */
  offset: number;
  /** Whether the bytes between two positions are valid UTF-8. */
  isValid(from: number, to: number): boolean;
  /** Returns the text between two positions; undefined if it is not valid UTF-8. */
  textOf(from: number, to: number): string | undefined;
}

const lineFeed = 10;
const carriageReturn = 13;
const beyondAscii = /[\x80-\xff]/;
/** Up to this size, kept bytes are scanned again at every line end; larger ones only after they grow by a quarter. */
const rescanThreshold = 4096;

export function openBlock(bytes: Buffer, offset: number): Block {
  const latin = bytes.toString('latin1');
  const ascii = isAscii(bytes);
  const valid = ascii || isUtf8(bytes);
  const isValid = (from: number, to: number) => valid || isUtf8(bytes.subarray(from, to));
  return {
    bytes,
    latin,
    offset,
    isValid,
    textOf(from, to) {
      const text = latin.slice(from, to);
      if (ascii || !beyondAscii.test(text)) return text;
      if (!isValid(from, to)) return undefined;
      return bytes.toString('utf8', from, to);
    },
  };
}

/** Decodes bytes as UTF-8 if they are valid, or as Latin-1 if not, so that no byte becomes U+FFFD. */
export function decodeLatin1(latin: string): string {
  const bytes = Buffer.from(latin, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : latin;
}

/** Collects chunks and returns blocks. `offset` is the byte offset of the first chunk. */
export function createBlockReader(offset: number) {
  let kept: Buffer[] = [];
  let size = 0;
  let start = offset;
  let nextScanSize = 0;
  let endsLine = false;

  const keep = (bytes: Buffer) => {
    kept.push(bytes);
    size += bytes.length;
    if (kept.length > 1000) kept = [Buffer.concat(kept)];
  };
  const takeAll = () => {
    const all = kept.length === 1 && kept[0] ? kept[0] : Buffer.concat(kept);
    kept = [];
    size = 0;
    endsLine = false;
    nextScanSize = 0;
    return all;
  };
  const nextBlock = (bytes: Buffer) => {
    const block = openBlock(bytes, start);
    start += bytes.length;
    return block;
  };

  return {
    /** Adds a chunk. Returns the lines that are complete now, if any. */
    add(chunk: Buffer): Block | undefined {
      const last = kept.at(-1)?.at(-1);
      endsLine ||= chunk.includes(lineFeed) || chunk.includes(carriageReturn);
      endsLine ||= last === carriageReturn;
      keep(chunk);
      if (!endsLine || size < nextScanSize) return undefined;
      const all = takeAll();
      const end = endOfLastLine(all);
      if (end < all.length) keep(all.subarray(end));
      return end === 0 ? undefined : nextBlock(all.subarray(0, end));
    },
    /** Keeps the end of a block, from `from`, for a record that is not complete in it. */
    putBack({ bytes }: Block, from: number) {
      const rest = bytes.subarray(from);
      kept.unshift(rest);
      size += rest.length;
      start -= rest.length;
      nextScanSize = rest.length < rescanThreshold ? 0 : Math.min(rest.length * 1.25, recordLimit);
    },
    /** True if more bytes are kept than a record may have. A CR at the end may still be its line end. */
    overflows: () => size > recordLimit + 2 && kept.at(-1)?.at(-1) !== carriageReturn,
    /** Returns all kept bytes, after the last chunk. */
    rest: (): Block => nextBlock(takeAll()),
    moveTo(byte: number) {
      start = byte;
    },
  };
}

/** Splits chunks after their first line, so that only this line must be joined with the kept bytes, not the whole chunk. */
export async function* splitAtFirstLine(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    const end = chunk.indexOf(lineFeed) + 1;
    if (end > 0) yield chunk.subarray(0, end);
    if (end < chunk.length) yield chunk.subarray(end);
  }
}

/** Returns the position after the last line end. Ignores a CR at the very end, which may be half of a CRLF. */
function endOfLastLine(bytes: Buffer): number {
  const feed = bytes.lastIndexOf(lineFeed);
  if (feed >= 0 || bytes.length < 2) return feed + 1;
  return bytes.lastIndexOf(carriageReturn, bytes.length - 2) + 1;
}

/** Finds line ends (LF, CR or CRLF). Positions must not decrease from call to call. */
export function createLineEndFinder(text: string) {
  let feed = -1;
  let carriage = -1;
  return {
    /** Returns the end of the line that starts at `from`, without its line end. */
    stop(from: number): number {
      if (feed < from) feed = indexOrEnd(text, '\n', from);
      if (carriage < from) carriage = indexOrEnd(text, '\r', from);
      return Math.min(feed, carriage);
    },
    /** Returns the start of the next line. */
    after: (stop: number): number =>
      text.charCodeAt(stop) === carriageReturn && text.charCodeAt(stop + 1) === lineFeed
        ? stop + 2
        : stop + 1,
  };
}

/** Returns the next index of `mark`, or the length of the text. */
function indexOrEnd(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at;
}
