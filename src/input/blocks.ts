// Chunks of bytes → blocks that end behind a line end, wherever the chunks were cut. What has not ended yet
// is held. Knows nothing of formats.
import { isAscii, isUtf8 } from 'node:buffer';

/** Longest record, in bytes: an unclosed quote ends here instead of swallowing the file. */
export const recordLimit = 1024 * 1024;

/** Most records in a chunk. */
export const chunkRecords = 1000;

export interface Block {
  bytes: Buffer;
  /** The bytes as Latin-1: a position in it is a byte, and UTF-8 never hides a line end, comma or quote. */
  latin: string;
  /** Where the block begins in the input. */
  offset: number;
  /** The text between two positions, or undefined when it is not UTF-8. */
  textOf(from: number, to: number): string | undefined;
}

const lineFeed = 10;
const carriageReturn = 13;
const beyondAscii = /[\x80-\xff]/;
/** What is held is looked through again with every line end up to this size, then when it has grown. */
const patience = 4096;

export function openBlock(bytes: Buffer, offset: number): Block {
  const latin = bytes.toString('latin1');
  const ascii = isAscii(bytes);
  const valid = ascii || isUtf8(bytes);
  return {
    bytes,
    latin,
    offset,
    textOf(from, to) {
      const text = latin.slice(from, to);
      if (ascii || !beyondAscii.test(text)) return text;
      if (!valid && !isUtf8(bytes.subarray(from, to))) return undefined;
      return bytes.toString('utf8', from, to);
    },
  };
}

/** Bytes as UTF-8 when they are, else as Latin-1: no byte is lost, and none becomes U+FFFD. */
export function readable(latin: string): string {
  const bytes = Buffer.from(latin, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : latin;
}

/** Takes chunks, hands out blocks. */
export function createHold(offset: number) {
  let held: Buffer[] = [];
  let size = 0;
  let start = offset;
  let wanted = 0;
  let endsLine = false;

  const hold = (bytes: Buffer) => {
    held.push(bytes);
    size += bytes.length;
    if (held.length > 1000) held = [Buffer.concat(held)];
  };
  const takeAll = () => {
    const all = held.length === 1 && held[0] ? held[0] : Buffer.concat(held);
    held = [];
    size = 0;
    endsLine = false;
    wanted = 0;
    return all;
  };
  const blockOf = (bytes: Buffer) => {
    const block = openBlock(bytes, start);
    start += bytes.length;
    return block;
  };

  return {
    /** The lines that have ended with this chunk, if any. */
    add(chunk: Buffer): Block | undefined {
      const last = held.at(-1)?.at(-1);
      endsLine ||= chunk.includes(lineFeed) || chunk.includes(carriageReturn);
      endsLine ||= last === carriageReturn;
      hold(chunk);
      if (!endsLine || size < wanted) return undefined;
      const all = takeAll();
      const cut = cutOf(all);
      if (cut < all.length) hold(all.subarray(cut));
      return cut === 0 ? undefined : blockOf(all.subarray(0, cut));
    },
    /** Takes back the end of a block, for a record that has not ended in it. */
    takeBack({ bytes }: Block, from: number) {
      const rest = bytes.subarray(from);
      held.unshift(rest);
      size += rest.length;
      start -= rest.length;
      wanted = rest.length < patience ? 0 : Math.min(rest.length * 1.25, recordLimit);
    },
    /** More is held than the longest record takes. A CR at the end may still turn out to end it. */
    overflows: () => size > recordLimit + 2 && held.at(-1)?.at(-1) !== carriageReturn,
    /** All that is held, after the last chunk. */
    rest: (): Block => blockOf(takeAll()),
    /** What comes next begins at this byte of the input. */
    moveTo(byte: number) {
      start = byte;
    },
  };
}

/** Behind the last line end. A CR at the very end may be half of a CRLF. */
function cutOf(bytes: Buffer): number {
  const feed = bytes.lastIndexOf(lineFeed);
  if (feed >= 0 || bytes.length < 2) return feed + 1;
  return bytes.lastIndexOf(carriageReturn, bytes.length - 2) + 1;
}

/** Finds the ends of lines (LF, CR or CRLF) in a text that is read from front to back. */
export function lineEnds(text: string) {
  let feed = -1;
  let back = -1;
  return {
    /** Where the line ends that begins at `from`; the end of the text when nothing ends it. */
    stop(from: number): number {
      if (feed < from) feed = find(text, '\n', from);
      if (back < from) back = find(text, '\r', from);
      return Math.min(feed, back);
    },
    /** Where the next line begins. */
    after: (stop: number): number =>
      text.charCodeAt(stop) === carriageReturn && text.charCodeAt(stop + 1) === lineFeed
        ? stop + 2
        : stop + 1,
  };
}

/** Where `mark` stands next; the end of the text when it does not. */
export function find(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at;
}
