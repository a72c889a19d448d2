// Finds the end of a CSV record over 1 MiB and drops its bytes, so that reading continues after it.
// Reports a quote as unclosed if its cell is longer than 16 MiB, or if the cell is longer than 1 MiB and its closing
// quote is followed by something other than a delimiter or line end.
import { decodeLatin1, openBlock, recordLimit } from './blocks.ts';
import { readQuoted } from './csv-cells.ts';
import type { InputRecord } from './record.ts';

/** Maximum size of a quoted cell in bytes. */
const maxQuotedCell = 16 * recordLimit;
const maxRawLength = 1000;

const quoteCode = 34;
const lineFeedCode = 10;
const carriageReturnCode = 13;

export interface OverlongOptions {
  delimiter: string;
  /** Byte offset and line of the record. */
  start: number;
  line: number;
  /** Creates the error for a quote that is not closed. */
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

export type OverlongReader = ReturnType<typeof createOverlongReader>;

/** Returns the cells that are complete within the first bytes of a record. */
function completeCells(head: string, delimiter: string): string[] {
  const { cells, openQuoteAt } = readQuoted(
    openBlock(Buffer.from(head, 'latin1'), 0),
    0,
    delimiter,
  );
  return openQuoteAt === undefined ? cells.slice(0, -1) : cells;
}
