// Fits lines with colors into a terminal.
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import type { OutputStream } from '../platform/host.ts';
import { truncate } from './table.ts';

/** Lines of the terminal that they occupy, also after it became narrower. */
export const heightOf = (lines: readonly string[], columns: number): number =>
  lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(stringWidth(line) / columns)), 0);

/**
 * The lines that fit. The last column stays empty, because a character there can break the line. If there are too many
 * lines, those before the last one are left out. A line that is cut loses its colors.
 */
export function fitFrame(
  lines: readonly string[],
  { columns, rows }: Pick<OutputStream, 'columns' | 'rows'>,
): string[] {
  const width = Math.max(1, columns - 1);
  const height = Math.max(1, rows - 1);
  const fitting =
    lines.length <= height ? lines : [...lines.slice(0, height - 1), ...lines.slice(-1)];
  return fitting.map((line) =>
    stringWidth(line) <= width ? line : truncate(stripVTControlCharacters(line), width),
  );
}
