// Formats results as Markdown, for comments on pull requests and wiki pages.
import { cellText } from './fields.ts';
import { toCells } from './lines.ts';
import {
  type Column,
  type CommandsPart,
  type Line,
  plainText,
  type RecordPart,
  type TextPart,
} from './result.ts';
import { safeText } from './safe-text.ts';

/** A text as part of a paragraph or a cell. The characters of Markdown and HTML stand for themselves. */
const inline = (text: string) => safeText(text).replace(/[\\`*_{}[\]<>#|~]/g, '\\$&');

/** A table; empty without rows. */
export function markdownTable<T>(rows: readonly T[], columns: readonly Column<T>[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [
    line(columns.map(({ header }) => inline(header))),
    line(columns.map(({ right }) => (right ? '---:' : '---'))),
    ...rows.map((row) => line(toCells(row, columns).map((cell) => inline(cellText(cell))))),
  ].join('');
}

/** Fields with a value, one in a line. */
export const markdownFields = <T>(value: T, columns: readonly Column<T>[]): string =>
  toCells(value, columns)
    .map((cell, index) => ({ text: cellText(cell), header: columns[index]?.header ?? '' }))
    .filter(({ text }) => text !== '')
    .map(({ text, header }) => `- **${inline(header)}**: ${inline(text)}\n`)
    .join('');

export function markdownPart(part: RecordPart | CommandsPart | TextPart): string {
  const heading = `\n### ${inline(part.title)}\n\n`;
  if ('commands' in part) return heading + fenced(part.commands);
  if ('lines' in part) return heading + fenced(part.lines);
  const { rows, columns, empty } = part;
  const table = markdownTable(rows, columns as readonly Column<unknown>[]);
  return heading + (table || `${inline(empty)}\n`);
}

/** Lines for people, as they are on a terminal. */
export const markdownLines = (lines: readonly Line[]): string => fenced(lines.map(plainText));

function fenced(lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const texts = lines.flatMap((line) => line.split('\n')).map(safeText);
  const longest = Math.max(2, ...texts.map((text) => /^`*/.exec(text)?.[0].length ?? 0));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${texts.join('\n')}\n${fence}\n`;
}
