// A result → text on standard output, in the format that was asked for or fits the stream.
// Masking and terminal-safe text happen below this point and nowhere else.
import { tabLine } from './lines.ts';
import { printList } from './print-list.ts';
import { printRecord } from './print-record.ts';
import { clean, jsonText, type Printer, shapeOf, yamlText } from './printer.ts';
import type { Result } from './result.ts';
import { safeText } from './safe-text.ts';

export async function print(result: Result, printer: Printer): Promise<void> {
  if (result.kind === 'done') return;
  if (result.kind === 'text') return printer.write(result.text);
  if (result.kind === 'list') return printList(result, printer);
  if (result.kind === 'record') return printRecord(result, printer);
  const shape = shapeOf(printer);
  if (shape === 'table')
    return printer.write(result.lines.map((line) => `${safeText(line)}\n`).join(''));
  if (shape === 'lines' && result.plain !== undefined) return printer.write(`${result.plain}\n`);
  if (shape === 'ids') return printer.write((result.ids ?? []).map((id) => `${id}\n`).join(''));
  if (Array.isArray(result.value)) return printValues(result.value, printer);
  return printRecord({ kind: 'record', value: result.value as object }, printer);
}

/** A short array that is no listing, such as the results of one trigger. */
async function printValues(values: readonly unknown[], printer: Printer): Promise<void> {
  const shown = values.map((value) => clean(value, printer));
  const shape = shapeOf(printer);
  if (shape === 'ndjson') {
    for (const value of shown) await printer.write(await jsonText(value, printer));
  } else if (shape === 'json') await printer.write(await jsonText(shown, printer, 2));
  else if (shape === 'yaml') await printer.write(await yamlText(shown));
  else for (const value of shown) await printer.write(tabLine(Object.values(value as object)));
}
