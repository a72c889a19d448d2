// Prints one object: aligned fields on a terminal, `field<TAB>value` lines in a pipe, or the format of -o.
import { checkFields } from './field-check.ts';
import { csvLines, idLines, tabLine, toCells } from './lines.ts';
import { printList } from './print-list.ts';
import { chooseShape, jsonText, maskAndPick, type Printer, yamlText } from './printer.ts';
import {
  type Column,
  type CommandsPart,
  onePage,
  type RecordPart,
  type RecordResult,
  type TextPart,
  toHeader,
} from './result.ts';
import { safeText } from './safe-text.ts';
import { styledLine } from './style.ts';

export async function printRecord<T extends object>(result: RecordResult<T>, printer: Printer) {
  const shape = chooseShape(printer);
  if (result.rows && ['lines', 'csv', 'tsv', 'ids'].includes(shape)) {
    const { items, columns, id } = result.rows as ListRows;
    return printList({ kind: 'list', pages: onePage(items), columns, id, empty: '' }, printer);
  }
  const value = maskAndPick(result.value, printer) as T;
  await checkFields([result.value], printer);
  if (shape === 'json') return printer.write(await jsonText(value, printer, 2));
  if (shape === 'ndjson') return printer.write(await jsonText(value, printer));
  if (shape === 'yaml') return printer.write(await yamlText(value));
  if (shape === 'ids') return printer.write(idLines(result.id ? [result.id(result.value)] : []));
  if (shape === 'table') return printer.write(await recordText(result, value, printer));
  const entries = Object.entries(value);
  if (shape === 'lines') return printer.write(entries.map((entry) => tabLine(entry)).join(''));
  const rows = [entries.map(([, member]) => member)];
  if (printer.header) rows.unshift(entries.map(([name]) => name));
  return printer.write(
    shape === 'csv' ? await csvLines(rows, printer.csvSafe) : rows.map(tabLine).join(''),
  );
}

/** The item type is known only to the command. */
interface ListRows {
  items: readonly unknown[];
  columns: readonly Column<unknown>[];
  id: (item: unknown) => string;
}

const minWrapWidth = 12;

async function recordText<T extends object>(
  { fields, parts }: RecordResult<T>,
  value: T,
  printer: Printer,
) {
  const { toCell, withSafeHeader } = await import('./rows.ts');
  const { cellWithTone, headerPadding } = await import('./table.ts');
  const { wrapText, wrapTerminal } = await import('./wrap.ts');
  const columns = (printer.fields || !fields ? toColumns(value) : fields).map(withSafeHeader);
  const pad = headerPadding(columns);
  const lines = toCells(value, columns).flatMap((member, index) => {
    const column = columns[index];
    if (!column) return [];
    const cell = toCell(value, member, column, printer);
    if (cell.text === '') return [];
    const label = pad(column.header);
    const room = Math.max(printer.width - label.length - 2, minWrapWidth);
    // A longer word, such as a URL, stays whole, so that it can be copied.
    const texts = (column.wrap ? wrapText : wrapTerminal)(cell.text, room);
    return texts.map((text, at) => {
      const start = at === 0 ? printer.style.heading(label) : ' '.repeat(label.length);
      return `${start}  ${cellWithTone({ ...cell, text }, printer.style)}\n`;
    });
  });
  const tables = printer.fields
    ? []
    : await Promise.all((parts ?? []).map((part) => partText(part, printer)));
  return [lines.join(''), ...tables].join('');
}

async function partText(
  part: RecordPart | CommandsPart | TextPart,
  printer: Printer,
): Promise<string> {
  const legend = 'legend' in part ? part.legend?.(printer.unicode) : undefined;
  const heading = `\n${printer.style.heading(part.title)}${styledLine(legend ?? [], printer.style)}`;
  if ('commands' in part)
    return heading + part.commands.map((line) => `  ${safeText(line)}\n`).join('');
  if ('lines' in part) {
    const { wrapTerminal } = await import('./wrap.ts');
    const lines = part.lines.flatMap((line) => wrapTerminal(safeText(line), printer.width));
    return heading + lines.map((line) => `${line}\n`).join('');
  }
  const { rows, columns, empty } = part;
  if (rows.length === 0) return `${heading}${empty}\n`;
  const { shownColumns, tableRows } = await import('./rows.ts');
  const maskedRows = rows.map((row) => maskAndPick(row, printer));
  const shown = shownColumns(maskedRows, columns as readonly Column<unknown>[]);
  return heading + (await tableRows(maskedRows, shown, printer));
}

const toColumns = <T extends object>(value: T): Column<T>[] =>
  Object.keys(value).map((field) => ({ field, header: toHeader(field) }));
