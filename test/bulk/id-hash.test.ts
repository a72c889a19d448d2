// Ids as numbers, and the set that counts duplicates with them.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createHashSet, idHash } from '../../src/bulk/engine/id-hash.ts';

it('every id is a whole number from 1 on, that a float holds exactly', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (id) => {
      const hash = idHash(id);
      expect(hash).toBeGreaterThanOrEqual(1);
      expect(hash).toBeLessThanOrEqual(2 ** 53);
      expect(Number.isInteger(hash)).toBe(true);
    }),
    { seed: 20260115, numRuns: 1_000 },
  );
});

it('a hundred thousand ids have numbers of their own', () => {
  const hashes = Array.from({ length: 100_000 }, (_unused, index) => idHash(`user-${index}`));
  expect(new Set(hashes).size).toBe(100_000);
});

it('a set of hashes knows what it has met, also once it has grown', () => {
  const set = createHashSet(100_000);
  const hashes = Array.from({ length: 20_000 }, (_unused, index) => idHash(`${index}`));
  expect(hashes.filter((hash) => set.add(hash))).toEqual([]);
  expect(hashes.every((hash) => set.add(hash))).toBe(true);
});

it('a set that is full takes nothing for a duplicate any more', () => {
  const set = createHashSet(2);
  expect([1, 1, 2, 3, 3, 1].map((hash) => set.add(hash))).toEqual([
    false,
    true,
    false,
    false,
    false,
    false,
  ]);
});
