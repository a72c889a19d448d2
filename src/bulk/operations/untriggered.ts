// Events that a run has sent and that were not triggered: the journal knows how many of a batch, not which ones.
import type { OpenRow } from '../engine/plan.ts';

/** A batch by positions in the list of its run's transactions, from 1, and how many events were not triggered. */
export interface RejectedBatch {
  first: number;
  last: number;
  count: number;
}

/**
 * Which of the rows without jobs were never triggered. When no more transactions of a batch are missing than it has
 * rejected events, all others have been seen, and the missing ones are the rejected ones.
 */
export function neverTriggered<D extends { row: OpenRow }>(
  absent: readonly D[],
  rejected: readonly RejectedBatch[],
): Set<D> {
  const never = new Set<D>();
  for (const { first, last, count } of rejected) {
    const missing = absent.filter(({ row: { number } }) => number >= first && number <= last);
    if (missing.length <= count) for (const one of missing) never.add(one);
  }
  return never;
}
