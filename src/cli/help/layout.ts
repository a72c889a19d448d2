// Lays out help as plain text: paragraphs, sections and two columns, at most 80 characters wide.
import { wrapWords } from '../../core/text.ts';

const width = 80;

export type Row = readonly [name: string, text: string];

/** Joins blocks with empty lines. A block of one line is wrapped. */
export const join = (blocks: readonly string[]) =>
  `${blocks
    .filter((block) => block !== '')
    .map((block) => (block.includes('\n') ? block : wrapWords(block, width).join('\n')))
    .join('\n\n')}\n`;

/** A heading with rows in two columns, with preformatted lines, or both. Empty if there are neither. */
export function section(
  title: string,
  rows: readonly Row[],
  lines: readonly string[] = [],
): string {
  if (rows.length === 0 && lines.length === 0) return '';
  const label = Math.min(30, Math.max(0, ...rows.map(([name]) => name.length)));
  return [
    `${title}:`,
    ...rows.flatMap(([name, summary]) => twoColumns(name, summary, label)),
    ...lines,
  ].join('\n');
}

/** A heading with a paragraph. */
export const note = (title: string, text: string) =>
  section(
    title,
    [],
    wrapWords(text, width - 2).map((line) => `  ${line}`),
  );

/** The name and its text side by side, with the text wrapped. */
function twoColumns(name: string, summary: string, label: number): string[] {
  const indent = ' '.repeat(label + 4);
  const [first = '', ...others] = wrapWords(summary, width - indent.length);
  const head =
    name.length > label
      ? [`  ${name}`, `${indent}${first}`]
      : [`  ${name.padEnd(label)}  ${first}`];
  return [...head, ...others.map((line) => `${indent}${line}`)];
}
