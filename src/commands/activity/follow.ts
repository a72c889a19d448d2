// `svc activity list --follow`: the newest items, oldest first, and then new ones as they come, until interrupted.
import type { ActivityItem } from '../../api/schemas/activity.ts';
import type { Context } from '../../app/context.ts';
import { exactText } from '../../core/lossless-json.ts';
import type { ListPage } from '../../output/result.ts';

const pauseMs = 2_000;
/** Items that are put in order before they are shown. A larger burst is shown in parts of this size. */
const orderedAtOnce = 500;

export async function* followListing(
  context: Context,
  query: Record<string, unknown>,
  range: { limit?: number },
): AsyncGenerator<ListPage<ActivityItem>, void, void> {
  const { clock, shutdownSignal } = context.host;
  const newest = createNewest();
  for (;;) {
    const { since } = newest;
    const limits = since === undefined ? { limit: range.limit ?? 10 } : { all: true };
    const after = since === undefined ? {} : { after: since };
    const shown = newest.ids();
    let waiting: ActivityItem[] = [];
    for await (const { items } of context.pages(
      'listActivity',
      { query: { ...query, ...after } },
      limits,
    )) {
      const fresh = items.filter((item) => !shown.has(idOf(item)));
      newest.add(fresh);
      waiting.push(...fresh);
      if (waiting.length < orderedAtOnce) continue;
      yield { items: waiting.reverse() };
      waiting = [];
    }
    if (waiting.length > 0) yield { items: waiting.reverse() };
    await clock.sleep(pauseMs, shutdownSignal);
  }
}

/**
 * The newest moment of all items so far, and the items of that moment: the next listing begins with that moment,
 * because more items of it may come, and these are left out.
 */
function createNewest() {
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
        if (createdAt === since || createdAt === '') ids.add(idOf(item));
      }
    },
  };
}

const idOf = (item: ActivityItem): string => item._id ?? exactText(item);
