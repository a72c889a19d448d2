// Lays out tables within a width: drops the least important columns first, and prints cards if nothing fits.
// Takes cells that are already safe for the terminal.
import stringWidth from 'string-width';
import { plainText, type Span, type Tone } from './result.ts';
import type { Style } from './style.ts';
import { wrapText } from './wrap.ts';

export interface TableColumn {
  header: string;
  drop?: number;
  shrink?: true | number;
  shorten?: true;
  right?: true;
  cutStart?: true;
  squeeze?: true;
  wholeWords?: true;
  wrap?: true;
}

export interface Cell {
  text: string;
  tone: Tone;
  /** The text in parts with their own tones. A text that does not fit has one tone. */
  spans?: readonly Span[];
}

const gap = 2;
const defaultMinWidth = 12;
const minIdLength = 6;

interface SizedColumn {
  column: TableColumn;
  size: number;
}

/** The width to which a column may be truncated. */
type Floor = (column: SizedColumn) => number;

const minimum: Floor = ({ column: { shrink = Number.POSITIVE_INFINITY }, size }) =>
  Math.min(size, shrink === true ? defaultMinWidth : shrink);

/** Texts of this width stay whole while there are less important columns to drop. */
const legibleWidth = 24;
const legible: Floor = (sized) => Math.max(minimum(sized), Math.min(sized.size, legibleWidth));

/** The subject stays legible, less important columns may be as narrow as possible. */
const subjectLegible: Floor = (sized) => (sized.column.drop ? minimum(sized) : legible(sized));

export interface TableOptions {
  width: number;
  style: Style;
  header: boolean;
  /** Column widths of the previous rows, to align with them. */
  widths?: number[];
}

/** Lines of a table no wider than `width`. */
export async function tableText(
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
  { width, style, header, widths = [] }: TableOptions,
): Promise<string> {
  const natural = columns.map((column, index) =>
    Math.max(
      header ? stringWidth(column.header) : 0,
      widths[index] ?? 0,
      ...rows.map((row) => stringWidth(row[index]?.text ?? '')),
    ),
  );
  widths.splice(0, widths.length, ...natural);
  const shortened = columns.map(({ shorten }, index) =>
    shorten ? uniqueWidth(rows.map((row) => row[index]?.text ?? '')) : Number.POSITIVE_INFINITY,
  );
  const fitted = fitColumns(columns, { natural, shortened }, width);
  if (!fitted) return cards(columns, rows, { width, style });
  const { default: Table } = await import('cli-table3');
  // One table per line, because cells are already padded, and the library measures some scripts wider than
  // terminals do, so it would widen the cells of the other lines.
  const line = (cells: string[]) => {
    const table = new Table({
      chars: borderless,
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': gap },
    });
    table.push(cells);
    return `${trimLine(table.toString())}\n`;
  };
  const heading = fitted.map(({ column, size }) =>
    style.heading(padCell(column.header, size, column.right)),
  );
  const lines = rows.flatMap((row) => {
    const cells = fitted.map(({ column, index, size }) => {
      const { text, tone, spans } = row[index] ?? emptyCell;
      const { right } = column;
      if (spans && stringWidth(text) <= size) return { size, tone, parts: [text], spans, right };
      return { size, tone, parts: fitText(column, text, size), right };
    });
    const height = Math.max(...cells.map(({ parts }) => parts.length));
    return Array.from({ length: height }, (_unused, at) =>
      cells.map(({ size, tone, parts, spans, right }) => {
        const padded = padCell(parts[at] ?? '', size, right);
        return at === 0 && spans ? toneSpans(spans, padded, style) : style.tone(tone, padded);
      }),
    );
  });
  return [...(header ? [heading] : []), ...lines].map(line).join('');
}

/** `padded` is the text of the spans and the spaces behind it. */
const toneSpans = (spans: readonly Span[], padded: string, style: Style) =>
  spans.map(({ text, tone = 'plain' }) => (text === '' ? '' : style.tone(tone, text))).join('') +
  padded.slice(plainText(spans).length);

