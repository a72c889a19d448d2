// `svc activity list --follow`: what there is, oldest first, and then whatever comes, until somebody interrupts.
import type { ActivityItem } from '../../api/schemas/activity.ts';
import type { Context } from '../../context.ts';
import { exactText } from '../../exact-numbers.ts';
import type { ListPage } from '../../output/result.ts';

const pauseMs = 2_000;
/** Ids kept to tell new items from shown ones: those of the last pages. */
const remembered = 1_000;

export async function* followListing(
  context: Context,
  query: Record<string, unknown>,
  range: { limit?: number },
): AsyncGenerator<ListPage<ActivityItem>, void, void> {
  const { clock, interruption } = context.world;
  const seen = new Set<string>();
  let newest: string | undefined;
  for (;;) {
    // Items of the same moment may come later: asked for again from that moment, shown once.
    const since = newest === undefined ? {} : { after: newest };
    const limits = newest === undefined ? { limit: range.limit ?? 10 } : { all: true };
    const fresh: ActivityItem[] = [];
    for await (const { items } of context.pages(
      'listActivity',
      { query: { ...query, ...since } },
      limits,
    )) {
      fresh.push(...items.filter((item) => !seen.has(idOf(item))));
    }
    for (const item of fresh) {
      seen.add(idOf(item));
      if (item.createdAt && item.createdAt > (newest ?? '')) newest = item.createdAt;
    }
    for (const id of [...seen].slice(0, Math.max(0, seen.size - remembered))) seen.delete(id);
    if (fresh.length > 0) yield { items: fresh.reverse() };
    await clock.sleep(pauseMs, interruption);
  }
}

const idOf = (item: ActivityItem): string => item._id ?? exactText(item);
