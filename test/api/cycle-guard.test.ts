// The limits that make a listing end, page by page.
import { describe, expect, it } from 'vitest';
import { createCycleGuard, itemKey } from '../../src/api/cycle-guard.ts';

const item = (_id: string) => ({ _id });
const hinting = (hint: string) => expect.objectContaining({ details: { hint } });

/** The new items of each page, and the error that ends the listing. */
function read(...pages: string[]) {
  const guard = createCycleGuard('GET /v2/topics');
  const fresh: string[] = [];
  try {
    for (const page of pages)
      fresh.push(
        guard
          .filterNew([...page].map(item))
          .map(({ _id }) => _id)
          .join(''),
      );
  } catch (error) {
    return { fresh, error: (error as Error).message };
  }
  return { fresh };
}

describe('a page', () => {
  it('has only items that were neither on the first page nor on the last two', () => {
    expect(read('abc', 'cd', 'de', 'ea', 'dc').fresh).toEqual(['abc', 'd', 'e', '', '']);
    expect(read('abc', 'cd', 'ef', 'gh', 'dc').fresh).toEqual(['abc', 'd', 'ef', 'gh', 'd']);
  });

  it('that repeats the previous one is allowed 19 times in a row', () => {
    expect(read('a', ...'a'.repeat(19), 'b').fresh.at(-1)).toBe('b');
    expect(read('a', ...'a'.repeat(10), 'b', ...'b'.repeat(19), 'c')).not.toHaveProperty('error');
    expect(read('a', ...'a'.repeat(20)).error).toBe(
      'The listing GET /v2/topics does not end: 20 pages in a row had no new items.',
    );
  });

  it('that is the first one again is allowed once', () => {
    const once = ['ab', 'c', 'd', 'ab', 'e', 'f'];
    expect(read(...once)).not.toHaveProperty('error');
    const message =
      'The listing GET /v2/topics does not end: the service returned the first page repeatedly.';
    expect(read(...once, 'ba').error).toBe(message);
    expect(read('', ...once, 'ba').error).toBe(message);
  });

  it('that is empty, or has only a part of the first one, is not the first one again', () => {
    for (const pages of [
      ['a', 'b', 'c', '', 'd', '', 'e', '', 'f'],
      ['ab', 'c', 'd', 'ax', 'e', 'by', 'f', 'az', 'g'],
      ['', '', 'a', 'b', 'c', 'a', 'd', 'e'],
    ])
      expect(read(...pages)).not.toHaveProperty('error');
  });
});

describe('a total', () => {
  /** The number of pages with five items before the error. */
  const pagesBefore = (...totals: (number | undefined)[]) => {
    const guard = createCycleGuard('GET /v2/topics');
    for (let page = 0; page < 100; page += 1)
      try {
        guard.checkTotal(totals[Math.min(page, totals.length - 1)], 5);
      } catch (error) {
        return { page, message: (error as Error).message };
      }
    return undefined;
  };

  it('can be exceeded by 20 pages', () => {
    expect(pagesBefore(10)).toEqual({
      page: 22,
      message:
        'The listing GET /v2/topics does not end: it had 10 items at the start and returned 115.',
    });
  });

  it('counts only on the first page, if that has one', () => {
    expect(pagesBefore(10, 1_000)?.page).toBe(22);
    expect(pagesBefore(undefined, 10)).toBeUndefined();
  });
});

it.each([
  [{}, undefined],
  [{ totalCount: 0 }, undefined],
  [{ hasMore: false }, undefined],
  [{ totalCount: Number.POSITIVE_INFINITY }, undefined],
  [{ totalCount: 1 }, 'the service reports 1 item and'],
  [{ totalCount: 2, hasMore: false }, 'the service reports 2 items and'],
  [{ hasMore: true }, 'the service reports more items and'],
  [{ totalCount: 0, hasMore: true }, 'the service reports more items and'],
])('an empty listing whose first page has %j: %s', (first, message) => {
  const check = () => createCycleGuard('GET /v2/topics').checkEmpty(first);
  if (message === undefined) expect(check).not.toThrow();
  else {
    expect(check).toThrow(message);
    expect(check).toThrow(hinting('This is a fault of the service. Try again later.'));
  }
});

it('a listing that ends early says when to list again', () => {
  const end = () => createCycleGuard('GET /v2/topics').throwEndedEarly(3);
  expect(end).toThrow('The listing GET /v2/topics ended early, after 3 items: ');
  expect(end).toThrow(hinting('Run the command again when no items are being deleted.'));
});

it('an item without an id is recognized by its content', () => {
  expect(itemKey({ _id: 'a', name: 'A' })).toBe('a');
  expect(itemKey({ _id: 7, name: 'A' })).toBe('{"_id":7,"name":"A"}');
  expect(itemKey({ name: 'A' })).toBe('{"name":"A"}');
});
