// The progress line of a run at several widths.
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { progressLine } from '../../src/output/progress.ts';
import { progressBar } from '../../src/output/progress-bar.ts';

const state = {
  label: 'Importing in Production (profile live)',
  rows: 41_000,
  rejected: 41,
  errorRate: 0.001,
  fraction: 0.42,
  elapsedMs: 5_000,
  rowsPerSecond: 8_200,
  ratesOverTime: [2_000, 4_000, 8_000, 8_200],
};
const numbers = '42%  41,000 rows  8,200/s  ETA 7s  41 rejected (0.1%)';
const slowed = { ...state, rateLimitNote: 'rate limit, 12s' };

describe('the progress of a run on a terminal', () => {
  it('names the environment and the profile, with a bar and the rate over time', () => {
    expect(progressBar(state, 120)).toBe(
      `${state.label} ${'█'.repeat(9)}${'░'.repeat(12)} ${numbers.replace('/s', '/s ▃▄██')}`,
    );
  });

  it('keeps the numbers and truncates the label if both do not fit', () => {
    expect(progressBar(state, 80)).toBe(`Importing in Production … ${numbers}`);
    expect(progressBar(state, 60)).toBe(numbers);
  });

  it('omits whole numbers if not all of them fit, the least important ones first', () => {
    expect(progressBar(slowed, 60)).toBe('42%  41,000 rows  41 rejected (0.1%)  rate limit, 12s');
    expect(progressBar(slowed, 45)).toBe('42%  41,000 rows  41 rejected (0.1%)');
    expect(progressBar(slowed, 20)).toBe('42%  41,000 rows');
    expect(progressBar(slowed, 10)).toBe('42%');
  });

  it('has a bar without the rate over time if only the bar fits', () => {
    expect(progressBar(state, 103)).toBe(`${state.label} ████░░░░░ ${numbers}`);
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
