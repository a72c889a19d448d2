// Reads the elements of a JSON array as records. Elements are found by their brackets while the bytes arrive, so a large
// array is never in memory as a whole. `line` is the first line of an element.
import { isUtf8 } from 'node:buffer';
import { SvcError, usageError } from '../core/errors.ts';
import { isTooDeep, mayContainExactNumber, tooDeepReason } from '../core/lossless-json.ts';
import { parseValues } from '../core/lossless-json-parser.ts';
import { isObject } from '../core/objects.ts';
import { trimSpaces } from '../core/whitespace.ts';
import { decodeLatin1, recordLimit, recordsPerChunk } from './blocks.ts';
import type { ByteSource } from './bytes.ts';
import { invalidUtf8Error } from './encodings.ts';
import type { InputRecord, RecordPlace } from './record.ts';

export async function* readJsonArray(
  { stream, offset, name }: ByteSource,
  skip: number,
): AsyncGenerator<InputRecord[]> {
  const scan = createArrayScanner(name, offset);
  let row = 0;
  for await (const chunk of stream) {
    let records: InputRecord[] = [];
    for (const element of scan.add(chunk)) {
      row += 1;
      if (row <= skip) continue;
      records.push(elementRecord(element, row));
      if (records.length < recordsPerChunk) continue;
      yield records;
      records = [];
    }
    if (records.length > 0) yield records;
    scan.throwIfFailed();
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
  const raw = bytes.toString('latin1');
  return { ...place, raw, error: invalidUtf8Error(raw) };
}

/** A longer element is assumed to have an unclosed bracket or quote. */
const maxElementBytes = 16 * recordLimit;

interface Element {
  /** Without the whitespace around it. */
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

/** Tracks strings and brackets over the chunks of one array. */
function createArrayScanner(name: string, offset: number) {
  let kept: Buffer[] = [];
  let chunkStart = offset;
  let line = 1;
  let depth = 0;
  let state: 'before' | 'inside' | 'after' = 'before';
  let text: 'none' | 'string' | 'escape' = 'none';
  /** Start of the current element, once its first character is read. */
  let current: { line: number; start: number } | undefined;
  let elements = 0;
  let failure: SvcError | undefined;

  const inText = (byte: number) => {
    if (text === 'escape') text = 'string';
    else if (byte === backslash) text = 'escape';
    else if (byte === quote) text = 'none';
  };

  /** Reads one character outside of strings and returns its role. */
  const read = (chunk: Buffer, at: number): 'arrayStart' | 'inElement' | 'elementEnd' | 'error' => {
    const byte = chunk[at] ?? 0;
    if (state === 'before' && byte !== 0x5b) failure = notArrayError(name, line);
    if (state === 'after') failure = trailingTextError(name, line, excerpt(chunk, at));
    if (depth === 1 && byte === 0x7d) failure = strayBraceError(name, line);
    if (failure) return 'error';
    if (byte === quote) text = 'string';
    if (isOpening(byte)) depth += 1;
    if (isClosing(byte)) depth -= 1;
    if (state === 'before') {
      state = 'inside';
      return 'arrayStart';
    }
    if (depth === 0) state = 'after';
    return depth === 0 || (byte === comma && depth === 1) ? 'elementEnd' : 'inElement';
  };

  /** Returns the element before the comma or bracket at `at`; undefined for an empty array. */
  const takeElement = (chunk: Buffer, from: number, at: number): Element | undefined => {
    const { line: first, start } = current ?? { line, start: chunkStart + at };
    const last = chunk.subarray(current ? from : at, at);
    const bytes = trimEnd(kept.length === 0 ? last : Buffer.concat([...kept, last]));
    kept = [];
    current = undefined;
    elements += 1;
    if (bytes.length === 0 && state === 'after' && elements === 1) return undefined;
    return { bytes, line: first, start };
  };

  return {
    /** Returns the elements that end in this chunk, up to the first error. */
    add(chunk: Buffer): Element[] {
      const ended: Element[] = [];
      let from = 0;
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at] ?? 0;
        if (byte === 0x0a) line += 1;
        if (text !== 'none') inText(byte);
        else if (!isBlank(byte)) {
          const role = read(chunk, at);
          if (role === 'error') return ended;
          if (role === 'elementEnd') {
            const element = takeElement(chunk, from, at);
            if (element) ended.push(element);
          } else if (role === 'inElement' && !current) {
            current = { line, start: chunkStart + at };
            from = at;
          }
        }
      }
      if (current) kept.push(chunk.subarray(from));
      if (current && chunkStart + chunk.length - current.start > maxElementBytes)
        failure = endlessElementError(name, current.line);
      chunkStart += chunk.length;
      return ended;
    },
    /** Throws the error that `add` found, after the elements before it were used. */
    throwIfFailed() {
      if (failure) throw failure;
    },
    /** Returns a last object that is complete although the array is truncated after it. */
    last(): Element | undefined {
      const bytes = trimEnd(Buffer.concat(kept));
      if (!current || depth !== 1 || text !== 'none' || bytes.at(-1) !== 0x7d) return undefined;
      const { line: first, start } = current;
      current = undefined;
      return { bytes, line: first, start };
    },
    /** Throws if the array is not closed. An empty input is valid and has no elements. */
    end() {
      if (state === 'inside') throw truncatedArrayError(name, line, current?.line);
    },
  };
}

