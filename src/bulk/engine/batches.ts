// Rows → batches: consecutive rows of the input, those that are sent within the operation's limits by count
// and by bytes, and between them those that are not valid.
import type { InputRecord } from '../../input/records.ts';
import type { Item, Plan } from './plan.ts';

export interface Row extends Item {
  /** Number of the row in the input, from 1. */
  number: number;
  /** Where it stands, for rejects. */
  record: InputRecord;
  bytes: number;
  /** Of the id. */
  hash: number;
  /** An earlier row has the same id. */
  isAgain: boolean;
}

/** A row that is not sent, and why. */
export interface Refused {
  number: number;
  record: InputRecord;
  why: string;
}

export interface Batch {
  /** Numbers of its first and last row; all rows between belong to it. */
  first: number;
  last: number;
  /** Where they stand in the input: the first byte, and the one behind the last. */
  start: number;
  end: number;
  rows: Row[];
  refused: Refused[];
}

export interface BatchLimits {
  count: number;
  bytes: number;
}

const commaBytes = 1;
/** So many rows that are not sent make a batch too, so that a file of them is journaled as it is read. */
const mostRefused = 500;

/** Bytes of a body around its items. */
const frameBytes = ({ frame }: Plan) =>
  frame === undefined ? 0 : Buffer.byteLength(frame.open) + Buffer.byteLength(frame.close);

/** Collects rows in their order; hands a batch out when the next row would go over a limit. */
export function createCollector(plan: Plan, limits: BatchLimits) {
  const frame = frameBytes(plan);
  let batch: Batch | undefined;
  let bytes = frame;

  const take = (): Batch | undefined => {
    const full = batch;
    batch = undefined;
    bytes = frame;
    return full;
  };
  const at = (number: number, { start, end }: InputRecord): Batch => {
    batch ??= { first: number, last: number, start, end, rows: [], refused: [] };
    batch.last = number;
    batch.end = end;
    return batch;
  };
  /** Rows that were settled before make a gap, and a batch has none. */
  const beyondGap = (number: number) =>
    batch !== undefined && number !== batch.last + 1 ? take() : undefined;

  return {
    /** Whether a row would fit into a request of its own. */
    fits: (row: Row) => frame + row.bytes <= limits.bytes,
    add(row: Row): Batch | undefined {
      const next = row.bytes + commaBytes;
      const isFull =
        batch !== undefined &&
        (batch.rows.length === limits.count ||
          (batch.rows.length > 0 && bytes + next > limits.bytes));
      const full = isFull ? take() : beyondGap(row.number);
      at(row.number, row.record).rows.push(row);
      bytes += next;
      return full;
    },
    refuse(refused: Refused): Batch | undefined {
      const full =
        batch !== undefined && batch.refused.length >= mostRefused
          ? take()
          : beyondGap(refused.number);
      at(refused.number, refused.record).refused.push(refused);
      return full;
    },
    rest: take,
  };
}

/** The bytes of a request's body; undefined for requests without one. */
export const bodyOf = ({ frame }: Plan, rows: readonly Row[]): Buffer | undefined =>
  frame && Buffer.from(`${frame.open}${rows.map(({ json }) => json).join(',')}${frame.close}`);
