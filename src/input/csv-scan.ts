// The records in a block of CSV (RFC 4180). Valid records are scanned as bytes; only the others are read cell by cell,
// to report what is wrong with them. An invalid record is returned with its error and its text.

import { counted } from '../core/text.ts';
import { type Block, createLineEndFinder, decodeLatin1 } from './blocks.ts';
import type { CellBytes, createCellScanner } from './cell-bytes.ts';
import { createOverlongReader } from './csv-overlong.ts';
import { type createCsvRecords, readCells } from './csv-record.ts';
import type { InputRecord } from './record.ts';

/** The read position; `scanRecords` updates it. */
export interface Cursor {
  /** Position in the block. */
  at: number;
  /** Number of complete lines. */
  line: number;
  /** Number of the next record. The header is 0. */
  row: number;
  /** Number of cells in the header, once it is read. */
  width: number | undefined;
  /** Line of a quote that is not closed in the block. */
  openQuoteLine: number | undefined;
}

export interface ScanOptions {
  delimiter: string;
  /** Number of records to skip after the header. */
  skip: number;
  /** Maximum size of a record in bytes. */
  limit: number;
  /** Returns the error for a quote that is not closed. */
  unclosedError: (line: number) => Error;
  createRecord: ReturnType<typeof createCsvRecords>;
  scanner: ReturnType<typeof createCellScanner>;
}

/** Reads from the cursor up to `maxRecords` records, the end of the block, or a record with an unclosed quote. */
export function scanRecords(
  block: Block,
  cursor: Cursor,
  { delimiter, skip, limit, unclosedError, createRecord, scanner }: ScanOptions,
  maxRecords: number,
): InputRecord[] {
  const { bytes, latin, offset } = block;
  const ends = createLineEndFinder(latin);
  const records: InputRecord[] = [];
  const scanned: CellBytes = { block, bounds: noBounds };
  while (cursor.at < latin.length && records.length < maxRecords) {
    const from = cursor.at;
    const line = cursor.line + 1;
    const firstCell = scanner.count();
    let end = scanner.scan(bytes, from);
    let invalid: ReturnType<typeof readCells> | undefined;
    if (end < 0 || !block.isValid(from, end)) {
      invalid = readCells(block, from, ends.stop(from), delimiter);
      if (invalid.openQuoteAt !== undefined) {
        cursor.openQuoteLine = line + countLineEnds(latin, from, invalid.openQuoteAt);
        break;
      }
      end = invalid.end;
      cursor.line += countLineEnds(latin, from, end);
    } else cursor.line += scanner.lineEnds();
    cursor.line += 1;
    cursor.at = ends.after(end);
    const row = cursor.row;
    const isBlank = invalid === undefined && scanner.isBlank(bytes, firstCell);
    if (end === from || (isBlank && row === 0)) {
      scanner.cut(firstCell);
      continue;
    }
    cursor.row += 1;
    if (row > 0 && row <= skip) {
      scanner.cut(firstCell);
      continue;
    }
    const start = offset + from;
    if (end - from > limit) {
      const overlong = createOverlongReader({ delimiter, start, line, unclosedError });
      overlong.add(block.bytes.subarray(from, end));
      records.push(overlong.record(row));
      continue;
    }
    const place = { row, line, start, end: offset + end };
    if (isBlank) {
      const { cells } = readCells(block, from, end, delimiter);
      scanner.cut(firstCell);
      records.push({ ...place, cells: () => cells, isBlank });
      continue;
    }
    const error =
      invalid?.error ??
      cellCountError(invalid?.cells.length ?? scanner.count() - firstCell, cursor.width);
    if (error === undefined) {
      records.push(createRecord(place, scanned, firstCell));
      continue;
    }
    const { cells } = invalid ?? readCells(block, from, end, delimiter);
    const raw = decodeLatin1(latin.slice(from, end));
    records.push({ ...place, cells: () => cells, raw, error });
  }
  scanned.bounds = scanner.take();
  return records;
}

const noBounds = new Int32Array(0);

const cellCountError = (count: number, width = count) =>
  count === width ? undefined : `has ${counted(count, 'cell')}, the header has ${width}`;

function countLineEnds(text: string, from: number, to: number): number {
  const ends = createLineEndFinder(text);
  let count = 0;
  for (let stop = ends.stop(from); stop < to; stop = ends.stop(ends.after(stop))) count += 1;
  return count;
}
