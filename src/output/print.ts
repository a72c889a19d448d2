// Prints a result to standard output in the requested format, or in the default format of the stream.
// Masking and escaping for the terminal happen only in the modules called from here.
import { checkFields } from './fields.ts';
import { csvLines, idLines, tabLine, toCells } from './lines.ts';
import { printList } from './print-list.ts';
import { chooseShape, isWide, jsonText, maskAndPick, type Printer, yamlText } from './printer.ts';
import {
  type Column,
  type CommandsPart,
  fieldColumns,
  type JsonResult,
  type Line,
  type ListResult,
  onePage,
  type RecordPart,
  type RecordResult,
  type ReportResult,
  type Result,
  type TextPart,
  toHeader,
} from './result.ts';
import { safeJson, safeLines, safeMultilineText, safeText } from './safe-text.ts';
import { styledLine } from './style.ts';

/**
 * Prints a result. Control characters are made visible on a terminal. In a pipe, text for people is the same, and formats
 * for programs carry every character as it is.
 */
export function print(result: Result, base: Printer): Promise<void> {
  const { defaultFormat = undefined } = result.type === 'list' ? result : {};
  const printer = defaultFormat ? { format: defaultFormat, ...base } : base;
  return printResult(result, withSafeOutput(result, printer));
}

function withSafeOutput({ type }: Result, printer: Printer): Printer {
  const shape = chooseShape(printer);
  const isText = type === 'text' || printer.jq !== undefined;
  const isJson =
    type === 'json' ? printer.format !== 'yaml' : shape === 'json' || shape === 'ndjson';
  const isForPrograms = isText || isJson || shape === 'csv' || shape === 'ids';
  if (isForPrograms && !printer.isTty) return printer;
  // Table cells are already safe, and contain color codes.
  if (!isForPrograms && shape === 'table') return printer;
  const safe = isText ? safeMultilineText : isJson ? safeJson : safeLines;
  return { ...printer, write: (text) => printer.write(safe(text)) };
}

function printResult(result: Result, printer: Printer): Promise<void> {
  switch (result.type) {
    case 'none':
      return Promise.resolve();
    case 'text':
      return printer.write(result.text);
    case 'json':
      return printJson(result, printer);
    case 'list':
      return printList(result, printer);
    case 'record':
      return printRecord(result, printer);
    case 'report':
      return printReport(result, printer);
    case 'dryRun':
      return printReport(
        { ...result, type: 'report', lines: result.lines.map((text) => [{ text }]) },
        withoutFields(printer),
      );
  }
}

const withoutFields = ({ fields: _fields, ...printer }: Printer): Printer => printer;

/** Whether a pipe that no format was requested for gets the lines of a terminal. */
const printsLines = (printer: Printer) =>
  chooseShape(printer) === 'lines' && printer.fields === undefined;

async function printReport(
  { value, lines, ids, columns, rows, tsv, hasLinesInPipe }: ReportResult,
  printer: Printer,
): Promise<void> {
  const shape = chooseShape(printer);
  if (hasLinesInPipe && printsLines(printer)) return printer.write(await linesText(lines, printer));
  if (shape === 'table' || shape === 'ids')
    await checkFields(Array.isArray(value) ? value : [value], printer);
  if (shape === 'table') return printer.write(await linesText(lines, printer));
  if (shape === 'lines' && tsv !== undefined && !printer.fields) return printer.write(`${tsv}\n`);
  if (shape === 'ids') return printer.write(idLines(ids));
  if (shape === 'markdown' && !rows && !Array.isArray(value))
    return printer.write((await import('./markdown.ts')).markdownLines(lines));
  // --fields names members of the value.
  if (rows && !printer.fields && ['lines', 'csv', 'tsv', 'markdown'].includes(shape))
    return printList(toListResult(rows.items, rows.columns), printer);
  if (Array.isArray(value)) return printList(toListResult(value, columns), printer);
  return printRecord({ type: 'record', value: value as object }, printer);
}

async function linesText(
  lines: readonly Line[],
  { messageWidth, style }: Printer,
): Promise<string> {
  const { wrapTerminalMessage } =
    messageWidth === undefined ? { wrapTerminalMessage: undefined } : await import('./wrap.ts');
  const wrapped = lines.flatMap((line): readonly Line[] =>
    typeof line === 'string' && wrapTerminalMessage && messageWidth !== undefined
      ? wrapTerminalMessage(safeText(line), messageWidth)
      : [line],
  );
  return wrapped.map((line) => styledLine(line, style)).join('');
}

/** A complete array as a list, such as the results of one trigger. */
function toListResult(
  values: readonly unknown[],
  columns: readonly Column<never>[] | undefined,
): ListResult {
  const names = [...new Set(values.flatMap((value) => Object.keys(value as object)))];
  return {
    type: 'list',
    pages: onePage(values),
    columns: (columns as readonly Column<unknown>[] | undefined) ?? fieldColumns(names),
    id: String,
    empty: '',
  };
}

