// Plan for subscribing a list of subscribers to a topic, or each to the topic of its row.

import { fillPath } from '../../api/url.ts';
import { isObject } from '../../core/objects.ts';
import type { InputRecord } from '../../input/records.ts';
import { operations } from '../../service/operations/index.ts';
import type { Item, Outcome, Plan } from '../engine/plan.ts';
import { type IdReader, toIdItem, toPathItem } from './id-list.ts';
import { listAt, nonEmptyText, toMessage } from './responses.ts';

export type TopicReader = (record: InputRecord) => { topicKey: string } | { error: string };

/** Reads the topic of a row. With `known`, other topics are errors. */
export function createTopicReader(
  readKey: IdReader,
  known: ReadonlySet<string> | undefined,
): TopicReader {
  return (record) => {
    const item = toPathItem(readKey(record), 'topicKey', subscriptionsPath);
    if ('error' in item) return item;
    if (known && !known.has(item.id))
      return { error: `topicKey: ${item.id} does not exist (--create creates it)` };
    return { topicKey: item.id };
  };
}

const subscriptionsPath = (topicKey: string) =>
  fillPath(operations.subscribeToTopic.path, { topicKey });

/** The items of a request have the same topic. */
export const createSubscriptionPlan = (readTopic: TopicReader, idOf: IdReader): Plan => ({
  operation: 'subscribeToTopic',
  successStates: ['subscribed'],
  isOrdered: false,
  target: ([item]) => subscriptionsPath((item as Item).group ?? ''),
  frame: { open: '{"subscriberIds":[', close: ']}' },
  toItem(record) {
    const topic = readTopic(record);
    if ('error' in topic) return topic;
    const item = toIdItem(idOf(record), 'subscriberId');
    return 'error' in item ? item : { ...item, group: topic.topicKey };
  },
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
      isObject(subscriber) ? nonEmptyText(subscriber.subscriberId) : undefined,
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
      toMessage(message) ?? 'not subscribed',
    ]),
  );
