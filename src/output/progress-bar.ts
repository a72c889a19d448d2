// The progress of a run on a terminal: one line that fits the width, with a bar if there is room.
import stringWidth from 'string-width';
import { type ProgressState, progressLine } from './progress.ts';
import { truncate } from './table.ts';

const maxBarWidth = 24;
const minBarWidth = 8;
const minLabelWidth = 12;

/**
 * `Importing in Production (profile live) ███████░░░ 42%  41,000 rows  8,100/s  ETA 7s  3 rejected`. In a narrow
 * terminal the bar is shortened and then omitted, then the label. The numbers always stay.
 */
export function progressBar(facts: ProgressState, width: number): string {
  const { label, fraction } = facts;
  const numbers = progressLine(facts);
  const maxWidth = Math.max(0, width - 1);
  const left = maxWidth - numbers.length;
  const room = Math.min(maxBarWidth, left - stringWidth(label) - 2);
  if (fraction !== undefined && room >= minBarWidth) {
    const done = Math.round(fraction * room);
    return `${label} ${'█'.repeat(done)}${'░'.repeat(room - done)} ${numbers}`;
  }
  if (left - 1 < minLabelWidth) return numbers.slice(0, maxWidth);
  return `${truncate(label, left - 1)} ${numbers}`;
}