async function printJson({ value, head = [], unmasked }: JsonResult, base: Printer): Promise<void> {
  const printer = unmasked ? { ...base, reveal: true } : base;
  await printer.write(head.map((line) => `${safeText(line)}\n`).join(''));
  if (value === undefined) return;
  await checkFields(Array.isArray(value) ? value : [value], printer);
  const picked = maskAndPick(value, printer);
  if (printer.format === 'yaml' && printer.jq === undefined)
    return printer.write(await yamlText(picked));
  const items = printer.format === 'ndjson' && Array.isArray(picked) ? picked : [picked];
  const indent = printer.format === 'ndjson' ? undefined : 2;
  for (const item of items) await printer.write(await jsonText(item, printer, indent));
}

// Prints one object: aligned fields on a terminal, `field<TAB>value` lines in a pipe, or the format of -o.

export async function printRecord<T extends object>(result: RecordResult<T>, printer: Printer) {
  const shape = chooseShape(printer);
  if (result.headline !== undefined && printsLines(printer))
    return printer.write(await linesText([result.headline], printer));
  if (result.rows && ['lines', 'csv', 'tsv', 'ids'].includes(shape)) {
    const { items, columns, id } = result.rows as ListRows;
    if (result.rows.hint) printer.hint(result.rows.hint);
    return printList({ type: 'list', pages: onePage(items), columns, id, empty: '' }, printer);
  }
  const value = maskAndPick(result.value, printer) as T;
  await checkFields([result.value], printer);
  if (shape === 'json') return printer.write(await jsonText(value, printer, 2));
  if (shape === 'ndjson') return printer.write(await jsonText(value, printer));
  if (shape === 'yaml') return printer.write(await yamlText(value));
  if (shape === 'ids') return printer.write(idLines(result.id ? [result.id(result.value)] : []));
  if (shape === 'table') return printer.write(await recordText(result, value, printer));
  if (shape === 'markdown') return printer.write(await recordMarkdown(result, value, printer));
  const entries = Object.entries(value);
  if (shape === 'lines') return printer.write(entries.map((entry) => tabLine(entry)).join(''));
  const rows = [entries.map(([, member]) => member)];
  if (printer.header) rows.unshift(entries.map(([name]) => name));
  return printer.write(
    shape === 'csv' ? csvLines(rows, printer.csvSafe) : rows.map(tabLine).join(''),
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
  const { wrapLines, wrapText, wrapTerminal } = await import('./wrap.ts');
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
    const texts = cell.spans
      ? wrapLines([cell.spans], room, 0).map((line) => styledLine(line, printer.style))
      : (column.wrap ? wrapText : wrapTerminal)(cell.text, room).map(
          (text) => `${cellWithTone({ ...cell, text }, printer.style)}\n`,
        );
    return texts.map(
      (text, at) =>
        `${at === 0 ? printer.style.heading(label) : ' '.repeat(label.length)}  ${text}`,
    );
  });
  const tables = printer.fields
    ? []
    : await Promise.all(
        (parts ?? []).map((part) => partText(withMaskedRows(part, printer), printer)),
      );
  return [lines.join(''), ...tables].join('');
}

async function partText(
  part: RecordPart | CommandsPart | TextPart,
  printer: Printer,
): Promise<string> {
  const { title } = part;
  const withHeading = (text: string, legend: Line = []) =>
    `\n${printer.style.heading(title)}${styledLine(legend, printer.style)}${text}`;
  if ('commands' in part)
    return withHeading(part.commands.map((line) => `  ${safeText(line)}\n`).join(''));
  if ('lines' in part) {
    const { wrapTerminal } = await import('./wrap.ts');
    const lines = part.lines.flatMap((line) => wrapTerminal(safeText(line), printer.width));
    return withHeading(lines.map((line) => `${line}\n`).join(''));
  }
  const { rows, columns, empty, legend } = part;
  if (rows.length === 0) return withHeading(`${empty}\n`);
  const { nonEmptyColumns, tableRows } = await import('./rows.ts');
  const visibleColumns = nonEmptyColumns(
    rows,
    columns as readonly Column<unknown>[],
    isWide(printer),
  );
  const table = await tableRows(rows, visibleColumns, printer);
  // A narrow table has no column of bars.
  const hasBars = visibleColumns.some(({ spans, header }) => spans && table.includes(header));
  return withHeading(table, hasBars ? legend?.(printer.unicode) : undefined);
}

const withMaskedRows = <P extends object>(part: P, printer: Printer): P =>
  'rows' in part && Array.isArray(part.rows)
    ? { ...part, rows: part.rows.map((row: unknown) => maskAndPick(row, printer)) }
    : part;

async function recordMarkdown<T extends object>(
  { fields, parts = [] }: RecordResult<T>,
  value: T,
  printer: Printer,
) {
  const { markdownFields, markdownPart } = await import('./markdown.ts');
  const columns = printer.fields || !fields ? toColumns(value) : fields;
  return [
    markdownFields(value, columns),
    ...(printer.fields ? [] : parts.map((part) => markdownPart(withMaskedRows(part, printer)))),
  ].join('');
}

const toColumns = <T extends object>(value: T): Column<T>[] =>
  Object.keys(value).map((field) => ({ field, header: toHeader(field) }));
