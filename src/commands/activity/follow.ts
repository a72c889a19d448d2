// `svc activity list --follow`: prints the newest items, oldest first, then polls for new ones until interrupted.

import type { Context } from '../../app/context.ts';
import type { ListPage } from '../../output/result.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import { itemId } from './export-position.ts';

const pollIntervalMs = 2_000;
/** Number of items that are sorted together. A larger burst is printed in parts of this size. */
const sortedBatchSize = 500;

export async function* followListing(
  context: Context,
  query: Record<string, unknown>,
  range: { limit?: number },
): AsyncGenerator<ListPage<ActivityItem>, void, void> {
  const { clock, shutdownSignal } = context.host;
  const newest = createNewestTracker();
  for (;;) {
    const { since } = newest;
    const limits = since === undefined ? { limit: range.limit ?? 10 } : { all: true };
    const after = since === undefined ? {} : { after: since };
    const printed = newest.ids();
    let batch: ActivityItem[] = [];
    for await (const { items } of context.pages(
      'listActivity',
      { query: { ...query, ...after } },
      limits,
    )) {
      const fresh = items.filter((item) => !printed.has(itemId(item)));
      newest.add(fresh);
      batch.push(...fresh);
      if (batch.length < sortedBatchSize) continue;
      yield { items: batch.reverse() };
      batch = [];
    }
    if (batch.length > 0) yield { items: batch.reverse() };
    await clock.sleep(pollIntervalMs, shutdownSignal);
  }
}

/**
 * Tracks the newest `createdAt` and the ids of all items with that time. The next request starts at that time, because
 * more items of the same millisecond may follow; the ids filter out those already printed.
 */
function createNewestTracker() {
  let since: string | undefined;
  let ids = new Set<string>();
  return {
    get since() {
      return since;
    },
    ids: () => new Set(ids),
    add(items: readonly ActivityItem[]) {
      for (const item of items) {
        const { createdAt = '' } = item;
        if (createdAt > (since ?? '')) {
          since = createdAt;
          ids = new Set();
        }
        if (createdAt === since || createdAt === '') ids.add(itemId(item));
      }
    },
  };
}
