// The records in a block of CSV (RFC 4180). Valid records are scanned as bytes; only the others are read cell by cell,
// to report what is wrong with them. An invalid record is returned with its error and its text.
import { counted } from '../core/text.ts';
import {
  type Block,
  createBlockReader,
  createLineEndFinder,
  decodeLatin1,
  openBlock,
  recordLimit,
  recordsPerChunk,
  splitAtFirstLine,
} from './blocks.ts';
import type { ByteSource } from './bytes.ts';
import type { CellBytes, createCellScanner } from './cell-bytes.ts';
import { type createCsvRecords, readCells, readQuoted } from './csv-record.ts';
import type { InputRecord } from './record.ts';

/** The read position; `scanRecords` updates it. */
export interface Cursor {
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

interface ScanOptions {
  delimiter: string;
  /** Number of records to skip after the header. */
  skip: number;
  /** Maximum size of a record in bytes. */
  limit: number;
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

// Reads chunks of records from the bytes of CSV. An incomplete record is kept until its end is read. A record over
// 1 MiB is not kept: its bytes are dropped up to its end.

/** The first chunk contains only the header. */
export async function* csvChunks(
  { stream, offset }: ByteSource,
  cursor: Cursor,
  options: ScanOptions,
): AsyncGenerator<InputRecord[]> {
  const blocks = createBlockReader(offset);
  let overlong: OverlongReader | undefined;

  /** Yields the records up to the end of the block, or up to a quote that is not closed in it. */
  function* recordsIn(block: Block): Generator<InputRecord[]> {
    cursor.at = 0;
    cursor.openQuoteLine = undefined;
    while (cursor.at < block.latin.length && cursor.openQuoteLine === undefined) {
      const records = scanRecords(block, cursor, options, cursor.row === 0 ? 1 : recordsPerChunk);
      if (records.length > 0) yield records;
    }
  }

  /**
   * Reads the kept bytes when they exceed the maximum record size. Returns the bytes after the record, or undefined if
   * it has not ended.
   */
  function* readOversized(): Generator<InputRecord[], Buffer | undefined> {
    const { bytes, offset: start } = blocks.rest();
    const reader = createOverlongReader({ ...options, start, line: cursor.line + 1 });
    const rest = reader.add(bytes);
    if (rest === undefined) {
      overlong = reader;
      return undefined;
    }
    yield* recordsIn(openBlock(bytes.subarray(0, bytes.length - rest.length), start));
    blocks.moveTo(reader.nextOffset());
    return rest;
  }

  for await (const chunk of splitAtFirstLine(stream)) {
    let bytes: Buffer | undefined = chunk;
    if (overlong) {
      bytes = overlong.add(chunk);
      if (bytes === undefined) continue;
      blocks.moveTo(overlong.nextOffset());
      yield finishOverlong(overlong, cursor, options);
      overlong = undefined;
    }
    while (bytes !== undefined) {
      const block = blocks.add(bytes);
      if (block) {
        yield* recordsIn(block);
        if (cursor.at < block.latin.length) blocks.putBack(block, cursor.at);
      }
      bytes = blocks.overflows() ? yield* readOversized() : undefined;
    }
  }
  if (overlong) {
    overlong.end();
    yield finishOverlong(overlong, cursor, options);
    return;
  }
  yield* recordsIn(blocks.rest());
  if (cursor.openQuoteLine !== undefined) throw options.unclosedError(cursor.openQuoteLine);
}

/** Moves the cursor past the record whose bytes were dropped. Returns the record, unless it is skipped. */
function finishOverlong(
  overlong: OverlongReader,
  cursor: Cursor,
  { skip }: ScanOptions,
): InputRecord[] {
  const { row } = cursor;
  cursor.row += 1;
  cursor.line += overlong.lineEnds() + 1;
  return row > 0 && row <= skip ? [] : [overlong.record(row)];
}

// Finds the end of a CSV record over 1 MiB and drops its bytes, so that reading continues after it.
// Reports a quote as unclosed if its cell is longer than 16 MiB, or if the cell is longer than 1 MiB and its closing
// quote is followed by something other than a delimiter or line end.

/** Maximum size of a quoted cell in bytes. */
const maxQuotedCell = 16 * recordLimit;
const maxRawLength = 1000;

const quoteCode = 34;
const lineFeedCode = 10;
const carriageReturnCode = 13;

interface OverlongOptions {
  delimiter: string;
  /** Byte offset and line of the record. */
  start: number;
  line: number;
  unclosedError: (line: number) => Error;
}

/**
 * `cell`: at the start of a cell. `closed`: after a quote in a quoted cell, which closes the cell unless another quote
 * follows. `return`: after a CR that ends the record.
 */
type State = 'cell' | 'unquoted' | 'quoted' | 'closed' | 'return' | 'ended';

export function createOverlongReader({ delimiter, start, line, unclosedError }: OverlongOptions) {
  const delimiterByte = delimiter.charCodeAt(0);
  let state: State = 'cell';
  let recordSize = 0;
  let consumed = 0;
  let lineEnds = 0;
  let openQuote = { line, at: 0 };
  let previousByte = 0;
  let head = '';

  const stateAfterUnquoted = (byte: number): State => {
    if (byte === delimiterByte) return 'cell';
    if (byte === lineFeedCode) return 'ended';
    return byte === carriageReturnCode ? 'return' : 'unquoted';
  };
  const stateAfterQuoted = (byte: number): State => {
    if (recordSize - openQuote.at > maxQuotedCell) throw unclosedError(openQuote.line);
    if (
      byte === carriageReturnCode ||
      (byte === lineFeedCode && previousByte !== carriageReturnCode)
    )
      lineEnds += 1;
    return byte === quoteCode ? 'closed' : 'quoted';
  };
  const stateAfterClosed = (byte: number): State => {
    if (byte === quoteCode) return 'quoted';
    const nextState = stateAfterUnquoted(byte);
    if (nextState === 'unquoted' && recordSize - openQuote.at > recordLimit)
      throw unclosedError(openQuote.line);
    return nextState;
  };
  const stateAfter = (byte: number): State => {
    if (state === 'quoted') return stateAfterQuoted(byte);
    if (state === 'closed') return stateAfterClosed(byte);
    if (state !== 'cell' || byte !== quoteCode) return stateAfterUnquoted(byte);
    openQuote = { line: line + lineEnds, at: recordSize };
    return 'quoted';
  };
  const consume = (bytes: Buffer): Buffer | undefined => {
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      // A CR ended the record. Skip the LF after it, if there is one.
      if (state === 'return') return bytes.subarray(byte === lineFeedCode ? at + 1 : at);
      state = stateAfter(byte);
      previousByte = byte;
      if (state === 'ended') return bytes.subarray(at + 1);
      if (state !== 'return') recordSize += 1;
    }
    return undefined;
  };