/** The lines of a cell: wrapped, or truncated at its start or end. */
function fitText(column: TableColumn, text: string, width: number): string[] {
  if (column.wrap) return wrapText(text, width);
  if (column.cutStart || column.shorten)
    return [(column.wholeWords ? cutStartWords : cutStart)(text, width)];
  return [(column.wholeWords ? truncateWords : truncate)(text, width)];
}

/** Truncates after a whole word, unless this would leave much of the width empty. */
function truncateWords(text: string, width: number): string {
  const truncated = truncate(text, width);
  const kept = truncated.slice(0, -1);
  if (truncated === text || text.at(kept.length) === ' ') return truncated;
  const [words = ''] = /^.*\S(?= )/.exec(kept) ?? [];
  return stringWidth(words) * 2 >= width ? `${words}…` : truncated;
}

const emptyCell: Cell = { text: '', tone: 'plain' };

const borderless = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
    .concat(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'])
    .map((name) => [name, '']),
);

/** The columns to print with their widths; undefined if not even the required ones fit. */
function fitColumns(
  columns: readonly TableColumn[],
  { natural, shortened }: Record<'natural' | 'shortened', readonly number[]>,
  width: number,
) {
  let kept = columns.map((column, index) => ({ column, index, size: natural[index] ?? 0 }));
  for (;;) {
    const over = excess(kept, width);
    if (over <= 0) return kept;
    const next = Math.max(...kept.map(({ column }) => column.drop ?? 0));
    const floors = [legible, subjectLegible, ...(next > 1 ? [] : [minimum])];
    const floor = floors.find((candidate) => roomIn(kept, candidate) >= over);
    if (floor) return shrinkBy(kept, over, floor);
    if (next === 0) {
      const short = kept.map(({ column, index, size }) => ({
        column,
        index,
        size: Math.min(size, Math.max(shortened[index] ?? size, stringWidth(column.header))),
      }));
      const left = excess(short, width);
      if (left <= 0) return short;
      const squeezed = short.map((entry) =>
        entry.column.squeeze
          ? { ...entry, column: { ...entry.column, shrink: defaultMinWidth } }
          : entry,
      );
      return roomIn(squeezed, minimum) >= left ? shrinkBy(squeezed, left, minimum) : undefined;
    }
    const dropped = kept.findLastIndex(({ column }) => column.drop === next);
    kept = kept.filter((_column, index) => index !== dropped);
  }
}

/** By how much the columns are wider than `width`. */
const excess = (kept: readonly { size: number }[], width: number) =>
  kept.reduce((sum, { size }) => sum + size + gap, -gap) - width;

/** The width of ids that are cut at the start, such that they still differ. */
function uniqueWidth(texts: readonly string[]): number {
  const ids = [...new Set(texts)];
  const longest = Math.max(0, ...ids.map((id) => id.length));
  for (let length = minIdLength; length < longest; length += 1)
    if (new Set(ids.map((id) => id.slice(-length))).size === ids.length) return length + 1;
  return longest;
}

/** The number of characters by which the columns can be truncated. */
const roomIn = (kept: readonly SizedColumn[], floor: Floor) =>
  kept.reduce((sum, sized) => sum + sized.size - floor(sized), 0);

/** Removes `over` characters from the widest columns that may be truncated. */
function shrinkBy<C extends SizedColumn>(kept: C[], over: number, floor: Floor): C[] {
  const sized = kept.map((entry) => ({ entry: { ...entry }, least: floor(entry) }));
  for (let left = over; left > 0; left -= 1) {
    const shrinkable = sized.filter(({ entry, least }) => entry.size > least);
    shrinkable.reduce((a, b) => (b.entry.size > a.entry.size ? b : a)).entry.size -= 1;
  }
  return sized.map(({ entry }) => entry);
}

const maxCardLines = 4;

