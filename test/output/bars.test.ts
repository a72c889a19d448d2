import { describe, expect, it } from 'vitest';
import { bar, percent, percentText, stackedBar } from '../../src/output/bars.ts';
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

  it.each([
    [[999, 1, 0], 1_000, 10, 'aaaaaaaaax'],
    [[999, 0, 0], 1_000, 10, 'aaaaaaaaaa'],
    [[53, 5, 0], 1_800, 14, 'ax'],
    [[34, 3, 43], 1_800, 14, 'axb'],
    [[0, 1, 0], 1_800, 14, 'x'],
    [[999, 1, 0], 1_000, 1, 'x'],
  ])(
    'of %j with maximum %i and %i cells has a cell for its failures',
    (counts, max, width, text) => {
      const [delivered = 0, failed = 0, skipped = 0] = counts;
      const segments = [
        { count: delivered, glyph: 'a', tone: 'good' },
        { count: failed, glyph: 'x', tone: 'bad' },
        { count: skipped, glyph: 'b', tone: 'muted' },
      ] as const;
      expect(plainText(stackedBar(segments, max, width))).toBe(text);
    },
  );

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

  it('in a sentence is rounded as in tables', () => {
    expect([2 / 3, 0.95, 1].map(percentText)).toEqual(['66.7%', '95%', '100%']);
  });
});
