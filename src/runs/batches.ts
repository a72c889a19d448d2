// Items → request bodies, each within the operation's count and byte limits.
import type { InputRecord } from '../input/records.ts';
import type { Item } from './plan.ts';

export interface Row extends Item {
  /** Number of the row in the input, from 1. */
  number: number;
  /** Where it stands, for rejects. */
  record: InputRecord;
  bytes: number;
}

export interface BatchLimits {
  count: number;
  bytes: number;
}

/** Bytes of `{"<member>":[` and `]}`. */
const frame = (member: string) => member.length + 7;

/** Bytes that one row takes in a body of its own. */
export const bytesAlone = (row: { bytes: number }, member: string) => row.bytes + frame(member);

/** Collects rows; hands a full batch out when the next row would go over a limit. */
export function createBatcher(member: string, limits: BatchLimits) {
  let rows: Row[] = [];
  let bytes = frame(member);
  const take = () => {
    const full = rows;
    rows = [];
    bytes = frame(member);
    return full;
  };
  return {
    add(row: Row): Row[] | undefined {
      const next = row.bytes + 1;
      const full = rows.length === limits.count || bytes + next > limits.bytes ? take() : undefined;
      rows.push(row);
      bytes += next;
      return full && full.length > 0 ? full : undefined;
    },
    rest: take,
  };
}

export const bodyOf = (member: string, rows: readonly Row[]) =>
  Buffer.from(`{"${member}":[${rows.map(({ json }) => json).join(',')}]}`);
