// The elements of a JSON array → records, found by their brackets as the bytes arrive, so that a large array is
// never held whole. `line` is the line on which an element begins.
import { isUtf8 } from 'node:buffer';
import type { SvcError } from '../core/errors.ts';
import { chunkRecords, readable, recordLimit } from './blocks.ts';
import type { ByteSource } from './bytes.ts';
import { cutOff, endless, notArray, strayBrace, textBehind } from './json-array-errors.ts';
import { objectRecord } from './json-object.ts';
import type { InputRecord } from './records.ts';

export async function* readJsonArray(
  { stream, offset, name }: ByteSource,
  skip: number,
): AsyncGenerator<InputRecord[]> {
  const scan = createArrayScan(name, offset);
  let row = 0;
  for await (const chunk of stream) {
    let records: InputRecord[] = [];
    for (const element of scan.take(chunk)) {
      row += 1;
      if (row <= skip) continue;
      records.push(elementRecord(element, row));
      if (records.length < chunkRecords) continue;
      yield records;
      records = [];
    }
    if (records.length > 0) yield records;
    scan.check();
  }
  const last = scan.last();
  if (last && row >= skip) yield [elementRecord(last, row + 1)];
  scan.end();
}

function elementRecord({ bytes, line, start }: Element, row: number): InputRecord {
  const place = { row, line, start, end: start + bytes.length };
  if (bytes.length > recordLimit)
    return { ...place, raw: bytes.toString('latin1', 0, 1000), error: 'is longer than 1 MiB' };
  if (isUtf8(bytes)) return objectRecord(bytes.toString(), place);
  return { ...place, raw: bytes.toString('latin1'), error: 'is not valid UTF-8' };
}

/** An element that has not ended by then is a bracket or quote that is missing. */
const longest = 16 * recordLimit;

interface Element {
  /** Without the blanks around it. */
  bytes: Buffer;
  line: number;
  start: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const isOpening = (byte: number) => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number) => byte === 0x5d || byte === 0x7d;
const isBlank = (byte: number) => byte === 32 || byte === 10 || byte === 13 || byte === 9;

/** Follows strings and brackets over the chunks of one array. */
function createArrayScan(name: string, offset: number) {
  let held: Buffer[] = [];
  let chunkStart = offset;
  let line = 1;
  let depth = 0;
  let state: 'before' | 'inside' | 'after' = 'before';
  let text: 'none' | 'string' | 'escape' = 'none';
  /** Where the element begins, once its first character has come. */
  let begun: { line: number; start: number } | undefined;
  let elements = 0;
  let failure: SvcError | undefined;

  const inText = (byte: number) => {
    if (text === 'escape') text = 'string';
    else if (byte === backslash) text = 'escape';
    else if (byte === quote) text = 'none';
  };

  /** Reads one character outside of strings and says what it is. */
  const read = (chunk: Buffer, at: number): 'opens' | 'within' | 'ends' | 'fails' => {
    const byte = chunk[at] ?? 0;
    if (state === 'before' && byte !== 0x5b) failure = notArray(name, line);
    if (state === 'after') failure = textBehind(name, line, excerpt(chunk, at));
    if (depth === 1 && byte === 0x7d) failure = strayBrace(name, line);
    if (failure) return 'fails';
    if (byte === quote) text = 'string';
    if (isOpening(byte)) depth += 1;
    if (isClosing(byte)) depth -= 1;
    if (state === 'before') {
      state = 'inside';
      return 'opens';
    }
    if (depth === 0) state = 'after';
    return depth === 0 || (byte === comma && depth === 1) ? 'ends' : 'within';
  };

  /** What stands before the comma or bracket at `at`; nothing may stand there in an empty array alone. */
  const elementBefore = (chunk: Buffer, from: number, at: number): Element | undefined => {
    const { line: first, start } = begun ?? { line, start: chunkStart + at };
    const last = chunk.subarray(begun ? from : at, at);
    const bytes = trimmed(held.length === 0 ? last : Buffer.concat([...held, last]));
    held = [];
    begun = undefined;
    elements += 1;
    if (bytes.length === 0 && state === 'after' && elements === 1) return undefined;
    return { bytes, line: first, start };
  };

  return {
    /** The elements that end in this chunk, before anything that cannot be read. */
    take(chunk: Buffer): Element[] {
      const ended: Element[] = [];
      let from = 0;
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at] ?? 0;
        if (byte === 0x0a) line += 1;
        if (text !== 'none') inText(byte);
        else if (!isBlank(byte)) {
          const means = read(chunk, at);
          if (means === 'fails') return ended;
          if (means === 'ends') {
            const element = elementBefore(chunk, from, at);
            if (element) ended.push(element);
          } else if (means === 'within' && !begun) {
            begun = { line, start: chunkStart + at };
            from = at;
          }
        }
      }
      if (begun) held.push(chunk.subarray(from));
      if (begun && chunkStart + chunk.length - begun.start > longest)
        failure = endless(name, begun.line);
      chunkStart += chunk.length;
      return ended;
    },
    /** Throws what stopped the reading, once the elements before it are taken. */
    check() {
      if (failure) throw failure;
    },
    /** An object that is whole although the input ends behind it. */
    last(): Element | undefined {
      const bytes = trimmed(Buffer.concat(held));
      if (!begun || depth !== 1 || text !== 'none' || bytes.at(-1) !== 0x7d) return undefined;
      const { line: first, start } = begun;
      begun = undefined;
      return { bytes, line: first, start };
    },
    /** Refuses an array that has not ended; an input without any text is no array and has no elements. */
    end() {
      if (state === 'inside') throw cutOff(name, line, begun?.line);
    },
  };
}

/** The beginning of what stands at a place, for messages. */
const excerpt = (chunk: Buffer, at: number) =>
  readable(chunk.toString('latin1', at, at + 60))
    .split(/[\r\n]/)[0]
    ?.slice(0, 20) ?? '';

/** Without the blanks behind it. */
function trimmed(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && isBlank(bytes[end - 1] ?? 0)) end -= 1;
  return bytes.subarray(0, end);
}
