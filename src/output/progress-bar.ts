// The progress of a run on a terminal: one line that fits the width.
import stringWidth from 'string-width';
import { type ProgressState, progressParts } from './progress.ts';
import { truncate } from './table.ts';

const cells = 10;

/**
 * `Importing in Production (profile live) ████░░░░░░ 42%  41,000 rows  8,100/s ▂▅▇█  ETA 7s  3 rejected (0.1%)`. In a
 * narrow terminal the rate over time is omitted, then the rate and the rejected rows, other numbers and the bar. The
 * label with the environment is never cut, unless it is wider than the terminal itself.
 */
export function progressBar(state: ProgressState, width: number): string {
  const { label, fraction } = state;
  const done = Math.round((fraction ?? 0) * cells);
  const bar = '█'.repeat(done) + '░'.repeat(cells - done);
  const maxWidth = Math.max(0, width - 1);
  let parts = progressParts(state, { isRateDrawn: true });
  for (;;) {
    const numbers = parts.map(({ text }) => text).join('  ');
    const start = fraction === undefined || parts.length === 0 ? label : `${label} ${bar}`;
    const line = numbers === '' ? start : `${start} ${numbers}`;
    if (stringWidth(line) <= maxWidth) return line;
    if (parts.length === 0) return maxWidth === 0 ? '' : truncate(label, maxWidth);
    const last = Math.max(...parts.map(({ drop }) => drop));
    if (parts.some(({ text }) => text.includes('/s '))) parts = progressParts(state);
    else parts = parts.filter(({ drop }) => drop !== last);
  }
}
