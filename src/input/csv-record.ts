// A record of a CSV file. It keeps its text, so that the cells can be released to save memory and read again later.
import { type Block, openBlock } from './blocks.ts';
import type { CellBytes } from './cell-bytes.ts';
import { type CellsResult, readPlain, readQuoted } from './csv-cells.ts';
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
