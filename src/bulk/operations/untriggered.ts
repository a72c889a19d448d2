// Finds events of a run that were sent but not triggered. The journal contains only their number per batch.
import type { UndecidedRow } from '../engine/plan.ts';

/** A batch, by positions in the list of transactions (from 1), and the number of its events that were not triggered. */
export interface RejectedBatch {
  first: number;
  last: number;
  count: number;
}

/**
 * Returns the rows without jobs that were never triggered. If a batch has at most as many missing transactions as
 * rejected events, the missing ones are the rejected ones.
 */
export function findNeverTriggered<D extends { row: UndecidedRow }>(
  absent: readonly D[],
  rejected: readonly RejectedBatch[],
): Set<D> {
  const never = new Set<D>();
  for (const { first, last, count } of rejected) {
    const missing = absent.filter(({ row: { number } }) => number >= first && number <= last);
    if (missing.length <= count) for (const row of missing) never.add(row);
  }
  return never;
}
