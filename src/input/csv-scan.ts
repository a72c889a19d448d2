// The records in a block of CSV (RFC 4180). A line without quotes is split; any other is read cell by cell.
// An invalid record is returned with its error and its text.

import { counted } from '../core/counts.ts';
import { type Block, createLineEndFinder, decodeLatin1, indexOrEnd } from './blocks.ts';
import { readPlain, readQuoted } from './csv-cells.ts';
import { createOverlongReader } from './csv-overlong.ts';
import type { createCsvRecords } from './csv-record.ts';
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
}

/** Reads from the cursor up to `maxRecords` records, the end of the block, or a record with an unclosed quote. */
export function scanRecords(
  block: Block,
  cursor: Cursor,
  { delimiter, skip, limit, unclosedError, createRecord }: ScanOptions,
  maxRecords: number,
): InputRecord[] {
  const { latin, offset } = block;
  const ends = createLineEndFinder(latin);
  const records: InputRecord[] = [];
  let quote = -1;
  while (cursor.at < latin.length && records.length < maxRecords) {
    const from = cursor.at;
    const line = cursor.line + 1;
    const lineStop = ends.stop(from);
    if (quote < from) quote = indexOrEnd(latin, '"', from);
    const {
      cells,
      end,
      error: quoteError,
      openQuoteAt,
    } = quote < lineStop
      ? readQuoted(block, from, delimiter)
      : readPlain(block, from, lineStop, delimiter);
    if (openQuoteAt !== undefined) {
      cursor.openQuoteLine = line + countLineEnds(latin, from, openQuoteAt);
      break;
    }
    if (end > lineStop) cursor.line += countLineEnds(latin, lineStop, end);
    cursor.line += 1;
    cursor.at = ends.after(end);
    if (end === from) continue;
    const row = cursor.row;
    cursor.row += 1;
    if (row > 0 && row <= skip) continue;
    const start = offset + from;
    if (end - from > limit) {
      const overlong = createOverlongReader({ delimiter, start, line, unclosedError });
      overlong.add(block.bytes.subarray(from, end));
      records.push(overlong.record(row));
      continue;
    }
    const error = quoteError ?? cellCountError(cells.length, cursor.width);
    const text = latin.slice(from, end);
    const place = { row, line, start, end: offset + end };
    records.push(
      error === undefined
        ? createRecord(place, text, cells)
        : { ...place, cells: () => cells, raw: decodeLatin1(text), error },
    );
  }
  return records;
}

const cellCountError = (count: number, width = count) =>
  count === width ? undefined : `has ${counted(count, 'cell')}, the header has ${width}`;

function countLineEnds(text: string, from: number, to: number): number {
  const ends = createLineEndFinder(text);
  let count = 0;
  for (let stop = ends.stop(from); stop < to; stop = ends.stop(ends.after(stop))) count += 1;
  return count;
}
