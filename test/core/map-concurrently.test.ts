import { expect, it } from 'vitest';
import { mapConcurrently } from '../../src/core/async.ts';

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

it('results have the order of the items, and at most `limit` items are in work', async () => {
  let inWork = 0;
  let most = 0;
  const releases: (() => void)[] = [];
  const work = async (item: number) => {
    inWork += 1;
    most = Math.max(most, inWork);
    // Every third item finishes last.
    if (item % 3 === 0) await new Promise<void>((resolve) => releases.push(resolve));
    else for (const release of releases.splice(0)) release();
    inWork -= 1;
    return item * 2;
  };
  expect(await collect(mapConcurrently([0, 1, 2, 3, 4, 5, 6, 7], 4, work))).toEqual([
    ...[0, 2, 4, 6, 8, 10, 12, 14],
  ]);
  expect(most).toBeLessThanOrEqual(4);
  expect(most).toBeGreaterThan(1);
});

it('the first error in the order of the items is thrown', async () => {
  const seen: number[] = [];
  const work = async (item: number) => {
    if (item === 2) throw new Error('two');
    return item;
  };
  const read = async () => {
    for await (const item of mapConcurrently([1, 2, 3], 3, work)) seen.push(item);
  };
  await expect(read()).rejects.toThrow('two');
  expect(seen).toEqual([1]);
});
