// Holds merged events until the event whose digest carries them is known. It is older, and listings have newer events
// first, so it usually comes later in the same listing.
import type { ActivityItem } from '../service/schemas/activity.ts';
import { type FindEvent, findDigestId } from './verdict.ts';

/** Events beyond this number do not wait, so that the memory is constant. */
const maxWaiting = 4_000;

/** `count` is called once for each event, for the merged ones with their digest if it becomes known. */
export function createDigestQueue(count: (item: ActivityItem, findEvent?: FindEvent) => void) {
  const queues = new Map<string, ActivityItem[]>();
  let size = 0;

  /** An event that is known now. */
  function resolve(event: ActivityItem): void {
    const id = event._id ?? '';
    const waiting = queues.get(id) ?? [];
    queues.delete(id);
    size -= waiting.length;
    for (const item of waiting) count(item, (other) => (other === id ? event : undefined));
  }

  return {
    resolve,
    add(item: ActivityItem): void {
      const id = findDigestId(item);
      if (id === undefined || size >= maxWaiting) count(item);
      else {
        queues.set(id, [...(queues.get(id) ?? []), withoutContent(item)]);
        size += 1;
      }
      resolve(item);
    },
    /** The ids of the events that have not come. */
    missing: () => [...queues.keys()],
    /** Counts the events that still wait. */
    finish() {
      for (const item of [...queues.values()].flat()) count(item);
    },
  };
}

const withoutContent = ({ payload: _payload, to: _to, jobs, ...item }: ActivityItem) => ({
  ...item,
  jobs: (jobs ?? []).map(({ payload: _content, overrides: _overrides, ...job }) => job),
});
