// Hashes of ids, and the table that detects duplicates.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFirstLines, idHash } from '../../src/bulk/engine/id-hash.ts';

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

it('a table of hashes knows the first line of a duplicate, also after it has grown', () => {
  const table = createFirstLines(100_000);
  const hashes = Array.from({ length: 20_000 }, (_unused, index) => idHash(`${index}`));
  expect(hashes.filter((hash, index) => table.add(hash, index + 1) !== 0)).toEqual([]);
  expect(hashes.every((hash, index) => table.add(hash, 30_000) === index + 1)).toBe(true);
});

it('a full table detects no further duplicates', () => {
  const table = createFirstLines(2);
  expect([1, 1, 2, 3, 3, 1].map((hash, index) => table.add(hash, index + 1))).toEqual([
    0, 1, 0, 0, 0, 0,
  ]);
});
