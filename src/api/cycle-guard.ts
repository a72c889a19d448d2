// Detects a listing that never ends, and reports one that ends early. Removes items that an earlier page already had,
// and counts the pages without new items.

import { SvcError } from '../core/errors.ts';
import { stringifyExact } from '../core/lossless-json.ts';
import { asObject } from '../core/objects.ts';
import { counted } from '../core/text.ts';

/** New items can shift a few pages. This many pages in a row without new items mean an endless listing. */
const maxPagesWithoutNewItems = 20;
/** New items can shift the first page far back once. */
const maxReturnsToFirstPage = 2;
/** A total can be slightly wrong. This many full pages beyond the total of the first one mean an endless listing. */
const maxPagesBeyondTotal = 20;

export interface CycleGuard {
  /** Returns the items that were neither on the first page nor on the last two. Throws for an endless listing. */
  filterNew<T>(items: readonly T[]): T[];
  /** Throws for a listing that returned far more items than it counted on its first page. */
  checkTotal(total: number | undefined, pageItems: number): void;
  /** Throws for a listing without items whose first page reports items. */
  checkEmpty(first: { totalCount?: number; hasMore?: boolean }): void;
  /** Throws the error for a cursor that the service returned before. */
  throwRepeatedCursor(cursor: string): never;
  /** Throws the error for a listing that cannot continue after `count` items. */
  throwEndedEarly(count: number): never;
}

/** `request` is used in errors: `GET /v2/topics`. */
export function createCycleGuard(request: string): CycleGuard {
  let first: Set<unknown> | undefined;
  let recent: Set<unknown>[] = [];
  let idle = 0;
  let returns = 0;
  let received = 0;
  let largestPage = 0;
  let firstTotal: number | undefined;
  const cycleError = (reason: string) =>
    new SvcError('unavailable', `The listing ${request} does not end: ${reason}.`, {
      hint: 'The listed items are valid, but the list may be incomplete. This is a fault of the service.',
    });
  return {
    filterNew(items) {
      const ids = items.map(itemKey);
      const page = new Set(ids);
      const hasLeftFirst = first && idle === 0 && !recent.includes(first);
      if (hasLeftFirst && items.length > 0 && ids.every((id) => first?.has(id))) returns += 1;
      if (returns >= maxReturnsToFirstPage)
        throw cycleError('the service returned the first page repeatedly');
      const pages = first ? [first, ...recent] : recent;
      const newItems = items.filter((_item, index) => !pages.some((seen) => seen.has(ids[index])));
      idle = newItems.length > 0 ? 0 : idle + 1;
      if (idle >= maxPagesWithoutNewItems)
        throw cycleError(`${idle} pages in a row had no new items`);
      if (items.length > 0) first ??= page;
      recent = [...recent.slice(-1), page];
      return newItems;
    },
    checkTotal(total, pageItems) {
      if (received === 0) firstTotal = total;
      received += pageItems;
      largestPage = Math.max(largestPage, pageItems);
      const most = (firstTotal ?? Number.POSITIVE_INFINITY) + maxPagesBeyondTotal * largestPage;
      if (received > most)
        throw cycleError(`it had ${firstTotal} items at the start and returned ${received}`);
    },
    checkEmpty({ totalCount = 0, hasMore }) {
      if (!(totalCount > 0 && Number.isFinite(totalCount)) && hasMore !== true) return;
      const reported = totalCount > 0 ? counted(totalCount, 'item') : 'more items';
      throw new SvcError(
        'unavailable',
        `The listing ${request} is incomplete: the service reports ${reported} and returned none.`,
        { hint: 'This is a fault of the service. Try again later.' },
      );
    },
    throwRepeatedCursor(cursor) {
      throw cycleError(`the service returned the cursor ${cursor} twice`);
    },
    throwEndedEarly(count) {
      throw new SvcError(
        'refused',
        `The listing ${request} ended early, after ${counted(count, 'item')}: the items that it continues from were deleted.`,
        { hint: 'Run the command again when no items are being deleted.' },
      );
    },
  };
}

/** Empty for an item without an id. */
export const idOf = (item: unknown): string => {
  const { _id } = asObject(item);
  return typeof _id === 'string' ? _id : '';
};

export const itemKey = (item: unknown) => idOf(item) || stringifyExact(item);
