// NDJSON, JSON arrays and lists of ids → records. A line or element that is no object becomes a record with an error.
import { isUtf8 } from 'node:buffer';
import { SvcError, usageError } from '../errors.ts';
import { type InputRecord, recordLimit } from './records.ts';
import { textBlocks } from './text-blocks.ts';

/** One record a line; empty lines are skipped. */
export const readNdjson = (stream: AsyncIterable<Buffer>, name: string) =>
  readLines(stream, name, (text, line) => {
    if (text.length > recordLimit)
      return { line, raw: text.slice(0, 1000), error: 'is longer than 1 MiB' };
    return parsed(text, line);
  });

/** One id a line, without the blanks around it; empty lines are skipped. */
export const readIdLines = (stream: AsyncIterable<Buffer>, name: string) =>
  readLines(stream, name, (text, line) => ({ line, cells: [text] }));

async function* readLines(
  stream: AsyncIterable<Buffer>,
  name: string,
  recordOf: (text: string, line: number) => InputRecord,
): AsyncGenerator<InputRecord[]> {
  let line = 0;
  for await (const { text, valid } of textBlocks(stream, name)) {
    const records: InputRecord[] = [];
    const lines = text.split(/\r\n|\n|\r/);
    // Behind the last line break there is no line more.
    if (lines.at(-1) === '') lines.pop();
    for (const one of lines) {
      line += 1;
      const trimmed = one.trim();
      if (trimmed === '') continue;
      records.push(
        valid ? recordOf(trimmed, line) : { line, raw: one, cells: [one], error: notUtf8 },
      );
    }
    if (records.length > 0) yield records;
  }
}

const notUtf8 = 'is not valid UTF-8';

function parsed(text: string, line: number): InputRecord {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { line, value: value as Record<string, unknown> };
    }
    return { line, raw: text, error: 'is not a JSON object' };
  } catch (error) {
    return {
      line,
      raw: text,
      error: `is not JSON: ${error instanceof Error ? error.message : ''}`,
    };
  }
}

function elementRecord({ bytes, line }: Element): InputRecord | undefined {
  if (!isUtf8(bytes)) return { line, raw: bytes.toString('latin1'), error: notUtf8 };
  const text = bytes.toString('utf8').trim();
  if (text === '') return undefined;
  if (bytes.length > recordLimit)
    return { line, raw: text.slice(0, 1000), error: 'is longer than 1 MiB' };
  return parsed(text, line);
}

/**
 * The elements of a JSON array, found by their brackets as the bytes arrive, so that a large array is never
 * held whole. `line` is the line on which an element begins.
 */
export async function* readJsonArray(
  stream: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<InputRecord[]> {
  const scan = createArrayScan(name);
  for await (const chunk of stream) {
    const records = scan.take(chunk).flatMap((element) => elementRecord(element) ?? []);
    if (records.length > 0) yield records;
  }
  scan.end();
}

interface Element {
  bytes: Buffer;
  line: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const isOpening = (byte: number) => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number) => byte === 0x5d || byte === 0x7d;

/** Follows strings and brackets over the chunks of one array. */
function createArrayScan(name: string) {
  const held: Buffer[] = [];
  let line = 1;
  let startLine = 1;
  let depth = 0;
  let state: 'before' | 'inside' | 'after' = 'before';
  let text: 'none' | 'string' | 'escape' = 'none';
  // The next character begins an element.
  let fresh = false;

  const inText = (byte: number) => {
    if (text === 'escape') text = 'string';
    else if (byte === backslash) text = 'escape';
    else if (byte === quote) text = 'none';
  };

  /** Reads one character outside of strings; true when it ends an element. */
  const read = (byte: number): boolean => {
    if (fresh) startLine = line;
    fresh = false;
    if (state === 'after' || (state === 'before' && byte !== 0x5b)) throw notArray(name, line);
    if (byte === quote) text = 'string';
    if (isOpening(byte)) depth += 1;
    if (isClosing(byte)) depth -= 1;
    if (state === 'before') {
      state = 'inside';
      fresh = true;
      return false;
    }
    if (depth === 0) state = 'after';
    const ends = depth === 0 || (byte === comma && depth === 1);
    fresh = ends;
    return ends;
  };

  return {
    /** The elements that end in this chunk. */
    take(chunk: Buffer): Element[] {
      const elements: Element[] = [];
      let from = 0;
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at] ?? 0;
        if (byte === 0x0a) line += 1;
        if (text !== 'none') inText(byte);
        else if (!isBlank(byte) && !isMark(byte, state)) {
          const began = state === 'before';
          const ends = read(byte);
          if (ends) {
            elements.push({
              bytes: Buffer.concat([...held, chunk.subarray(from, at)]),
              line: startLine,
            });
            held.length = 0;
          }
          if (ends || began) from = at + 1;
        }
      }
      if (state === 'inside') held.push(chunk.subarray(from));
      const size = held.reduce((sum, { length }) => sum + length, 0);
      if (size > 16 * recordLimit) throw unclosed(name, startLine);
      return elements;
    },
    /** Refuses an array that has not ended. */
    end() {
      if (state !== 'after') throw unclosed(name, startLine);
    },
  };
}

/** A byte order mark may stand before the array. */
const isMark = (byte: number, state: string) => state === 'before' && byte >= 0x80;

const isBlank = (byte: number) => byte === 32 || byte === 10 || byte === 13 || byte === 9;

const notArray = (name: string, line: number) =>
  usageError(`${name} is not a JSON array of objects (line ${line}).`, {
    hint: 'One object a line is NDJSON: --format ndjson.',
  });

const unclosed = (name: string, line: number) =>
  new SvcError(
    'partial',
    `${name} cannot be read further: the element that begins on line ${line} does not end.`,
  );