/** One card per row, of the columns that a table keeps longest. Short cells share lines, with their headers, if they are still too many. */
function cards(
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
  { width, style }: { width: number; style: Style },
): string {
  const important = columns
    .map((column, index) => ({ column, index }))
    .sort((a, b) => (a.column.drop ?? 0) - (b.column.drop ?? 0))
    .filter(({ column: { drop = 0 } }, place) => drop === 0 || place < maxCardLines);
  const cardColumns = columns.filter((_column, index) =>
    important.some((column) => column.index === index),
  );
  const pad = headerPadding(cardColumns);
  const indent = ' '.repeat(stringWidth(pad('')) + gap);
  const room = Math.max(width - indent.length, defaultMinWidth);
  const card = (row: readonly Cell[]) => {
    const lines = columns.flatMap((column, index) => {
      const cell = row[index];
      return cell && cell.text !== '' && cardColumns.includes(column) ? [[{ column, cell }]] : [];
    });
    const lineWidth = (line: (typeof lines)[number], isFirst: boolean) =>
      line.reduce(
        (sum, { column, cell }, at) =>
          sum +
          gap +
          stringWidth(at === 0 && isFirst ? cell.text : `${column.header} ${cell.text}`),
        -gap,
      );
    while (lines.length > maxCardLines) {
      const at = lines.findIndex(
        (line, index) =>
          index + 1 < lines.length &&
          lineWidth(line, true) + gap + lineWidth(lines[index + 1] ?? [], false) <= room,
      );
      if (at < 0) break;
      lines.splice(at, 2, [...(lines[at] ?? []), ...(lines[at + 1] ?? [])]);
    }
    return lines.flatMap((line) => {
      const [first] = line;
      if (!first) return [];
      const { column, cell } = first;
      const label = `${style.heading(pad(column.header))}${' '.repeat(gap)}`;
      if (line.length > 1) {
        const texts = line.map((entry, at) =>
          [
            at === 0 ? '' : `${style.heading(entry.column.header)} `,
            cellWithTone(entry.cell, style),
          ].join(''),
        );
        return [label + texts.join(' '.repeat(gap))];
      }
      if (cell.spans || !column.wrap) return [label + cellWithTone(cell, style)];
      return wrapText(cell.text, room).map(
        (text, at) => (at === 0 ? label : indent) + style.tone(cell.tone, text),
      );
    });
  };
  return `${rows.map((row) => card(row).join('\n')).join('\n\n')}\n`;
}

/** The text of a cell in its colors. */
export const cellWithTone = ({ text, tone, spans }: Cell, style: Style) =>
  spans ? toneSpans(spans, text, style) : style.tone(tone, text);

/** Returns a function that pads a header to the width of the widest one. */
export function headerPadding(columns: readonly { header: string }[]): (header: string) => string {
  const label = Math.max(0, ...columns.map(({ header }) => stringWidth(header)));
  return (header) => padCell(header, label);
}

/** Truncates a text to a width, with an ellipsis. */
export function truncate(text: string, width: number): string {
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

/** The end of a text, with an ellipsis before it if the text is wider than `width`. */
function cutStart(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  const segments = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  let start = segments.length;
  let size = 1;
  while (start > 0) {
    size += stringWidth(segments[start - 1] ?? '');
    if (size > width) break;
    start -= 1;
  }
  return `…${segments.slice(start).join('')}`;
}

/** Begins with a whole word, unless the last word alone is wider. */
function cutStartWords(text: string, width: number): string {
  const kept = cutStart(text, width);
  if (kept === text || text.at(1 - kept.length - 1) === ' ') return kept;
  const words = kept.indexOf(' ');
  return words < 0 ? kept : `…${kept.slice(words + 1)}`;
}

function padCell(text: string, width: number, right = false): string {
  const space = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return right ? space + text : text + space;
}

/** Removes trailing spaces, also before closing color codes. */
const trimLine = (line: string) => line.replace(/ +((?:\x1b\[\d+m)*) *$/, '$1');
