// Prints a list page by page as it arrives. JSON output stays valid even if a later page fails.
import { stringifyExact } from '../core/lossless-json.ts';
import { checkFields, valueAt } from './fields.ts';
import { csvLines, idLines, tabLine, toCells } from './lines.ts';
import { chooseShape, isWide, jsonText, maskAndPick, type Printer, yamlText } from './printer.ts';
import { type Column, type ListResult, toHeader } from './result.ts';

/** The number of rows that a table measures before it fixes the column widths. */
const maxMeasuredRows = 1_000;

export async function printList<T>(result: ListResult<T>, printer: Printer): Promise<void> {
  const shape = chooseShape(printer);
  const columns = chosenColumns(result.columns, printer.fields);
  const seen = { facts: {} as object, count: 0 };
  const pages = await checkFirstPage(trackPages(result, seen), result, printer);
  if (shape === 'json') await printJson(result, pages, seen, printer);
  else if (shape === 'ndjson') {
    for await (const items of pages) {
      for (const item of items)
        await printer.write(await jsonText(maskAndPick(item, printer), printer));
    }
  } else if (shape === 'yaml')
    await printer.write(await yamlText(await collectItems(pages, printer)));
  else if (shape === 'ids') {
    // Several items can have the same id, such as the recipients of a transaction. The id is printed once.
    const printed = new Set<string>();
    for await (const items of pages) {
      const ids = items.map(result.id).filter((id) => !printed.has(id) && printed.add(id));
      await printer.write(idLines([...new Set(ids)]));
    }
  } else if (shape === 'markdown') {
    const { markdownTable } = await import('./markdown.ts');
    const rows: T[] = [];
    for await (const items of pages) rows.push(...items.map((item) => maskedOnly(item, printer)));
    await printer.write(markdownTable(rows, columns));
    if (rows.length === 0) printer.hint(result.empty);
  } else if (shape === 'table')
    await printTable(result, printer.fields ? columns : inTableOrder(columns), pages, printer);
  else await printLines(columns, pages, printer, shape);
  const following = result.nextPageCommand?.(seen.facts, seen.count);
  const next = seen.count === 0 ? result.next : following && { 'More items': following };
  // A script that finds nothing needs no advice.
  const isHint = seen.count > 0 || shape === 'table' || shape === 'markdown';
  for (const [purpose, command] of Object.entries(next ?? {}))
    printer.next(command, isHint ? purpose : undefined);
}

async function* trackPages<T>(
  { pages }: ListResult<T>,
  seen: { facts: object; count: number },
): AsyncGenerator<readonly T[]> {
  for await (const page of pages) {
    seen.facts = page.info ?? {};
    seen.count += page.items.length;
    yield page.items;
  }
}

/** Checks `--fields` against the first page before anything is written. Returns the same pages. */
async function checkFirstPage<T>(
  pages: AsyncGenerator<readonly T[]>,
  { columns }: ListResult<T>,
  printer: Printer,
): Promise<Items<T>> {
  if (!printer.fields) return pages;
  const first = await pages.next();
  // A column can have a name that is not a member of the item.
  const named = columns.map(({ field }) => field);
  await checkFields(first.done ? [] : first.value, printer, named);
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* pages;
  })();
}

type Items<T> = AsyncIterable<readonly T[]>;

async function collectItems<T>(pages: Items<T>, printer: Printer): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const items of pages) for (const item of items) all.push(maskAndPick(item, printer));
  return all;
}

async function printJson<T>(
  result: ListResult<T>,
  pages: Items<T>,
  seen: { facts: object },
  printer: Printer,
): Promise<void> {
  if (printer.jq !== undefined) {
    const items = await collectItems(pages, printer);
    const value = result.pageInfo ? { items, page: seen.facts } : items;
    return printer.write(await jsonText(value, printer));
  }
  let open = false;
  const start = result.pageInfo ? '{"items":[' : '[';
  try {
    for await (const items of pages) {
      const texts = items.map((item) => stringifyExact(maskAndPick(item, printer)));
      if (texts.length === 0) continue;
      await printer.write(`${open ? ',' : start}\n${texts.join(',\n')}`);
      open = true;
    }
  } finally {
    // Also after a failed page, so the items before it are valid JSON. Nothing is written if no item arrived.
    if (open) await printer.write(`\n]${jsonEnd(result, seen)}\n`);
  }
  if (!open) await printer.write(`${start}]${jsonEnd(result, seen)}\n`);
}

const jsonEnd = <T>({ pageInfo }: ListResult<T>, { facts }: { facts: object }) =>
  pageInfo ? `,"page":${stringifyExact(facts)}}` : '';

async function printLines<T>(
  columns: readonly Column<T>[],
  pages: Items<T>,
  printer: Printer,
  shape: string,
) {
  const names = columns.map(({ field }) => field);
  const text = (rows: readonly (readonly unknown[])[]) =>
    shape === 'csv' ? csvLines(rows, printer.csvSafe) : rows.map(tabLine).join('');
  if (printer.header && shape !== 'lines') await printer.write(text([names]));
  for await (const items of pages) {
    const rows = items.map((item) => toCells(maskedOnly(item, printer), columns));
    if (rows.length > 0) await printer.write(text(rows));
  }
}

async function printTable<T>(
  result: ListResult<T>,
  columns: readonly Column<T>[],
  pages: Items<T>,
  printer: Printer,
) {
  let pendingRows: T[] = [];
  let header = printer.header;
  let visibleColumns: readonly Column<T>[] | undefined;
  // The widths of the rows printed so far, so later rows are aligned with them.
  const widths: number[] = [];
  const flush = async () => {
    const { nonEmptyColumns, tableRows } = await import('./rows.ts');
    // A later page of a stream can have values. Named fields and -o wide are complete.
    const keepsEmpty = isWide(printer) || printer.fields !== undefined || result.stream === true;
    visibleColumns ??= nonEmptyColumns(pendingRows, columns, keepsEmpty);
    await printer.write(
      await tableRows(pendingRows, visibleColumns, { ...printer, header, widths }),
    );
    pendingRows = [];
    header = false;
  };
  let any = false;
  for await (const items of pages) {
    any ||= items.length > 0;
    pendingRows.push(...items.map((item) => maskedOnly(item, printer)));
    if (pendingRows.length >= maxMeasuredRows || (result.stream && pendingRows.length > 0))
      await flush();
  }
  if (pendingRows.length > 0) await flush();
  if (!any) printer.hint(result.empty);
}

const maskedOnly = <T>(item: T, printer: Printer): T => {
  const { fields: _fields, ...whole } = printer;
  return maskAndPick(item, whole) as T;
};

/** The columns for `--fields`, in that order. A field without a column is read from its path in the item. */
function chosenColumns<T>(columns: readonly Column<T>[], fields?: readonly string[]) {
  if (!fields) return columns;
  return fields.map((field): Column<T> => {
    const column = columns.find((candidate) => candidate.field === field);
    if (!column) return { field, header: toHeader(field), value: (item) => valueAt(item, field) };
    const { shorten: _shorten, optional: _optional, ...whole } = column;
    return whole;
  });
}

const inTableOrder = <T>(columns: readonly Column<T>[]) =>
  [...columns].sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
