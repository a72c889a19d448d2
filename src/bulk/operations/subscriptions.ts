// Subscribing a list of subscribers to a topic.
import { operations } from '../../api/operations/index.ts';
import { fillPath } from '../../api/url.ts';
import type { Outcome, Plan } from '../engine/plan.ts';
import { type IdReader, idItem } from './id-list.ts';
import { isObject, listAt, messageOf, textOf } from './responses.ts';

export const subscriptionPlan = (topicKey: string, idOf: IdReader): Plan => ({
  operation: 'subscribeToTopic',
  words: ['subscribed'],
  ordered: false,
  target: () => fillPath(operations.subscribeToTopic.path, { topicKey }),
  frame: { open: '{"subscriberIds":[', close: ']}' },
  itemOf: (record) => idItem(idOf(record), 'subscriberId'),
  settle: ({ value }, items) => settleSubscriptions(value, items),
  // The service refuses the whole request when it knows none of the ids, and names each of them.
  refused(error, items) {
    const named = new Map(error.details.fieldErrors?.map(({ field, message }) => [field, message]));
    if (error.details.status !== 400 || !items.every(({ id }) => named.has(id))) return undefined;
    return items.map(({ id }) => ({ state: 'failed', why: named.get(id) ?? error.message }));
  },
});

/** An id that the response lists as subscribed and as refused is not clearly subscribed. */
export function settleSubscriptions(answer: unknown, items: readonly { id: string }[]): Outcome[] {
  const refused = refusals(listAt(answer, 'errors'));
  const subscribed = new Set(
    listAt(answer, 'data').map(({ subscriber }) =>
      isObject(subscriber) ? textOf(subscriber.subscriberId) : undefined,
    ),
  );
  return items.map(({ id }): Outcome => {
    const why = refused.get(id);
    if (why !== undefined) return { state: 'failed', why };
    return { state: subscribed.has(id) ? 'subscribed' : 'unknown' };
  });
}

/** Why the service refused each id. */
const refusals = (errors: readonly Record<string, unknown>[]) =>
  new Map(
    errors.map(({ subscriberId, message }) => [
      subscriberId,
      messageOf(message) ?? 'not subscribed',
    ]),
  );
