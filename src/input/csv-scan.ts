// The records in a block of CSV (RFC 4180). A line without a quote is split; any other is read cell by cell.
// A record that breaks the rules is handed on with the reason and the text as it stood.

import { counted } from '../core/counts.ts';
import { type Block, find, lineEnds, readable } from './blocks.ts';
import { readPlain, readQuoted } from './csv-cells.ts';
import { createOverlong } from './csv-overlong.ts';
import type { InputRecord } from './records.ts';

/** How far the input has been read; moved on by `scanRecords`. */
export interface Cursor {
  /** Position in the block. */
  at: number;
  /** Lines that have ended. */
  line: number;
  /** Number of the next record. The header is 0. */
  row: number;
  /** Cells of the header, once it is known. */
  width: number | undefined;
  /** The line of a quote that the block does not close. */
  openLine: number | undefined;
}

export interface ScanOptions {
  delimiter: string;
  /** Records that are counted alone, behind the header. */
  skip: number;
  /** Longest record, in bytes. */
  limit: number;
  /** What is thrown for a quote that does not close, by its line. */
  unclosed: (line: number) => Error;
}

/** Reads on from the cursor; stops after `most` records, at the end of the block or before an open quote. */
export function scanRecords(
  block: Block,
  cursor: Cursor,
  { delimiter, skip, limit, unclosed }: ScanOptions,
  most: number,
): InputRecord[] {
  const { latin, offset } = block;
  const ends = lineEnds(latin);
  const records: InputRecord[] = [];
  let quote = -1;
  while (cursor.at < latin.length && records.length < most) {
    const from = cursor.at;
    const line = cursor.line + 1;
    const lineStop = ends.stop(from);
    if (quote < from) quote = find(latin, '"', from);
    const { cells, end, fault, open } =
      quote < lineStop
        ? readQuoted(block, from, delimiter)
        : readPlain(block, from, lineStop, delimiter);
    if (open !== undefined) {
      cursor.openLine = line + countLineEnds(latin, from, open);
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
      const overlong = createOverlong({ delimiter, start, line, unclosed });
      overlong.take(block.bytes.subarray(from, end));
      records.push(overlong.record(row));
      continue;
    }
    const error = fault ?? raggedness(cells.length, cursor.width);
    const text = latin.slice(from, end);
    const record: InputRecord =
      error === undefined
        ? { row, line, start, end: offset + end, cells, latin: text }
        : { row, line, start, end: offset + end, cells, raw: readable(text), error };
    records.push(record);
  }
  return records;
}

const raggedness = (count: number, width = count) =>
  count === width ? undefined : `has ${counted(count, 'cell')}, the header has ${width}`;

function countLineEnds(text: string, from: number, to: number): number {
  const ends = lineEnds(text);
  let count = 0;
  for (let stop = ends.stop(from); stop < to; stop = ends.stop(ends.after(stop))) count += 1;
  return count;
}
