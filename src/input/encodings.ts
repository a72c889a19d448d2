// Character encodings: converts an input to UTF-8, by its byte order mark or by --encoding, and guesses the encoding of
// text that is not UTF-8.
import { isUtf8 } from 'node:buffer';
import type { Encoding } from './formats.ts';

/** Removes the byte order mark and converts to UTF-8. A byte order mark overrides `encoding`. */
export async function decodeToUtf8(bytes: AsyncIterable<Buffer>, encoding: Encoding = 'utf-8') {
  const { first, stream } = await peek(bytes, ({ length }) => length >= 3);
  const mark = first.toString('hex', 0, 3);
  if (mark === 'efbbbf') return { stream: skipBytes(stream, 3), offset: 3 };
  if (mark.startsWith('feff') || mark.startsWith('fffe'))
    return { stream: fromUtf16(skipBytes(stream, 2), mark.startsWith('feff')), offset: 0 };
  if (encoding === 'utf-8') return { stream, offset: 0 };
  // Without a byte order mark, the first character of a table is ASCII, so one of its two bytes is 0.
  if (encoding === 'utf-16') return { stream: fromUtf16(stream, first[0] === 0), offset: 0 };
  const decode = (part: Buffer) => part.toString('latin1');
  const decodeWindows = (part: Buffer) => latin1ToWindows1252(decode(part));
  return {
    stream: decodeChunks(stream, encoding === 'latin1' ? decode : decodeWindows),
    offset: 0,
  };
}

/** Replaces the characters that differ in text that was read as Latin-1. */
export const latin1ToWindows1252 = (latin: string): string =>
  latin.replace(/[\x80-\x9f]/g, (byte) => windows1252[byte.charCodeAt(0) - 0x80] ?? byte);

/** The characters 80 to 9F. Not from `TextDecoder`, which reads windows-1252 as Latin-1 in some versions of Node. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

const utf8Characters = new RegExp(`[\u00c2-\u00f4][\u0080-\u00bf${windows1252}]`);

/** Whether text that was read as windows-1252 or Latin-1 has characters of UTF-8. */
export const hasUtf8Characters = (text: string): boolean => utf8Characters.test(text);

/** Whether text that was read as UTF-8 looks like UTF-16: it has a zero byte beside every ASCII character. */
export const looksLikeUtf16 = (latin: string) =>
  /^(?:[\t\r\n -~]\0){3}|^(?:\0[\t\r\n -~]){3}/.test(latin);

/** Describes invalid UTF-8. `latin` is the text of the record, read as Latin-1. */
export const invalidUtf8Error = (latin: string): string =>
  isLikelyWindows1252(latin) ? windows1252Error : 'is not valid UTF-8';

const windows1252Error = 'is not valid UTF-8, probably windows-1252: use --encoding windows-1252';

/** The likely encoding of a record with this error; undefined if the error has another cause. */
export const encodingForError = (error: string | undefined): Encoding | undefined =>
  error === windows1252Error ? 'windows-1252' : undefined;

/** The likely encoding of the first bytes of a text; undefined if they are valid UTF-8 or if it cannot be guessed. */
export function guessEncoding(first: Buffer): Encoding | undefined {
  // The last line may end inside of a character.
  const bytes = first.subarray(0, first.lastIndexOf('\n') + 1 || first.length);
  if (isUtf8(bytes) || bytes.includes(0)) return undefined;
  return isLikelyWindows1252(bytes.toString('latin1')) ? 'windows-1252' : undefined;
}

/** `latin` is text that is not UTF-8, read as Latin-1. */
function isLikelyWindows1252(latin: string): boolean {
  const hasUtf8Characters = /[\xc2-\xf4][\x80-\xbf]/.test(latin);
  // Bytes that windows-1252 does not define, and the byte that stands for a lone surrogate of UTF-16.
  const hasOtherBytes = /[\x81\x8d\x8f\x90\x9d\xff]/.test(latin);
  return !hasUtf8Characters && !hasOtherBytes;
}

const loneSurrogates = /\p{Surrogate}/gu;
const invalidByte = Buffer.from([0xff]);

/**
 * Converts UTF-16 to UTF-8 chunk by chunk; `stream` starts after the byte order mark. A lone surrogate becomes an invalid
 * UTF-8 byte, so that only its record is rejected.
 */
async function* fromUtf16(
  stream: AsyncIterable<Buffer>,
  bigEndian: boolean,
): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    const bytes = Buffer.concat([rest, chunk]);
    const whole = wholeUnits(bytes, bigEndian);
    rest = bytes.subarray(whole);
    if (whole > 0) yield recode(bytes.subarray(0, whole), bigEndian);
  }
  const even = rest.length - (rest.length % 2);
  if (even > 0) yield recode(rest.subarray(0, even), bigEndian);
  if (even < rest.length) yield invalidByte;
}

/** Returns the number of bytes up to the last complete character. */
function wholeUnits(bytes: Buffer, bigEndian: boolean): number {
  const even = bytes.length - (bytes.length % 2);
  const high = bytes[bigEndian ? even - 2 : even - 1] ?? 0;
  return even > 0 && (high & 0xfc) === 0xd8 ? even - 2 : even;
}

/** Swaps `bytes` in place, so the caller must not use them again. */
function recode(bytes: Buffer, bigEndian: boolean): Buffer {
  const text = (bigEndian ? bytes.swap16() : bytes).toString('utf16le');
  const parts = text.split(loneSurrogates);
  if (parts.length === 1) return Buffer.from(text);
  return Buffer.concat(
    parts.flatMap((part, index) => (index === 0 ? [] : [invalidByte]).concat(Buffer.from(part))),
  );
}

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
async function* decodeChunks(
  stream: AsyncIterable<Buffer>,
  decode: (bytes: Buffer) => string,
): AsyncGenerator<Buffer> {
  for await (const chunk of stream) yield Buffer.from(decode(chunk));
}
