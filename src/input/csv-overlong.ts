// Finds the end of a CSV record over 1 MiB and drops its bytes, so that reading continues after it.
// Reports a quote as unclosed if its cell has no closing quote within 16 MiB, or if the cell is over 1 MiB and its
// closing quote is followed by something other than a delimiter or line end.
import { decodeLatin1, openBlock, recordLimit } from './blocks.ts';
import { readQuoted } from './csv-cells.ts';
import type { InputRecord } from './records.ts';

/** Maximum size of a quoted cell in bytes. */
const maxQuotedCell = 16 * recordLimit;
const maxRawLength = 1000;

const quote = 34;
const lineFeed = 10;
const carriageReturn = 13;

export interface OverlongOptions {
  delimiter: string;
  /** Byte offset and line of the record. */
  start: number;
  line: number;
  /** Returns the error for a quote that is not closed. */
  unclosed: (line: number) => Error;
}

/** `closed` is after a quote in a quoted cell, `return` after a CR that ends the record. */
type State = 'cell' | 'unquoted' | 'quoted' | 'closed' | 'return' | 'ended';

export function createOverlongReader({ delimiter, start, line, unclosed }: OverlongOptions) {
  const delimiterByte = delimiter.charCodeAt(0);
  let state: State = 'cell';
  let size = 0;
  let consumed = 0;
  let lineEnds = 0;
  let opened = { line, at: 0 };
  let previous = 0;
  let head = '';

  const unquoted = (byte: number): State => {
    if (byte === delimiterByte) return 'cell';
    if (byte === lineFeed) return 'ended';
    return byte === carriageReturn ? 'return' : 'unquoted';
  };
  const quoted = (byte: number): State => {
    if (size - opened.at > maxQuotedCell) throw unclosed(opened.line);
    if (byte === carriageReturn || (byte === lineFeed && previous !== carriageReturn))
      lineEnds += 1;
    return byte === quote ? 'closed' : 'quoted';
  };
  const afterQuote = (byte: number): State => {
    if (byte === quote) return 'quoted';
    const next = unquoted(byte);
    if (next === 'unquoted' && size - opened.at > recordLimit) throw unclosed(opened.line);
    return next;
  };
  const stateAfter = (byte: number): State => {
    if (state === 'quoted') return quoted(byte);
    if (state === 'closed') return afterQuote(byte);
    if (state !== 'cell' || byte !== quote) return unquoted(byte);
    opened = { line: line + lineEnds, at: size };
    return 'quoted';
  };
  const consume = (bytes: Buffer): Buffer | undefined => {
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      // A CR ended the record; skip its LF.
      if (state === 'return') return bytes.subarray(byte === lineFeed ? at + 1 : at);
      state = stateAfter(byte);
      previous = byte;
      if (state === 'ended') return bytes.subarray(at + 1);
      if (state !== 'return') size += 1;
    }
    return undefined;
  };

  return {
    /** Adds bytes. Returns those after the record; undefined if it has not ended. */
    add(bytes: Buffer): Buffer | undefined {
      if (head.length < maxRawLength)
        head += bytes.toString('latin1', 0, maxRawLength - head.length);
      const rest = consume(bytes);
      consumed += bytes.length - (rest?.length ?? 0);
      return rest;
    },
    /** Call at the end of the input. */
    end() {
      if (state === 'quoted') throw unclosed(opened.line);
    },
    /** Byte offset after the record and its line end. */
    next: () => start + consumed,
    /** Number of line ends inside the record. */
    lineEnds: () => lineEnds,
    record: (row: number): InputRecord => ({
      row,
      line,
      start,
      end: start + size,
      cells: completeCells(head, delimiter),
      raw: decodeLatin1(head),
      error: 'is longer than 1 MiB',
    }),
  };
}

export type OverlongReader = ReturnType<typeof createOverlongReader>;

/** Returns the complete cells at the start of a record, such as the id. */
function completeCells(head: string, delimiter: string): string[] {
  const { cells, openQuoteAt } = readQuoted(
    openBlock(Buffer.from(head, 'latin1'), 0),
    0,
    delimiter,
  );
  return openQuoteAt === undefined ? cells.slice(0, -1) : cells;
}
