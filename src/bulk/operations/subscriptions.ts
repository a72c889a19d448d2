// Plan for subscribing a list of subscribers to a topic.

import { fillPath } from '../../api/url.ts';
import { isObject } from '../../core/objects.ts';
import { operations } from '../../service/operations/index.ts';
import type { Outcome, Plan } from '../engine/plan.ts';
import { type IdReader, toIdItem } from './id-list.ts';
import { listAt, messageOf, textOf } from './responses.ts';

export const createSubscriptionPlan = (topicKey: string, idOf: IdReader): Plan => ({
  operation: 'subscribeToTopic',
  successStates: ['subscribed'],
  isOrdered: false,
  target: () => fillPath(operations.subscribeToTopic.path, { topicKey }),
  frame: { open: '{"subscriberIds":[', close: ']}' },
  toItem: (record) => toIdItem(idOf(record), 'subscriberId'),
  subscriberOf: idOf,
  readOutcomes: ({ value }, items) => readSubscriptionOutcomes(value, items),
  // The service rejects the whole request if none of the ids exists. The error lists each id.
  readRejection(error, items) {
    const messages = new Map(
      error.details.fieldErrors?.map(({ field, message }) => [field, message]),
    );
    if (error.details.status !== 400 || !items.every(({ id }) => messages.has(id)))
      return undefined;
    return items.map(({ id }) => ({ state: 'failed', reason: messages.get(id) ?? error.message }));
  },
});

/** An id that the response lists both as subscribed and as failed counts as failed. */
export function readSubscriptionOutcomes(
  response: unknown,
  items: readonly { id: string }[],
): Outcome[] {
  const errors = errorsById(listAt(response, 'errors'));
  const subscribed = new Set(
    listAt(response, 'data').map(({ subscriber }) =>
      isObject(subscriber) ? textOf(subscriber.subscriberId) : undefined,
    ),
  );
  return items.map(({ id }): Outcome => {
    const reason = errors.get(id);
    if (reason !== undefined) return { state: 'failed', reason };
    return { state: subscribed.has(id) ? 'subscribed' : 'unknown' };
  });
}

/** The reason for each rejected id. */
const errorsById = (errors: readonly Record<string, unknown>[]) =>
  new Map(
    errors.map(({ subscriberId, message }) => [
      subscriberId,
      messageOf(message) ?? 'not subscribed',
    ]),
  );
