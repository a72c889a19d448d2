// Finds the bad rows of a rejected batch: rows that the error names fail; a part that is too large, or rejected without
// naming a row, is halved and sent again, until the bad rows are isolated or too many requests were rejected.
import type { SvcError } from '../../core/errors.ts';
import type { Row } from './batches.ts';
import type { Outcome } from './plan.ts';

/** After this many rejected parts without a success, the cause is not a single row. */
const maxRejectedWithoutSuccess = 16;
/** Max rejected parts of one batch per level of halving: enough to find about eight bad rows. */
const maxRejectedPerLevel = 16;

interface Part {
  rows: readonly Row[];
  /** The error for the larger part that this one was split from. */
  reason?: string;
}

/** With `isOrdered`, rows with the same id are sent in input order. */
export function createBatchSplitter(allRows: readonly Row[], isOrdered: boolean) {
  const maxRejected = maxRejectedPerLevel * Math.ceil(Math.log2(allRows.length));
  let queue: Part[] = [{ rows: allRows }];
  let rejectedCount = 0;
  let hasSuccess = false;
  const mustKeepOrder = memoize(
    () => isOrdered && new Set(allRows.map(({ id }) => id)).size < allRows.length,
  );

  const halve = (rows: readonly Row[], reason?: string) => {
    const half = Math.ceil(rows.length / 2);
    const halves = [rows.slice(0, half), rows.slice(half)].map((part) => ({
      rows: part,
      ...(reason === undefined ? {} : { reason }),
    }));
    // Breadth first for large parts, to see whether most rows are good; depth first for small ones.
    const isBreadthFirst =
      reason !== undefined && rows.length * 2 >= allRows.length && !mustKeepOrder();
    queue = isBreadthFirst ? [...queue, ...halves] : [...halves, ...queue];
  };
  /** Fails the rows of this part and of all other parts that were split from a rejected one. */
  const giveUp = (part: Part): [Row, Outcome][] => {
    const rejectedParts = queue.filter(({ reason }) => reason !== undefined);
    queue = queue.filter(({ reason }) => reason === undefined);
    return [part, ...rejectedParts].flatMap(({ rows, reason = '' }) => failRows(rows, reason));
  };
  const rejectUnnamed = (rows: readonly Row[], reason: string): [Row, Outcome][] => {
    rejectedCount += 1;
    if (rejectedCount >= (hasSuccess ? maxRejected : maxRejectedWithoutSuccess))
      return giveUp({ rows, reason });
    if (rows.length === 1) return failRows(rows, reason);
    halve(rows, reason);
    return [];
  };

  return {
    /** The rows of the next request; undefined when all rows are finished. */
    next: () => queue.shift()?.rows,
    recordSuccess() {
      hasSuccess = true;
    },
    /** Returns the outcomes that follow from an error response; the other rows stay queued for another request. */
    recordRejection(rows: readonly Row[], error: SvcError): [Row, Outcome][] {
      const { status } = error.details;
      if (status === 413) {
        if (rows.length === 1) return rows.map((row) => [row, tooLarge]);
        halve(rows);
        return [];
      }
      const named = readNamedItems(error, rows.length);
      if (named.size > 0) {
        const rest = rows.filter((_row, index) => !named.has(index));
        if (rest.length > 0) queue = [{ rows: rest }, ...queue];
        return rows.flatMap((row, index) => failRows([row], named.get(index)));
      }
      if (status === 400 || status === 422) return rejectUnnamed(rows, firstReason(error));
      return failRows(rows, firstReason(error));
    },
  };
}

const tooLarge: Outcome = { state: 'invalid', reason: 'exceeds the maximum request size' };

const failRows = (rows: readonly Row[], reason: string | undefined): [Row, Outcome][] =>
  reason === undefined ? [] : rows.map((row) => [row, { state: 'failed', reason }]);

/** Items that a validation error names, as `subscribers.<index>.<field>`, in the field path or in the message. */
function readNamedItems(error: SvcError, count: number): Map<number, string> {
  const messages = new Map<number, string>();
  for (const { field, message } of error.details.fieldErrors ?? []) {
    const text = field === '' || field === 'general' ? message : `${field} ${message}`;
    const match = /^[a-zA-Z]+\.(\d+)\.?(.*)$/s.exec(text);
    const index = Number(match?.[1]);
    // Ignore a missing index (NaN) and the index of an item that was not sent.
    if (!(index < count)) continue;
    messages.set(index, [messages.get(index), match?.[2]?.trim()].filter(Boolean).join('; '));
  }
  return messages;
}

const firstReason = (error: SvcError) => error.details.fieldErrors?.[0]?.message ?? error.message;

function memoize<T>(compute: () => T): () => T {
  let computed: { value: T } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}
