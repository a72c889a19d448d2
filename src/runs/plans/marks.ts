// Marking a list of in-app notifications of one subscriber.
import { operations } from '../../api/operations/index.ts';
import { fillPath } from '../../api/url.ts';
import type { Outcome, Plan } from '../plan.ts';
import { type IdReader, idItem } from './id-list.ts';

export const markPlan = (subscriberId: string, markAs: string, idOf: IdReader): Plan => ({
  operation: 'markInboxNotifications',
  words: ['marked'],
  ordered: false,
  target: () => fillPath(operations.markInboxNotifications.path, { subscriberId }),
  frame: { open: `{"markAs":${JSON.stringify(markAs)},"messageId":[`, close: ']}' },
  itemOf: (record) => idItem(idOf(record), 'messageId'),
  settle({ value }, items) {
    // An answer that names nothing is no reason to call an id wrong.
    if (!Array.isArray(value)) return items.map(() => ({ state: 'unknown' }));
    const marked = new Set((value as { _id?: string }[]).map(({ _id }) => _id));
    return items.map(
      ({ id }): Outcome =>
        marked.has(id)
          ? { state: 'marked' }
          : { state: 'failed', why: `is no notification of ${subscriberId}` },
    );
  },
});
