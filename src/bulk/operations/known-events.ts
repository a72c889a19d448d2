// Finds the events of a batch that the service already has, and those whose ids it has for other events.
import type { Client } from '../../api/client.ts';
import { pages } from '../../api/paginate.ts';
import { asObject, isObject } from '../../core/objects.ts';
import { limits } from '../../service/limits.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import type { KnownItem, KnownRows } from '../engine/plan.ts';

/** An event to a topic has one entry for each subscriber; the first ones are enough. */
const maxItems = 500;

/** `isGiven`: the id comes from the input, so that it does not say what the event contains. */
export async function findKnownEvents(
  client: Client,
  items: readonly KnownItem[],
  { sampleOnly, isGiven }: { sampleOnly: boolean; isGiven: (id: string) => boolean },
): Promise<KnownRows> {
  const ids = new Set<string>();
  const size = limits.queryValues;
  const last = sampleOnly ? Math.min(items.length, size) : items.length;
  for (let start = 0; start < last; start += size) {
    const group = new Map(items.slice(start, start + size).map((item) => [item.id, item]));
    const query = { transactionId: [...group.keys()] };
    const limit = sampleOnly ? limits.page.activity : maxItems;
    for await (const page of pages(client, 'listActivity', { query }, { limit })) {
      for (const known of page.items) {
        const item = group.get(known.transactionId);
        if (!item) continue;
        if (isGiven(item.id) && !isSameEvent(JSON.parse(item.json()), known))
          return {
            conflict: `the service already has another event with transaction id ${item.id}, so it would drop this one`,
          };
        ids.add(item.id);
      }
      if (group.size > 0 && [...group.keys()].every((id) => ids.has(id))) break;
    }
  }
  return { ids };
}

/** Compares what the activity shows of an event: workflow, recipient and plain values of the payload. */
function isSameEvent(sent: unknown, { template, subscriber, payload }: ActivityItem): boolean {
  const { name, to, payload: sentPayload } = asObject(sent);
  const workflow = template?.triggers?.[0]?.identifier;
  if (workflow !== undefined && workflow !== name) return false;
  const recipients = [to].flat().map((recipient) => asObject(recipient).subscriberId);
  const hasTopic = recipients.includes(undefined);
  if (subscriber && !hasTopic && !recipients.includes(subscriber.subscriberId)) return false;
  return Object.entries(asObject(sentPayload)).every(([key, value]) => {
    const shown = asObject(payload)[key];
    return shown === undefined || isObject(value) || Array.isArray(value) || shown === value;
  });
}
