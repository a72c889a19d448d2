// NDJSON, JSON arrays and lists of ids → records. A line or element that is no object becomes a record with an error.
import { SvcError, usageError } from '../errors.ts';
import { type InputRecord, recordLimit } from './records.ts';

/** One record a line; empty lines are skipped. */
export async function* readNdjson(stream: AsyncIterable<Buffer>): AsyncGenerator<InputRecord[]> {
  let line = 0;
  for await (const lines of splitLines(stream)) {
    const records: InputRecord[] = [];
    for (const bytes of lines) {
      line += 1;
      const record = lineRecord(bytes, line);
      if (record) records.push(record);
    }
    if (records.length > 0) yield records;
  }
}

/** One id a line, without the blanks around it; empty lines are skipped. */
export async function* readIdLines(stream: AsyncIterable<Buffer>): AsyncGenerator<InputRecord[]> {
  let line = 0;
  for await (const lines of splitLines(stream)) {
    const records: InputRecord[] = [];
    for (const bytes of lines) {
      line += 1;
      const record = idRecord(bytes, line);
      if (record) records.push(record);
    }
    if (records.length > 0) yield records;
  }
}

function idRecord(bytes: Buffer, line: number): InputRecord | undefined {
  try {
    const id = decoder
      .decode(bytes)
      .replace(/^\ufeff/, '')
      .trim();
    return id === '' ? undefined : { line, cells: [id] };
  } catch {
    return { line, cells: [bytes.toString('latin1')], error: 'is not valid UTF-8' };
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function lineRecord(bytes: Buffer, line: number): InputRecord | undefined {
  let text: string;
  try {
    text = decoder.decode(bytes).trim();
  } catch {
    return { line, raw: bytes.toString('latin1'), error: 'is not valid UTF-8' };
  }
  if (text === '') return undefined;
  if (bytes.length > recordLimit)
    return { line, raw: text.slice(0, 1000), error: 'is longer than 1 MiB' };
  try {
    return recordOf(JSON.parse(text), line, text);
  } catch (error) {
    return {
      line,
      raw: text,
      error: `is not JSON: ${error instanceof Error ? error.message : ''}`,
    };
  }
}

function recordOf(value: unknown, line: number, raw: string): InputRecord {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { line, value: value as Record<string, unknown> };
  }
  return { line, raw, error: 'is not a JSON object' };
}

async function* splitLines(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer[]> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const lines: Buffer[] = [];
    let from = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      lines.push(bytes.subarray(from, at));
      from = at + 1;
    }
    rest = bytes.subarray(from);
    yield lines;
  }
  if (rest.length > 0) yield [rest];
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
    const records = scan.take(chunk).flatMap(({ bytes, line }) => lineRecord(bytes, line) ?? []);
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