  return {
    /** Reads bytes. Returns the bytes after the record, or undefined if the record has not ended. */
    add(bytes: Buffer): Buffer | undefined {
      if (head.length < maxRawLength)
        head += bytes.toString('latin1', 0, maxRawLength - head.length);
      const rest = consume(bytes);
      consumed += bytes.length - (rest?.length ?? 0);
      return rest;
    },
    /** Checks at the end of the input that no quote is open. */
    end() {
      if (state === 'quoted') throw unclosedError(openQuote.line);
    },
    /** Byte offset after the record and its line end. */
    nextOffset: () => start + consumed,
    /** Number of line ends inside the record. */
    lineEnds: () => lineEnds,
    record: (row: number): InputRecord => ({
      row,
      line,
      start,
      end: start + recordSize,
      cells: () => completeCells(head, delimiter),
      raw: decodeLatin1(head),
      error: 'is longer than 1 MiB',
    }),
  };
}

type OverlongReader = ReturnType<typeof createOverlongReader>;

/** Returns the cells that are complete within the first bytes of a record. */
function completeCells(head: string, delimiter: string): string[] {
  const { cells, openQuoteAt } = readQuoted(
    openBlock(Buffer.from(head, 'latin1'), 0),
    0,
    delimiter,
  );
  return openQuoteAt === undefined ? cells.slice(0, -1) : cells;
}
