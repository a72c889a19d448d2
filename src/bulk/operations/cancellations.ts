// Cancelling a list of transactions: one request each, and more for those that the service did not know yet.
import { operations } from '../../api/operations/index.ts';
import { fillPath } from '../../api/url.ts';
import type { SvcError } from '../../core/errors.ts';
import type { Item, Plan } from '../engine/plan.ts';
import { type IdReader, idItem } from './id-list.ts';

export const cancellationPlan = (idOf: IdReader, follow?: Plan['follow']): Plan => ({
  operation: 'cancelEvent',
  words: ['cancelled', 'notPending'],
  ordered: false,
  target: ([item]) => pathOf((item as Item).id),
  itemOf: (record) => carried(idItem(idOf(record), 'transactionId')),
  // After an attempt whose response was lost, `false` may mean that this attempt canceled everything.
  settle: ({ value, maybeApplied }) => [
    value === true
      ? { state: 'cancelled' }
      : { state: value === false && !maybeApplied ? 'notPending' : 'unknown', open: true },
  ],
  ...(follow ? { follow } : {}),
});

const pathOf = (transactionId: string) => fillPath(operations.cancelEvent.path, { transactionId });

/** An id that no path can carry is a row that is not valid, and no reason to stop at the others. */
function carried(item: Item | { error: string }): Item | { error: string } {
  if ('error' in item) return item;
  try {
    pathOf(item.id);
    return item;
  } catch (error) {
    return { error: (error as SvcError).message };
  }
}
