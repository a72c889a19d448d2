// Subscribing a list of subscribers to a topic.
import { operations } from '../../api/operations/index.ts';
import { fillPath } from '../../api/url.ts';
import type { Outcome, Plan } from '../plan.ts';
import { listAt } from './answers.ts';
import { type IdReader, idItem } from './id-list.ts';

export const subscriptionPlan = (topicKey: string, idOf: IdReader): Plan => ({
  operation: 'subscribeToTopic',
  words: ['subscribed'],
  ordered: false,
  target: () => fillPath(operations.subscribeToTopic.path, { topicKey }),
  frame: { open: '{"subscriberIds":[', close: ']}' },
  itemOf: (record) => idItem(idOf(record), 'subscriberId'),
  settle({ value }, items) {
    const subscribed = new Set(
      listAt(value, 'data').map(
        (one) => (one as { subscriber?: { subscriberId?: string } }).subscriber?.subscriberId,
      ),
    );
    const errors = new Map(
      listAt(value, 'errors').map(({ subscriberId, message }) => [subscriberId, message]),
    );
    return items.map(({ id }): Outcome => {
      if (subscribed.has(id)) return { state: 'subscribed' };
      if (errors.has(id)) return { state: 'failed', why: errors.get(id) ?? 'not subscribed' };
      return { state: 'unknown' };
    });
  },
  // The service rejects a request whose ids are all unknown as a whole, and names each of them.
  refused({ facts }, items) {
    const unknown = new Set(facts.details?.map(({ field }) => field));
    return facts.status === 400 && items.every(({ id }) => unknown.has(id))
      ? items.map(() => ({ state: 'failed', why: 'there is no such subscriber' }))
      : undefined;
  },
});
