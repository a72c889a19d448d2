// Character encodings: converts an input to UTF-8, by its byte order mark or by --encoding, and guesses the encoding of
// text that is not UTF-8.
import { decodeChunks, peek, skipBytes } from './byte-streams.ts';
import { fromUtf16 } from './utf16.ts';

export const encodings = ['utf-8', 'utf-16', 'windows-1252', 'latin1'] as const;
export type Encoding = (typeof encodings)[number];

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
  const decodeWindows = (part: Buffer) =>
    decode(part).replace(/[\x80-\x9f]/g, (byte) => windows1252[byte.charCodeAt(0) - 0x80] ?? byte);
  return {
    stream: decodeChunks(stream, encoding === 'latin1' ? decode : decodeWindows),
    offset: 0,
  };
}

/** The characters 80 to 9F. Not from `TextDecoder`, which reads windows-1252 as Latin-1 in some versions of Node. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Whether text that was read as UTF-8 looks like UTF-16: it has a zero byte beside every ASCII character. */
export const looksLikeUtf16 = (latin: string) =>
  /^(?:[\t\r\n -~]\0){3}|^(?:\0[\t\r\n -~]){3}/.test(latin);

/** Describes invalid UTF-8. `latin` is the text of the record, read as Latin-1. */
export function invalidUtf8Error(latin: string): string {
  const hasUtf8Characters = /[\xc2-\xf4][\x80-\xbf]/.test(latin);
  // Bytes that windows-1252 does not define, and the byte that stands for a lone surrogate of UTF-16.
  const hasOtherBytes = /[\x81\x8d\x8f\x90\x9d\xff]/.test(latin);
  if (hasUtf8Characters || hasOtherBytes) return 'is not valid UTF-8';
  return 'is not valid UTF-8, probably windows-1252: use --encoding windows-1252';
}
