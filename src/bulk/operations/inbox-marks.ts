// Marking a list of in-app notifications of one subscriber.
import { operations } from '../../api/operations/index.ts';
import { fillPath } from '../../api/url.ts';
import type { Outcome, Plan } from '../engine/plan.ts';
import { type IdReader, idItem } from './id-list.ts';
import { isObject, textOf } from './responses.ts';

export const markPlan = (subscriberId: string, markAs: string, idOf: IdReader): Plan => ({
  operation: 'markInboxNotifications',
  words: ['marked'],
  ordered: false,
  target: () => fillPath(operations.markInboxNotifications.path, { subscriberId }),
  frame: { open: `{"markAs":${JSON.stringify(markAs)},"messageId":[`, close: ']}' },
  itemOf: (record) => idItem(idOf(record), 'messageId'),
  settle: ({ value }, items) => settleMarks(value, items, subscriberId),
});

/** The response lists the notifications that it marked. */
export function settleMarks(
  answer: unknown,
  items: readonly { id: string }[],
  subscriberId: string,
): Outcome[] {
  const entries: unknown[] = Array.isArray(answer) ? answer : [undefined];
  const ids = entries.map((entry) => (isObject(entry) ? textOf(entry._id) : undefined));
  const marked = new Set(ids);
  // A response that cannot be read whole does not prove that an id is wrong.
  const missing: Outcome = ids.includes(undefined)
    ? { state: 'unknown' }
    : { state: 'failed', why: `is no notification of ${subscriberId}` };
  return items.map(({ id }): Outcome => (marked.has(id) ? { state: 'marked' } : missing));
}
