// Plan for removing a list of subscribers from a topic. A subscriber who is not subscribed counts as absent.

import { fillPath } from '../../api/url.ts';
import { isObject } from '../../core/objects.ts';
import { operations } from '../../service/operations/index.ts';
import type { Outcome, Plan } from '../engine/plan.ts';
import { type IdReader, toIdItem } from './id-list.ts';
import { listAt, nonEmptyText, toMessage } from './responses.ts';

export const createUnsubscriptionPlan = (topicKey: string, idOf: IdReader): Plan => ({
  operation: 'unsubscribeFromTopic',
  successStates: ['unsubscribed', 'absent'],
  isOrdered: false,
  target: () => fillPath(operations.unsubscribeFromTopic.path, { topicKey }),
  frame: { open: '{"subscriberIds":[', close: ']}' },
  toItem: (record) => toIdItem(idOf(record), 'subscriberId'),
  readOutcomes({ value, maybeApplied = false }, items) {
    const reasons = new Map(
      listAt(value, 'errors').map(({ subscriberId, message }) => [
        subscriberId,
        toMessage(message) ?? 'not removed',
      ]),
    );
    const removed = new Set(
      listAt(value, 'data').map(({ subscriber }) =>
        isObject(subscriber) ? nonEmptyText(subscriber.subscriberId) : undefined,
      ),
    );
    return items.map(({ id }): Outcome => {
      if (removed.has(id)) return { state: 'unsubscribed' };
      const reason = reasons.get(id);
      return reason === undefined ? { state: 'unknown' } : toOutcome(reason, maybeApplied);
    });
  },
  // The service rejects the whole request if none of the ids is subscribed. The error lists each id.
  readRejection({ details: { status, fieldErrors } }, items, maybeApplied) {
    const reasons = new Map(fieldErrors?.map(({ field, message }) => [field, message]));
    if (status !== 400 || !items.every(({ id }) => reasons.has(id))) return undefined;
    return items.map(({ id }) => toOutcome(reasons.get(id) ?? '', maybeApplied));
  },
});

/** An unknown subscriber is a failure, unless an earlier attempt may have removed it and it was deleted since. */
const toOutcome = (reason: string, maybeApplied: boolean): Outcome =>
  maybeApplied || reason.startsWith('Subscription for subscriber')
    ? { state: 'absent' }
    : { state: 'failed', reason };
