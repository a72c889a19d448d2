// The progress line of a run at several widths.
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { progressBar, progressLine } from '../../src/output/progress.ts';

const state = {
  label: 'Importing in Production (profile live)',
  rows: 41_000,
  rejected: 41,
  errorRate: 0.001,
  fraction: 0.42,
  leftMs: 6_900,
  rowsPerSecond: 8_200,
  ratesOverTime: [2_000, 4_000, 8_000, 8_200],
};
const numbers = '42%  41,000 rows  8,200/s  ETA 7s  41 rejected (0.1%)';
const slowed = { ...state, rateLimitNote: 'rate limit, 12s' };

describe('the progress of a run on a terminal', () => {
  it.each([
    [130, `█ 42%  41,000 rows  8,200/s ▃▄██  ETA 7s  41 rejected (0.1%)  rate limit, 12s`],
    [124, `█ 42%  41,000 rows  8,200/s  ETA 7s  41 rejected (0.1%)  rate limit, 12s`],
    [113, `█ 42%  41,000 rows  ETA 7s  41 rejected (0.1%)  rate limit, 12s`],
    [100, `█ 42%  41,000 rows  ETA 7s  rate limit, 12s`],
    [80, `█ 42%  41,000 rows  ETA 7s`],
    [72, `█ 42%  41,000 rows`],
    [60, `█ 42%`],
    [50, ''],
  ])('on %i columns, has the whole place and a bar of ten cells', (width, line) => {
    const bar = `${'█'.repeat(4)}${'░'.repeat(6)}`;
    const expected = `${state.label}${line.replace('█', ` ${bar}`)}`;
    expect(progressBar(slowed, width)).toBe(expected);
  });

  it('cuts the place only on a terminal that is narrower than it', () => {
    expect(progressBar(state, 20)).toBe('Importing in Produ…');
  });

  it('has no bar if the number of rows is not known', () => {
    expect(progressBar({ ...state, rejected: 0, fraction: undefined, leftMs: undefined }, 80)).toBe(
      `${state.label} 41,000 rows  8,200/s ▃▄██`,
    );
  });

  it('has no rate over time before the second sample', () => {
    expect(progressBar({ ...state, ratesOverTime: [8_200] }, 120)).not.toMatch(/[▁▂▃▄▅▆▇]/);
  });

  it('is complete in a log, whatever its width', () => {
    expect(progressLine(slowed)).toBe(`${numbers}  rate limit, 12s`);
  });

  it.each([0, 1, 20, 60, 80, 100, 120, 200])('is narrower than %i columns', (width) => {
    const wide = { ...state, label: 'Importing in 本番環境本番環境本番環境 (profile live)' };
    for (const one of [state, slowed, wide, { ...state, fraction: undefined }])
      expect(stringWidth(progressBar(one, width))).toBeLessThan(Math.max(1, width));
  });
});
