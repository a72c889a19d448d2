import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { progressBar } from '../../src/output/progress-bar.ts';

const state = {
  label: 'Importing in Production (profile live)',
  rows: 41_000,
  rejected: 3,
  fraction: 0.42,
  elapsedMs: 5_000,
};
const numbers = '42%  41,000 rows  8,200/s  ETA 7s  3 rejected';

describe('the progress of a run on a terminal', () => {
  it('names the environment and the profile, with a bar', () => {
    expect(progressBar(state, 120)).toBe(
      `${state.label} ${'█'.repeat(10)}${'░'.repeat(14)} ${numbers}`,
    );
  });

  it('keeps the numbers and truncates the label if both do not fit', () => {
    expect(progressBar(state, 80)).toBe(`Importing in Production (profile… ${numbers}`);
    expect(progressBar(state, 50)).toBe(numbers);
  });

  it.each([0, 1, 20, 60, 80, 100, 200])('is narrower than %i columns', (width) => {
    const wide = { ...state, label: 'Importing in 本番環境本番環境本番環境 (profile live)' };
    for (const one of [state, wide, { ...state, fraction: undefined }])
      expect(stringWidth(progressBar(one, width))).toBeLessThan(Math.max(1, width));
  });
});
