// Plan for cancelling a list of transactions: one request each. `followUp` handles inconclusive responses.

import { fillPath } from '../../api/url.ts';
import { operations } from '../../service/operations/index.ts';
import type { Item, Plan } from '../engine/plan.ts';
import { type IdReader, toPathItem } from './id-list.ts';

export const createCancellationPlan = (idOf: IdReader, followUp?: Plan['followUp']): Plan => ({
  operation: 'cancelEvent',
  successStates: ['cancelled', 'notPending'],
  isOrdered: false,
  target: ([item]) => cancelPath((item as Item).id),
  toItem: (record) => toPathItem(idOf(record), 'transactionId', cancelPath),
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
