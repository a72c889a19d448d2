// Frames of live screens in terminals of any size.
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { fitFrame, heightOf } from '../../src/output/progress-line.ts';

const lines = [
  'Run 20260115 ████████░░ 80%',
  '\x1b[1m李さん\x1b[22m 本番環境 delivered',
  '',
  'q leave',
];

describe('a frame', () => {
  it('is unchanged if it fits', () => {
    expect(fitFrame(lines, { columns: 80, rows: 24 })).toEqual(lines);
  });

  it('keeps its first lines and the last one, with the keys', () => {
    expect(fitFrame(lines, { columns: 80, rows: 3 })).toEqual([lines[0], 'q leave']);
    expect(fitFrame(lines, { columns: 80, rows: 1 })).toEqual(['q leave']);
    const long = Array.from({ length: 50 }, (_unused, index) => `${index}`);
    const fitted = fitFrame(long, { columns: 80, rows: 24 });
    expect(fitted).toHaveLength(23);
    expect(fitted.slice(18)).toEqual(['18', '46', '47', '48', '49']);
  });

  it('cuts a long line, without its colors', () => {
    expect(fitFrame(lines, { columns: 12, rows: 24 })[1]).toBe('李さん 本…');
  });

  it.each([1, 2, 5, 20, 79])('is narrower than %i columns', (columns) => {
    const widths = fitFrame(lines, { columns, rows: 24 }).map((line) => stringWidth(line));
    expect(Math.max(...widths)).toBeLessThanOrEqual(Math.max(1, columns - 1));
  });

  it('is higher after its terminal became narrower', () => {
    expect(heightOf(lines, 80)).toBe(4);
    expect(heightOf(lines, 20)).toBe(6);
    expect(heightOf([], 80)).toBe(0);
  });
});
