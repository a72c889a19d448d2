// Plan for deleting a list of subscribers: one request each. A subscriber that does not exist counts as absent.

import { fillPath } from '../../api/url.ts';
import { isMissing, refuseForeignNotFound } from '../../core/errors.ts';
import { operations } from '../../service/operations/index.ts';
import type { Item, Outcome, Plan } from '../engine/plan.ts';
import { type IdReader, toPathItem } from './id-list.ts';

const absent: Outcome = { state: 'absent' };

export const createDeletionPlan = (idOf: IdReader): Plan => ({
  operation: 'deleteSubscriber',
  successStates: ['deleted', 'absent'],
  isOrdered: false,
  target: ([item]) => deletionPath((item as Item).id),
  toItem: (record) => toPathItem(idOf(record), 'subscriberId', deletionPath),
  // The client returns 404 as a response if an earlier attempt may have deleted the subscriber.
  readOutcomes: ({ status }) => [status === 404 ? absent : { state: 'deleted' }],
  readRejection(error) {
    if (!isMissing(error)) return undefined;
    if (error.details.isForeignNotFound) throw refuseForeignNotFound(error);
    return [absent];
  },
});

const deletionPath = (subscriberId: string) =>
  fillPath(operations.deleteSubscriber.path, { subscriberId });
