// The progress of a run for a terminal: one line that fits its width, with a bar where there is room for one.
import stringWidth from 'string-width';
import { type ProgressFacts, progressLine } from './progress.ts';
import { cut } from './table.ts';

const widestBar = 24;
const narrowestBar = 8;
const shortestLabel = 12;

/**
 * `Importing in Production (profile live) ███████░░░ 42%  41,000 rows  8,100/s  ETA 7s  3 rejected`. In a narrow
 * terminal the bar shrinks and goes first, then the words before it; the numbers stay.
 */
export function progressBar(facts: ProgressFacts, width: number): string {
  const { doing, share } = facts;
  const numbers = progressLine(facts);
  const most = Math.max(0, width - 1);
  const left = most - numbers.length;
  const room = Math.min(widestBar, left - stringWidth(doing) - 2);
  if (share !== undefined && room >= narrowestBar) {
    const done = Math.round(share * room);
    return `${doing} ${'█'.repeat(done)}${'░'.repeat(room - done)} ${numbers}`;
  }
  if (left - 1 < shortestLabel) return numbers.slice(0, most);
  return `${cut(doing, left - 1)} ${numbers}`;
}
