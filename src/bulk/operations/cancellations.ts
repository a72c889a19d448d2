// Plan for cancelling a list of transactions: one request each. `followUp` handles inconclusive responses.
import { operations } from '../../api/operations/index.ts';
import { fillPath } from '../../api/url.ts';
import type { SvcError } from '../../core/errors.ts';
import type { Item, Plan } from '../engine/plan.ts';
import { type IdReader, toIdItem } from './id-list.ts';

export const createCancellationPlan = (idOf: IdReader, followUp?: Plan['followUp']): Plan => ({
  operation: 'cancelEvent',
  successStates: ['cancelled', 'notPending'],
  isOrdered: false,
  target: ([item]) => cancelPath((item as Item).id),
  toItem: (record) => requireUsablePath(toIdItem(idOf(record), 'transactionId')),
  // `false` is ambiguous if the response to an earlier attempt was lost: that attempt may have cancelled all jobs.
  readOutcomes: ({ value, maybeApplied }) => [
    value === true
      ? { state: 'cancelled' }
      : { state: value === false && !maybeApplied ? 'notPending' : 'unknown', isUndecided: true },
  ],
  ...(followUp ? { followUp } : {}),
});

const cancelPath = (transactionId: string) =>
  fillPath(operations.cancelEvent.path, { transactionId });

/** Makes a row invalid if its id cannot be part of a path, instead of stopping the run. */
function requireUsablePath(item: Item | { error: string }): Item | { error: string } {
  if ('error' in item) return item;
  try {
    cancelPath(item.id);
    return item;
  } catch (error) {
    return { error: (error as SvcError).message };
  }
}
