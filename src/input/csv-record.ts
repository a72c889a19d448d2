// A record of a CSV file. It keeps its text, so that the cells can be released to save memory and read again later.
import { type Block, decodeLatin1, openBlock } from './blocks.ts';
import type { CellBytes } from './cell-bytes.ts';
import { invalidUtf8Error } from './encodings.ts';
import type { InputRecord, RecordPlace } from './record.ts';

interface CsvRecord extends InputRecord {
  /** The bytes of the block as Latin-1, and the position of the record in it. */
  latin: string;
  at: number;
  parsed: readonly string[] | undefined;
}

/** Reads the cells of the record between two positions. */
export const readCells = (
  block: Block,
  from: number,
  end: number,
  delimiter: string,
): CellsResult =>
  block.latin.slice(from, end).includes('"')
    ? readQuoted(block, from, delimiter)
    : readPlain(block, from, end, delimiter);

/** Returns a function that creates a valid record, whose cells start at `firstCell` of the scanned block. */
export function createCsvRecords(delimiter: string) {
  // Shared by all records and called with `this`, because two functions per record would cost memory.
  function cells(this: CsvRecord): readonly string[] {
    if (this.parsed) return this.parsed;
    const { latin, at, start, end, cellBytes } = this;
    const length = end - start;
    if (cellBytes) this.parsed = readCells(cellBytes.block, at, at + length, delimiter).cells;
    else {
      const block = openBlock(Buffer.from(latin.slice(at, at + length), 'latin1'), 0);
      this.parsed = readCells(block, 0, length, delimiter).cells;
    }
    return this.parsed;
  }
  function release(this: CsvRecord): void {
    this.parsed = undefined;
    this.cellBytes = undefined;
  }
  return (
    { row, line, start, end }: RecordPlace,
    cellBytes: CellBytes,
    firstCell: number,
  ): CsvRecord => {
    const { latin, offset } = cellBytes.block;
    const at = start - offset;
    return {
      row,
      line,
      start,
      end,
      latin,
      at,
      cellBytes,
      firstCell,
      parsed: undefined,
      cells,
      release,
    };
  };
}

// The cells of one CSV record. A misplaced quote is kept as text and reported, so that line ends in later quoted cells
// still belong to the record.

interface CellsResult {
  cells: string[];
  /** Position after the last cell. */
  end: number;
  /** The error of the record, if any. */
  error: string | undefined;
  /** Position of a quote that is not closed in this block. In that case `cells` is incomplete. */
  openQuoteAt: number | undefined;
}

const quote = 34;
const misplaced = 'has a quote in the wrong place';

function readPlain(block: Block, from: number, end: number, delimiter: string): CellsResult {
  const text = block.textOf(from, end);
  if (text !== undefined)
    return { cells: text.split(delimiter), end, error: undefined, openQuoteAt: undefined };
  const latin = block.latin.slice(from, end);
  const cells = latin.split(delimiter).map(decodeLatin1);
  return { cells, end, error: invalidUtf8Error(latin), openQuoteAt: undefined };
}

/** Reads a record with a quote in its first line; it may span several lines. */
export function readQuoted(block: Block, from: number, delimiter: string): CellsResult {
  const { latin } = block;
  const mark = delimiter.charCodeAt(0);
  const cells: string[] = [];
  let error: string | undefined;
  let at = from;

  const text = (start: number, stop: number): string => {
    const decoded = block.textOf(start, stop);
    if (decoded !== undefined) return decoded;
    const raw = latin.slice(start, stop);
    error = invalidUtf8Error(raw);
    return raw;
  };

  for (;;) {
    if (latin.charCodeAt(at) === quote) {
      const close = closingQuote(latin, at);
      if (close < 0) return { cells, end: at, error, openQuoteAt: at };
      const stop = cellEnd(latin, close + 1, mark);
      if (stop === close + 1) {
        const cell = text(at + 1, close);
        cells.push(cell.includes('"') ? cell.replaceAll('""', '"') : cell);
      } else {
        error ??= misplaced;
        cells.push(text(at, stop));
      }
      at = stop;
    } else {
      const stop = cellEnd(latin, at, mark);
      const cell = text(at, stop);
      if (cell.includes('"')) error ??= misplaced;
      cells.push(cell);
      at = stop;
    }
    if (at >= latin.length || latin.charCodeAt(at) !== mark)
      return { cells, end: at, error, openQuoteAt: undefined };
    at += 1;
  }
}

/** Returns the position of the closing quote, skipping doubled quotes, or -1. */
function closingQuote(latin: string, open: number): number {
  let at = latin.indexOf('"', open + 1);
  while (at >= 0 && latin.charCodeAt(at + 1) === quote) at = latin.indexOf('"', at + 2);
  return at;
}

/** Returns the position of the next delimiter or line end. */
function cellEnd(latin: string, from: number, mark: number): number {
  for (let at = from; at < latin.length; at += 1) {
    const code = latin.charCodeAt(at);
    if (code === mark || code === 10 || code === 13) return at;
  }
  return latin.length;
}
