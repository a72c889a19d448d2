// `svc activity list --follow`: prints the newest items, oldest first, then polls for new ones until interrupted.
import type { Context } from '../../app/context.ts';
import { stringifyExact } from '../../core/lossless-json.ts';
import type { ListPage } from '../../output/result.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';

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

// The position in a listing that is newest first: the time of the last item, and the items of that time.

export interface Position {
  items: number;
  /** `createdAt` of the last item. */
  last?: string | undefined;
  /** The ids of the items with that time. Several items can have the same time. */
  ids: string[];
}

export const startPosition: Position = { items: 0, ids: [] };

/** The id of an item, or its content if a server omits the id. */
const itemId = (item: ActivityItem): string => item._id ?? stringifyExact(item);

/** The position after these items. */
export function advance(position: Position, items: readonly ActivityItem[]): Position {
  const { createdAt: last } = items.at(-1) ?? {};
  const ids = items.filter(({ createdAt }) => createdAt === last).map(itemId);
  return {
    items: position.items + items.length,
    last,
    ids: last === position.last ? [...position.ids, ...ids] : ids,
  };
}

/** Excludes items that are newer than the last one. One millisecond later, because the bound may be exclusive. */
export function upperBound({ last }: Position): { before?: string } {
  const time = Date.parse(last ?? '');
  return Number.isNaN(time) ? {} : { before: new Date(time + 1).toISOString() };
}

/** The items that come after the position. */
export function itemsAfter(
  { last, ids }: Position,
  items: readonly ActivityItem[],
): readonly ActivityItem[] {
  if (last === undefined) return items;
  const lastIds = new Set(ids);
  return items.filter((item) => {
    const { createdAt = '' } = item;
    return createdAt < last || (createdAt === last && !lastIds.has(itemId(item)));
  });
}
