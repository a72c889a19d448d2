// Plan for marking a list of in-app notifications of one subscriber.

import { fillPath } from '../../api/url.ts';
import { isObject } from '../../core/objects.ts';
import { operations } from '../../service/operations/index.ts';
import type { Outcome, Plan } from '../engine/plan.ts';
import { type IdReader, toIdItem } from './id-list.ts';
import { nonEmptyText } from './responses.ts';

export const createMarkPlan = (subscriberId: string, markAs: string, idOf: IdReader): Plan => ({
  operation: 'markInboxNotifications',
  successStates: ['marked'],
  isOrdered: false,
  target: () => fillPath(operations.markInboxNotifications.path, { subscriberId }),
  frame: { open: `{"markAs":${JSON.stringify(markAs)},"messageId":[`, close: ']}' },
  toItem: (record) => toIdItem(idOf(record), 'messageId'),
  readOutcomes: ({ value }, items) => readMarkOutcomes(value, items, subscriberId),
});

/** Reads the outcomes from the response, which lists the marked notifications. */
export function readMarkOutcomes(
  response: unknown,
  items: readonly { id: string }[],
  subscriberId: string,
): Outcome[] {
  const entries: unknown[] = Array.isArray(response) ? response : [undefined];
  const ids = entries.map((entry) => (isObject(entry) ? nonEmptyText(entry._id) : undefined));
  const marked = new Set(ids);
  // An incomplete response does not prove that an id is wrong.
  const missing: Outcome = ids.includes(undefined)
    ? { state: 'unknown' }
    : { state: 'failed', reason: `is not a notification of ${subscriberId}` };
  return items.map(({ id }): Outcome => (marked.has(id) ? { state: 'marked' } : missing));
}
