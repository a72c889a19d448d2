// Bytes → text in blocks that end with a line, never inside a character. Bytes that are not UTF-8 come line by
// line and marked, so that one bad row spoils no other.
import { isUtf8 } from 'node:buffer';
import { SvcError } from '../errors.ts';

export interface TextBlock {
  text: string;
  /** False when the bytes were not UTF-8; the text is then only good for showing. */
  valid: boolean;
}

/** Longest line, in bytes: what has no line break for so long is no input of rows. */
const longestLine = 32 * 1024 * 1024;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

export async function* textBlocks(
  stream: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<TextBlock, void, void> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const end = cutAt(chunk);
    if (end === 0) {
      held.push(chunk);
      size += chunk.length;
      if (size > longestLine) throw tooLong(name);
      continue;
    }
    const whole =
      held.length === 0 ? chunk.subarray(0, end) : Buffer.concat([...held, chunk.subarray(0, end)]);
    const rest = chunk.subarray(end);
    held = rest.length === 0 ? [] : [rest];
    size = rest.length;
    yield* decoded(whole);
  }
  if (size > 0) yield* decoded(Buffer.concat(held));
}

/** Behind the last line break; a carriage return at the very end may be half of one. */
function cutAt(chunk: Buffer): number {
  const feed = chunk.lastIndexOf(lineFeed);
  if (feed >= 0) return feed + 1;
  const last = chunk.lastIndexOf(carriageReturn, chunk.length - 2);
  return chunk.length < 2 || last < 0 ? 0 : last + 1;
}

function* decoded(bytes: Buffer): Generator<TextBlock> {
  if (isUtf8(bytes)) {
    yield { text: bytes.toString('utf8'), valid: true };
    return;
  }
  for (let from = 0; from < bytes.length; ) {
    const feed = bytes.indexOf(lineFeed, from);
    const to = feed < 0 ? bytes.length : feed + 1;
    const line = bytes.subarray(from, to);
    const valid = isUtf8(line);
    yield { text: line.toString(valid ? 'utf8' : 'latin1'), valid };
    from = to;
  }
}

const tooLong = (name: string) =>
  new SvcError('partial', `${name} cannot be read further: it has a line of more than 32 MiB.`, {
    hint: 'Is it a file of rows? CSV, NDJSON and lists of ids have one row a line.',
  });
