// Hashes of ids, and the set that detects duplicates.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createHashSet, idHash } from '../../src/bulk/engine/id-hash.ts';

it('the hash of an id is a safe integer from 1', () => {
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

it('a hundred thousand ids have different hashes', () => {
  const hashes = Array.from({ length: 100_000 }, (_unused, index) => idHash(`user-${index}`));
  expect(new Set(hashes).size).toBe(100_000);
});

it('a set of hashes detects duplicates, also after it has grown', () => {
  const set = createHashSet(100_000);
  const hashes = Array.from({ length: 20_000 }, (_unused, index) => idHash(`${index}`));
  expect(hashes.filter((hash) => set.add(hash))).toEqual([]);
  expect(hashes.every((hash) => set.add(hash))).toBe(true);
});

it('a full set detects no further duplicates', () => {
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
