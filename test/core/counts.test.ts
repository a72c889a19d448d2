import { describe, expect, it } from 'vitest';
import { counted } from '../../src/core/text.ts';

describe('counted', () => {
  it.each([
    [0, '0 rows'],
    [1, '1 row'],
    [2, '2 rows'],
    [2_000, '2,000 rows'],
  ])('formats %i as %s', (count, text) => {
    expect(counted(count, 'row')).toBe(text);
  });
});
