// The cells of a CSV record as bytes, so that an import can check and copy them without decoding them.

import type { Block } from './blocks.ts';

/** The cells of the records in a block. */
export interface CellBytes {
  block: Block;
  /**
   * Start and end (exclusive) of each cell in the bytes of the block, one cell after the other, without the quotes
   * around a cell. Each quote inside a cell is doubled.
   */
  bounds: Int32Array;
}

const quote = 34;
const isBlankByte = (byte: number) => byte === 32 || (byte >= 9 && byte <= 13);

/** Decodes a cell of a valid record. */
export function cellText({ block, bounds }: CellBytes, cell: number): string {
  const text = block.textOf(bounds[2 * cell] ?? 0, bounds[2 * cell + 1] ?? 0) ?? '';
  return text.includes('"') ? text.replaceAll('""', '"') : text;
}

const other = 0;
const delimiterClass = 1;
const quoteClass = 2;
const lineFeedClass = 3;
const carriageReturnClass = 4;

/** Finds the cells of records in one pass over their bytes. */
export function createCellScanner(delimiter: string) {
  const classes = new Uint8Array(256);
  classes[delimiter.charCodeAt(0)] = delimiterClass;
  classes[quote] = quoteClass;
  classes[10] = lineFeedClass;
  classes[13] = carriageReturnClass;
  let bounds = new Int32Array(1024);
  let size = 0;
  let lineEnds = 0;

  const addCell = (start: number, end: number) => {
    if (size + 2 > bounds.length) {
      const larger = new Int32Array(2 * bounds.length);
      larger.set(bounds);
      bounds = larger;
    }
    bounds[size] = start;
    bounds[size + 1] = end;
    size += 2;
  };
  /** Returns the position of the quote that closes a cell, or the length of the bytes. */
  const closingQuote = (bytes: Uint8Array, from: number): number => {
    const { length } = bytes;
    let at = from;
    while (at < length) {
      const characterClass = classes[bytes[at] as number] as number;
      if (characterClass === quoteClass) {
        if (bytes[at + 1] !== quote) return at;
        at += 1;
      } else if (characterClass === lineFeedClass) lineEnds += 1;
      else if (characterClass === carriageReturnClass && bytes[at + 1] !== 10) lineEnds += 1;
      at += 1;
    }
    return length;
  };

  return {
    /**
     * Adds the cells of the record that starts at `from`. Returns the end of the record, or -1 if a quote in it is
     * misplaced or not closed; then no cells are added.
     */
    scan(bytes: Uint8Array, from: number): number {
      const { length } = bytes;
      const firstSize = size;
      lineEnds = 0;
      let at = from;
      for (;;) {
        const start = at;
        if (at < length && bytes[at] === quote) {
          at = closingQuote(bytes, start + 1);
          addCell(start + 1, at);
          at += 1;
        } else {
          while (at < length && classes[bytes[at] as number] === other) at += 1;
          addCell(start, at);
        }
        if (at < length && classes[bytes[at] as number] === delimiterClass) {
          at += 1;
          continue;
        }
        // After a quote that is not closed, the position is beyond the last byte.
        if (at === length || (classes[bytes[at] as number] as number) >= lineFeedClass) return at;
        size = firstSize;
        return -1;
      }
    },
    /** Whether all cells from number `cell` on are blank. */
    isBlank(bytes: Uint8Array, cell: number): boolean {
      for (let bound = 2 * cell; bound < size; bound += 2)
        for (let at = bounds[bound] as number; at < (bounds[bound + 1] as number); at += 1)
          if (!isBlankByte(bytes[at] as number)) return false;
      return true;
    },
    /** Line ends inside the last record. */
    lineEnds: () => lineEnds,
    count: () => size / 2,
    cut(count: number) {
      size = 2 * count;
    },
    /** Returns the bounds of all cells found, and starts again. */
    take(): Int32Array {
      const taken = bounds.slice(0, size);
      size = 0;
      return taken;
    },
  };
}
