// A CSV record over 1 MiB: its bytes are dropped while its end is looked for, so that the run goes on behind it.
// A quote that closes where no quoted cell can end, or not within 16 MiB, was never meant to open a cell.
import { openBlock, readable, recordLimit } from './blocks.ts';
import { readQuoted } from './csv-cells.ts';
import type { InputRecord } from './records.ts';

/** Longest quoted cell that is still looked through, in bytes. */
const longestCell = 16 * recordLimit;
const shown = 1000;

const quote = 34;
const lineFeed = 10;
const carriageReturn = 13;

export interface OverlongOptions {
  delimiter: string;
  /** Where the record begins: its byte and its line. */
  start: number;
  line: number;
  /** What is thrown for a quote that does not close, by its line. */
  unclosed: (line: number) => Error;
}

/** `closed` is behind a quote in a quoted cell, `return` behind a CR that ends the record. */
type State = 'cell' | 'bare' | 'quoted' | 'closed' | 'return' | 'over';

export function createOverlong({ delimiter, start, line, unclosed }: OverlongOptions) {
  const mark = delimiter.charCodeAt(0);
  let state: State = 'cell';
  let size = 0;
  let consumed = 0;
  let lineEnds = 0;
  let opened = { line, at: 0 };
  let before = 0;
  let head = '';

  const unquoted = (byte: number): State => {
    if (byte === mark) return 'cell';
    if (byte === lineFeed) return 'over';
    return byte === carriageReturn ? 'return' : 'bare';
  };
  const quoted = (byte: number): State => {
    if (size - opened.at > longestCell) throw unclosed(opened.line);
    if (byte === carriageReturn || (byte === lineFeed && before !== carriageReturn)) lineEnds += 1;
    return byte === quote ? 'closed' : 'quoted';
  };
  const behindQuote = (byte: number): State => {
    if (byte === quote) return 'quoted';
    const next = unquoted(byte);
    if (next === 'bare' && size - opened.at > recordLimit) throw unclosed(opened.line);
    return next;
  };
  const stateAfter = (byte: number): State => {
    if (state === 'quoted') return quoted(byte);
    if (state === 'closed') return behindQuote(byte);
    if (state !== 'cell' || byte !== quote) return unquoted(byte);
    opened = { line: line + lineEnds, at: size };
    return 'quoted';
  };
  const restOf = (bytes: Buffer): Buffer | undefined => {
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      // A CR has ended the record, with an LF or without.
      if (state === 'return') return bytes.subarray(byte === lineFeed ? at + 1 : at);
      state = stateAfter(byte);
      before = byte;
      if (state === 'over') return bytes.subarray(at + 1);
      if (state !== 'return') size += 1;
    }
    return undefined;
  };

  return {
    /** What follows the record; undefined while it has not ended. */
    take(bytes: Buffer): Buffer | undefined {
      if (head.length < shown) head += bytes.toString('latin1', 0, shown - head.length);
      const rest = restOf(bytes);
      consumed += bytes.length - (rest?.length ?? 0);
      return rest;
    },
    /** The input has ended. */
    end() {
      if (state === 'quoted') throw unclosed(opened.line);
    },
    /** The byte behind the record and its line end, once it has ended. */
    next: () => start + consumed,
    /** Line ends within the record. */
    lineEnds: () => lineEnds,
    record: (row: number): InputRecord => ({
      row,
      line,
      start,
      end: start + size,
      cells: wholeCells(head, delimiter),
      raw: readable(head),
      error: 'is longer than 1 MiB',
    }),
  };
}

export type Overlong = ReturnType<typeof createOverlong>;

/** The cells that the beginning of a record holds whole, such as the id. */
function wholeCells(head: string, delimiter: string): string[] {
  const { cells, open } = readQuoted(openBlock(Buffer.from(head, 'latin1'), 0), 0, delimiter);
  return open === undefined ? cells.slice(0, -1) : cells;
}
