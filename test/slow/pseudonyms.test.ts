// Replacements of many values. With 50,000 names and numbers, some get the same one at first.
import { expect, it } from 'vitest';
import { createPseudonyms } from '../../src/state-files/pseudonyms.ts';

const { name, email, phone } = createPseudonyms('salt');

it('replacements are different for 50,000 originals, and valid', () => {
  const originals = Array.from({ length: 50_000 }, (_, index) => `original-${index}`);
  const isUnique = (values: readonly string[], pattern: RegExp) => {
    expect(new Set(values).size).toBe(originals.length);
    expect(values.filter((value) => !pattern.test(value))).toEqual([]);
    // The same again.
    return values;
  };
  const names = isUnique(originals.map(name), /^[A-Z][a-z]{7}$/);
  const phones = isUnique(
    originals.map((original) => phone(`+${original}`)),
    /^\+999[1-9]\d{11}$/,
  );
  isUnique(originals.map(email), /^[a-z]{8}\.[a-z]{8}\d{4}@example\.com$/);
  expect(originals.map(name)).toEqual(names);
  expect(originals.map((original) => phone(`+${original}`))).toEqual(phones);
});