/** Returns the start of the text at a position, for messages. */
const excerpt = (chunk: Buffer, at: number) =>
  decodeLatin1(chunk.toString('latin1', at, at + 60))
    .split(/[\r\n]/)[0]
    ?.slice(0, 20) ?? '';

function trimEnd(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && isBlank(bytes[end - 1] ?? 0)) end -= 1;
  return bytes.subarray(0, end);
}

const notArrayError = (name: string, line: number) =>
  usageError(`${name} is not a JSON array of objects (line ${line}).`, {
    hint: 'For one object per line (NDJSON), use --format ndjson.',
  });

/** Rows before the error may have been sent. */
const unreadableError = (name: string, reason: string, line: number, hint: string) =>
  new SvcError('partial', `${name} cannot be read to the end: ${reason}.`, { line, hint });

const trailingTextError = (name: string, line: number, text: string) =>
  unreadableError(
    name,
    `line ${line} has text after the end of the JSON array: \`${text}\``,
    line,
    'Remove the text. To join several arrays in one file, use jq -s add.',
  );

const strayBraceError = (name: string, line: number) =>
  unreadableError(name, `line ${line} has an unmatched \`}\``, line, 'Remove the brace.');

const endlessElementError = (name: string, line: number) =>
  unreadableError(
    name,
    `the element that starts on line ${line} is longer than 16 MiB`,
    line,
    'Check for an unclosed bracket or quote.',
  );

const truncatedArrayError = (name: string, line: number, elementLine: number | undefined) =>
  unreadableError(
    name,
    elementLine === undefined
      ? `it ends on line ${line} without the closing \`]\` of the JSON array`
      : `it ends inside the element that starts on line ${elementLine}`,
    elementLine ?? line,
    'The file is probably truncated, or a bracket or quote is not closed.',
  );

// Converts the text of one JSON object, or of one id, to a record.

export function objectRecord(text: string, { row, line, start, end }: RecordPlace): InputRecord {
  if (isTooDeep(text))
    return { row, line, start, end, raw: text.trim(), error: `is ${tooDeepReason}` };
  const hasLongNumbers = mayContainExactNumber(text);
  let value: unknown;
  try {
    value = hasLongNumbers ? parseValues(text) : JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    return { row, line, start, end, raw: text.trim(), error: `is not JSON: ${reason}` };
  }
  if (!isObject(value))
    return { row, line, start, end, raw: text.trim(), error: 'is not a JSON object' };
  const record = { row, line, start, end, value };
  return hasLongNumbers ? { ...record, hasLongNumbers } : record;
}

/** Returns the record for a line of a list of ids. */
export const idRecord = (text: string, { row, line, start, end }: RecordPlace): InputRecord => ({
  row,
  line,
  start,
  end,
  cells: () => [trimSpaces(text)],
});
