// The progress of a run for a terminal: one line that fits its width, with a bar where there is room for one.
import stringWidth from 'string-width';
import { type ProgressState, progressLine } from './progress.ts';
import { truncate } from './table.ts';

const maxBarWidth = 24;
const minBarWidth = 8;
const minLabelWidth = 12;

/**
 * `Importing in Production (profile live) ███████░░░ 42%  41,000 rows  8,100/s  ETA 7s  3 rejected`. In a narrow
 * terminal the bar shrinks and goes first, then the words before it; the numbers stay.
 */
export function progressBar(facts: ProgressState, width: number): string {
  const { label, fraction } = facts;
  const numbers = progressLine(facts);
  const most = Math.max(0, width - 1);
  const left = most - numbers.length;
  const room = Math.min(maxBarWidth, left - stringWidth(label) - 2);
  if (fraction !== undefined && room >= minBarWidth) {
    const done = Math.round(fraction * room);
    return `${label} ${'█'.repeat(done)}${'░'.repeat(room - done)} ${numbers}`;
  }
  if (left - 1 < minLabelWidth) return numbers.slice(0, most);
  return `${truncate(label, left - 1)} ${numbers}`;
}
