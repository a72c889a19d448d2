// The position in a listing that is newest first: the time of the last item, and the items of that time.

import { stringifyExact } from '../../core/lossless-json.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';

export interface Position {
  items: number;
  /** `createdAt` of the last item. */
  last?: string | undefined;
  /** The ids of the items with that time. Several items can have the same time. */
  ids: string[];
}

export const startPosition: Position = { items: 0, ids: [] };

/** The id of an item, or its content if a server omits the id. */
export const itemId = (item: ActivityItem): string => item._id ?? stringifyExact(item);

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
  const known = new Set(ids);
  return items.filter((item) => {
    const { createdAt = '' } = item;
    return createdAt < last || (createdAt === last && !known.has(itemId(item)));
  });
}
