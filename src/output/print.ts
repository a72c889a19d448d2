// Prints a result to standard output in the requested format, or in the default format of the stream.
// Masking and escaping for the terminal happen only in the modules called from here.
import { checkFields } from './field-check.ts';
import { idLines } from './lines.ts';
import { printList } from './print-list.ts';
import { printRecord } from './print-record.ts';
import { chooseShape, jsonText, maskAndPick, type Printer, yamlText } from './printer.ts';
import {
  type Column,
  fieldColumns,
  type JsonResult,
  type Line,
  type ListResult,
  onePage,
  type ReportResult,
  type Result,
} from './result.ts';
import { safeJson, safeLines, safeMultilineText, safeText } from './safe-text.ts';
import { styledLine } from './style.ts';

/**
 * Prints a result. Control characters are made visible on a terminal. In a pipe, text for people is the same, and formats
 * for programs carry every character as it is.
 */
export function print(result: Result, given: Printer): Promise<void> {
  const { defaultFormat = undefined } = result.kind === 'list' ? result : {};
  const printer = defaultFormat ? { format: defaultFormat, ...given } : given;
  return printResult(result, withSafeOutput(result, printer));
}

function withSafeOutput({ kind }: Result, printer: Printer): Printer {
  const shape = chooseShape(printer);
  const isText = kind === 'text' || printer.jq !== undefined;
  const isJson =
    kind === 'json' ? printer.format !== 'yaml' : shape === 'json' || shape === 'ndjson';
  const isForPrograms = isText || isJson || shape === 'csv' || shape === 'ids';
  if (isForPrograms && !printer.isTty) return printer;
  // Table cells are already safe, and contain color codes.
  if (!isForPrograms && shape === 'table') return printer;
  const safe = isText ? safeMultilineText : isJson ? safeJson : safeLines;
  return { ...printer, write: (text) => printer.write(safe(text)) };
}

function printResult(result: Result, printer: Printer): Promise<void> {
  switch (result.kind) {
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
    case 'plan':
      return printReport(
        { ...result, kind: 'report', lines: result.lines.map((text) => [{ text }]) },
        withoutFields(printer),
      );
  }
}

const withoutFields = ({ fields: _fields, ...printer }: Printer): Printer => printer;

async function printReport(
  { value, lines, ids, columns, rows, tsv }: ReportResult,
  printer: Printer,
): Promise<void> {
  const shape = chooseShape(printer);
  if (shape === 'table' || shape === 'ids')
    await checkFields(Array.isArray(value) ? value : [value], printer);
  if (shape === 'table') return printer.write(await linesText(lines, printer));
  if (shape === 'lines' && tsv !== undefined && !printer.fields) return printer.write(`${tsv}\n`);
  if (shape === 'ids') return printer.write(idLines(ids));
  // --fields names members of the value.
  if (rows && !printer.fields && ['lines', 'csv', 'tsv'].includes(shape))
    return printList(toListResult(rows.items, rows.columns), printer);
  if (Array.isArray(value)) return printList(toListResult(value, columns), printer);
  return printRecord({ kind: 'record', value: value as object }, printer);
}

async function linesText(
  lines: readonly Line[],
  { messageWidth, style }: Printer,
): Promise<string> {
  const { wrapTerminalMessage } =
    messageWidth === undefined ? { wrapTerminalMessage: undefined } : await import('./wrap.ts');
  const shown = lines.flatMap((line): readonly Line[] =>
    typeof line === 'string' && wrapTerminalMessage && messageWidth !== undefined
      ? wrapTerminalMessage(safeText(line), messageWidth)
      : [line],
  );
  return shown.map((line) => styledLine(line, style)).join('');
}

/** A complete array as a list, such as the results of one trigger. */
function toListResult(
  values: readonly unknown[],
  columns: readonly Column<never>[] | undefined,
): ListResult {
  const names = [...new Set(values.flatMap((value) => Object.keys(value as object)))];
  return {
    kind: 'list',
    pages: onePage(values),
    columns: (columns as readonly Column<unknown>[] | undefined) ?? fieldColumns(names),
    id: String,
    empty: '',
  };
}

async function printJson(
  { value, head = [], unmasked }: JsonResult,
  given: Printer,
): Promise<void> {
  const printer = unmasked ? { ...given, reveal: true } : given;
  await printer.write(head.map((line) => `${safeText(line)}\n`).join(''));
  if (value === undefined) return;
  await checkFields(Array.isArray(value) ? value : [value], printer);
  const shown = maskAndPick(value, printer);
  if (printer.format === 'yaml' && printer.jq === undefined)
    return printer.write(await yamlText(shown));
  const items = printer.format === 'ndjson' && Array.isArray(shown) ? shown : [shown];
  const indent = printer.format === 'ndjson' ? undefined : 2;
  for (const item of items) await printer.write(await jsonText(item, printer, indent));
}
