// Bars of block characters for tables. They are readable without color: every segment has its own character.
import { plainText, type Span, type Tone } from './result.ts';

interface Segment {
  count: number;
  glyph: string;
  tone?: Tone;
}

/** A bar of segments. `max` is the count that fills the whole width. */
export function stackedBar(segments: readonly Segment[], max: number, width: number): Span[] {
  const total = segments.reduce((sum, { count }) => sum + count, 0);
  if (total === 0 || max === 0) return [];
  // A failure is never rounded away: a short bar gets a cell for each of its segments.
  const isBad = ({ count, tone }: Segment) => tone === 'bad' && count > 0;
  const least = segments.some(isBad) ? segments.filter(({ count }) => count > 0).length : 1;
  const cells = Math.min(width, Math.max(least, Math.round((total / max) * width)));
  const sizes = distribute(
    segments.map(({ count }) => count),
    cells,
  );
  const bad = segments.findIndex(isBad);
  if (sizes[bad] === 0) {
    const largest = Math.max(...sizes);
    sizes[sizes.indexOf(largest)] = largest - 1;
    sizes[bad] = 1;
  }
  return segments.map(({ glyph, tone = 'plain' }, index) => ({
    text: glyph.repeat(sizes[index] ?? 0),
    tone,
  }));
}

export const bar = (count: number, max: number, width: number, glyph = '█'): string =>
  plainText(stackedBar([{ count, glyph }], max, width));

const heights = [...'▁▂▃▄▅▆▇█'];

/** One character per value, as high as the value compared to the largest one. Empty for less than two values. */
export function sparkline(values: readonly number[]): string {
  const max = Math.max(...values);
  if (values.length < 2 || max <= 0) return '';
  return values.map((value) => heights[Math.round((value / max) * (heights.length - 1))]).join('');
}

/** Shares out cells in proportion to the counts: the largest remainders get the cells that rounding leaves. */
function distribute(counts: readonly number[], cells: number): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const exact = counts.map((count) => (count / total) * cells);
  const sizes = exact.map(Math.floor);
  const left = cells - sizes.reduce((sum, size) => sum + size, 0);
  const byRemainder = exact
    .map((value, index) => ({ index, remainder: value - Math.floor(value) }))
    .sort((a, b) => b.remainder - a.remainder);
  for (const { index } of byRemainder.slice(0, left)) sizes[index] = (sizes[index] ?? 0) + 1;
  return sizes;
}

/** `85.7%`; a rate that is not exactly 0 or 100 % is never shown as such. */
export function percent(rate: number | undefined): string {
  if (rate === undefined) return '';
  const rounded = Math.round(rate * 1000) / 10;
  if (rate < 1 && rounded === 100) return '99.9%';
  if (rate > 0 && rounded === 0) return '0.1%';
  return `${rounded.toFixed(1)}%`;
}

/** As in `percent`, within a sentence: `95%`. */
export const percentText = (rate: number) => percent(rate).replace('.0%', '%');
