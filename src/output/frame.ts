// Fits lines with colors into a terminal.
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { truncate } from './table.ts';

/** Lines of the terminal that they occupy, also after it became narrower. */
export const heightOf = (lines: readonly string[], columns: number): number =>
  lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(stringWidth(line) / columns)), 0);

/** The lines below a frame: when the next step is due, and the keys. */
const footLines = 4;

/**
 * The lines that fit. The last column stays empty, because a character there can break the line. If there are too many
 * lines, those above the foot are left out. A line that is cut loses its colors.
 */
export function fitFrame(
  lines: readonly string[],
  { columns, rows }: { columns: number; rows: number },
): string[] {
  const width = Math.max(1, columns - 1);
  const height = Math.max(1, rows - 1);
  const foot = Math.max(1, Math.min(footLines, Math.floor(height / 2)));
  const fitting =
    lines.length <= height ? lines : [...lines.slice(0, height - foot), ...lines.slice(-foot)];
  return fitting.map((line) =>
    stringWidth(line) <= width ? line : truncate(stripVTControlCharacters(line), width),
  );
}
