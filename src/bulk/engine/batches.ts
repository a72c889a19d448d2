// Groups rows into batches. A batch is a range of consecutive rows: the valid ones fit into one request, by count and
// by bytes; the invalid ones between them are rejected without being sent.
import type { InputRecord } from '../../input/records.ts';
import type { Item, Plan } from './plan.ts';

export interface Row extends Item {
  /** Number of the row in the input, from 1. */
  number: number;
  /** The input record, written to the rejects file if the row fails. */
  record: InputRecord;
  bytes: number;
  /** Hash of the id. */
  hash: number;
  /** An earlier row has the same id. */
  isDuplicate: boolean;
}

/** A row that is not sent, and the reason. */
export interface InvalidRow {
  number: number;
  record: InputRecord;
  reason: string;
}

export interface Batch {
  /** Numbers of the first and the last row. All rows between them are in the batch. */
  first: number;
  last: number;
  /** Byte range in the input; `end` is exclusive. */
  start: number;
  end: number;
  rows: Row[];
  invalidRows: InvalidRow[];
}

export interface BatchLimits {
  count: number;
  bytes: number;
}

const commaBytes = 1;
/** A batch is also full at this many invalid rows, so that a file of invalid rows is journaled while it is read. */
const maxInvalidRows = 500;

/** Bytes of the request body without its items. */
const frameBytes = ({ frame }: Plan) =>
  frame === undefined ? 0 : Buffer.byteLength(frame.open) + Buffer.byteLength(frame.close);

/** Collects rows in input order. Returns a batch when the next row would exceed a limit. */
export function createBatchCollector(plan: Plan, limits: BatchLimits) {
  const frame = frameBytes(plan);
  let batch: Batch | undefined;
  let bytes = frame;

  const takeBatch = (): Batch | undefined => {
    const full = batch;
    batch = undefined;
    bytes = frame;
    return full;
  };
  const extendBatch = (number: number, { start, end }: InputRecord): Batch => {
    batch ??= { first: number, last: number, start, end, rows: [], invalidRows: [] };
    batch.last = number;
    batch.end = end;
    return batch;
  };
  /** A batch is one range of rows, so rows that an earlier process finished end it. */
  const takeBeforeGap = (number: number) =>
    batch !== undefined && number !== batch.last + 1 ? takeBatch() : undefined;

  return {
    /** Whether the row fits into a request at all. */
    fits: (row: Row) => frame + row.bytes <= limits.bytes,
    add(row: Row): Batch | undefined {
      const next = row.bytes + commaBytes;
      const isFull =
        batch !== undefined &&
        (batch.rows.length === limits.count ||
          (batch.rows.length > 0 && bytes + next > limits.bytes));
      const full = isFull ? takeBatch() : takeBeforeGap(row.number);
      extendBatch(row.number, row.record).rows.push(row);
      bytes += next;
      return full;
    },
    addInvalid(row: InvalidRow): Batch | undefined {
      const full =
        batch !== undefined && batch.invalidRows.length >= maxInvalidRows
          ? takeBatch()
          : takeBeforeGap(row.number);
      extendBatch(row.number, row.record).invalidRows.push(row);
      return full;
    },
    /** Skips a row of another shard, which does not end the batch. */
    pass({ row, end }: InputRecord): void {
      if (batch === undefined || row !== batch.last + 1) return;
      batch.last = row;
      batch.end = end;
    },
    takeRest: takeBatch,
  };
}

/** The request body; undefined for requests without one. */
export const requestBody = ({ frame }: Plan, rows: readonly Row[]): Buffer | undefined =>
  frame && Buffer.from(`${frame.open}${rows.map(({ json }) => json).join(',')}${frame.close}`);
