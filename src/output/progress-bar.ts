// The progress of a run on a terminal: one line that fits the width, with the rate over time and a bar if there is room.
import stringWidth from 'string-width';
import { type ProgressState, progressLine } from './progress.ts';
import { truncate } from './table.ts';

const maxBarWidth = 24;
const minBarWidth = 8;
const minLabelWidth = 12;

/**
 * `Importing in Production (profile live) ███░░░ 42%  41,000 rows  8,100/s ▂▅▇█  ETA 7s  3 rejected (0.1%)`. In a narrow
 * terminal the rate over time is omitted, then the bar, then the label, then numbers.
 */
export function progressBar(facts: ProgressState, width: number): string {
  const { label, fraction } = facts;
  const maxWidth = Math.max(0, width - 1);
  for (const isRateDrawn of [true, false]) {
    const numbers = progressLine(facts, { isRateDrawn });
    const room = maxWidth - stringWidth(label) - numbers.length - 2;
    if (fraction === undefined && room >= 0) return `${label} ${numbers}`;
    if (fraction === undefined || room < minBarWidth) continue;
    const size = Math.min(maxBarWidth, room);
    const done = Math.round(fraction * size);
    return `${label} ${'█'.repeat(done)}${'░'.repeat(size - done)} ${numbers}`;
  }
  const numbers = progressLine(facts, { width: maxWidth });
  const left = maxWidth - numbers.length - 1;
  return left < minLabelWidth ? numbers : `${truncate(label, left)} ${numbers}`;
}
