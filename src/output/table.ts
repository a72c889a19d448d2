// Tables for people: columns that fit the width, least needed dropped first, cards when none fit.
// Takes finished cells (already safe text) and returns lines.
import stringWidth from 'string-width';
import type { Tone } from './result.ts';
import type { Style } from './style.ts';
import { wrapText } from './wrap.ts';

export interface TableColumn {
  header: string;
  drop?: number;
  shrink?: true | number;
  squeeze?: true;
  wrap?: true;
}

export interface Cell {
  text: string;
  tone: Tone;
}

const gap = 2;
const narrowest = 12;

/** The least width that a column may be cut to; undefined when it may not be cut. */
const least = ({ shrink }: TableColumn) => (shrink === true ? narrowest : shrink);

const canShrink = ({ column, size }: { column: TableColumn; size: number }) =>
  size > (least(column) ?? size);

export interface TableFacts {
  width: number;
  style: Style;
  header: boolean;
  /** Widths of the rows before, by column: these rows stand below those. */
  widths?: number[];
}

/** Lines of a table no wider than `width`. */
export async function tableText(
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
  { width, style, header, widths = [] }: TableFacts,
): Promise<string> {
  const natural = columns.map((column, index) =>
    Math.max(
      header ? stringWidth(column.header) : 0,
      widths[index] ?? 0,
      ...rows.map((row) => stringWidth(row[index]?.text ?? '')),
    ),
  );
  widths.splice(0, widths.length, ...natural);
  const fitted = fitColumns(columns, natural, width);
  if (!fitted) return cards(columns, rows, { width, style });
  const { default: Table } = await import('cli-table3');
  // A table for each line: every cell has its width already, and the library, which measures some scripts
  // wider than terminals do, would fill the cells of the other lines up.
  const line = (cells: string[]) => {
    const table = new Table({
      chars: borderless,
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': gap },
    });
    table.push(cells);
    return `${trimLine(table.toString())}\n`;
  };
  const heading = fitted.map(({ index, size }) =>
    style.heading(filled(columns[index]?.header ?? '', size)),
  );
  const lines = rows.flatMap((row) => {
    const cells = fitted.map(({ column, index, size }) => {
      const { text, tone } = row[index] ?? nothing;
      return { size, tone, parts: column.wrap ? wrapText(text, size) : [cut(text, size)] };
    });
    const height = Math.max(...cells.map(({ parts }) => parts.length));
    return Array.from({ length: height }, (_unused, at) =>
      cells.map(({ size, tone, parts }) => style.tone(tone, filled(parts[at] ?? '', size))),
    );
  });
  return [...(header ? [heading] : []), ...lines].map(line).join('');
}

const nothing: Cell = { text: '', tone: 'plain' };

const borderless = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
    .concat(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'])
    .map((name) => [name, '']),
);

/** Which columns stay and how wide each may be; undefined when not even the needed ones fit. */
function fitColumns(columns: readonly TableColumn[], natural: readonly number[], width: number) {
  let kept = columns.map((column, index) => ({ column, index, size: natural[index] ?? 0 }));
  for (;;) {
    const over = kept.reduce((sum, { size }) => sum + size + gap, -gap) - width;
    if (over <= 0) return kept;
    if (roomIn(kept) >= over) return shrinkBy(kept, over);
    const next = Math.max(...kept.map(({ column }) => column.drop ?? 0));
    if (next === 0) {
      const squeezed = kept.map((entry) =>
        entry.column.squeeze ? { ...entry, column: { ...entry.column, shrink: narrowest } } : entry,
      );
      return roomIn(squeezed) >= over ? shrinkBy(squeezed, over) : undefined;
    }
    const dropped = kept.findLastIndex(({ column }) => column.drop === next);
    kept = kept.filter((_column, index) => index !== dropped);
  }
}

/** By how many characters the columns can be cut. */
const roomIn = (kept: readonly { column: TableColumn; size: number }[]) =>
  kept.filter(canShrink).reduce((sum, { column, size }) => sum + size - (least(column) ?? size), 0);

/** Takes `over` characters from the widest columns that may be cut. */
function shrinkBy<C extends { column: TableColumn; size: number }>(kept: C[], over: number): C[] {
  let left = over;
  const sized = kept.map((entry) => ({ ...entry }));
  while (left > 0) {
    const soft = sized.filter(canShrink);
    const widest = soft.reduce((a, b) => (b.size > a.size ? b : a));
    widest.size -= 1;
    left -= 1;
  }
  return sized;
}

function cards(
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
  { width, style }: { width: number; style: Style },
): string {
  const pad = padded(columns);
  const indent = ' '.repeat(stringWidth(pad('')) + gap);
  const room = Math.max(width - indent.length, narrowest);
  const card = (row: readonly Cell[]) =>
    columns.flatMap(({ header, wrap }, index) => {
      const cell = row[index];
      if (!cell || cell.text === '') return [];
      const label = `${style.heading(pad(header))}${' '.repeat(gap)}`;
      return (wrap ? wrapText(cell.text, room) : [cell.text]).map(
        (text, at) => (at === 0 ? label : indent) + style.tone(cell.tone, text),
      );
    });
  return `${rows.map((row) => card(row).join('\n')).join('\n\n')}\n`;
}

/** Makes the names of the columns as wide as the widest of them. */
export function padded(columns: readonly { header: string }[]): (header: string) => string {
  const label = Math.max(0, ...columns.map(({ header }) => stringWidth(header)));
  return (header) => filled(header, label);
}

/** A text with an ellipsis where it is wider than that. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  let size = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const next = stringWidth(segment);
    if (size + next > width - 1) break;
    kept += segment;
    size += next;
  }
  return `${kept}…`;
}

const filled = (text: string, width: number) =>
  text + ' '.repeat(Math.max(0, width - stringWidth(text)));

/** Trailing blanks off, also behind a closing colour. */
const trimLine = (line: string) => line.replace(/ +((?:\x1b\[\d+m)*) *$/, '$1');
