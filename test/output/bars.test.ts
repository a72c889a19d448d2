import { describe, expect, it } from 'vitest';
import { bar, percent, stackedBar } from '../../src/output/bars.ts';
import { plainText } from '../../src/output/result.ts';

const stacked = (counts: readonly number[], max: number, width: number) =>
  plainText(
    stackedBar(
      counts.map((count, index) => ({ count, glyph: 'abcd'[index] ?? '' })),
      max,
      width,
    ),
  );

describe('a bar', () => {
  it.each([
    [[10, 0, 0, 0], 10, 10, 'aaaaaaaaaa'],
    [[5, 5], 10, 10, 'aaaaabbbbb'],
    [[5, 0, 0, 5], 20, 10, 'aaadd'],
    [[1, 1, 1], 3, 10, 'aaaabbbccc'],
    [[1_000_000, 1], 1_000_001, 10, 'aaaaaaaaaa'],
    [[1], 1_000_000, 10, 'a'],
    [[0, 0], 10, 10, ''],
    [[], 0, 10, ''],
  ])('of %j with maximum %i is %i wide at most', (counts, max, width, expected) => {
    expect(stacked(counts, max, width)).toBe(expected);
  });

  it('has at least one cell for failures, which it takes from the largest segment', () => {
    const withFailures = (failed: number, width: number) =>
      plainText(
        stackedBar(
          [
            { count: 999, glyph: 'a', tone: 'good' },
            { count: failed, glyph: 'x', tone: 'bad' },
          ],
          1_000,
          width,
        ),
      );
    expect(withFailures(1, 10)).toBe('aaaaaaaaax');
    expect(withFailures(0, 10)).toBe('aaaaaaaaaa');
    expect(withFailures(1, 1)).toBe('a');
  });

  it('has one glyph without segments', () => {
    expect(bar(3, 6, 8)).toBe('████');
  });
});

describe('a percentage', () => {
  it.each([
    [undefined, ''],
    [0, '0.0%'],
    [1, '100.0%'],
    [0.123, '12.3%'],
    [0.99999, '99.9%'],
    [0.00001, '0.1%'],
  ])('of %j is %j: only exact values are 0 or 100', (rate, expected) => {
    expect(percent(rate)).toBe(expected);
  });
});
