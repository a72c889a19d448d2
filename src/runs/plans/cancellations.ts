// Cancelling a list of transactions: one request each.
import { operations } from '../../api/operations/index.ts';
import { fillPath } from '../../api/url.ts';
import type { Item, Plan } from '../plan.ts';
import { type IdReader, idItem } from './id-list.ts';

export const cancellationPlan = (idOf: IdReader): Plan => ({
  operation: 'cancelEvent',
  words: ['cancelled', 'notWaiting'],
  ordered: false,
  target: ([item]) => fillPath(operations.cancelEvent.path, { transactionId: (item as Item).id }),
  itemOf: (record) => idItem(idOf(record), 'transactionId'),
  // A first attempt whose answer was lost may have cancelled; its repetition then finds nothing.
  settle: ({ value, uncertain }) => [
    { state: value === true ? 'cancelled' : uncertain ? 'unknown' : 'notWaiting' },
  ],
});
