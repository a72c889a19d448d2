// A list, written page by page as it arrives. JSON stays whole even when a later page fails.
import { checkFields } from './field-check.ts';
import { valueAt } from './fields.ts';
import { toJson } from './json.ts';
import { cellsOf, csvLines, tabLine } from './lines.ts';
import { jsonText, maskAndPick, type Printer, shapeOf, yamlText } from './printer.ts';
import type { Column, ListResult } from './result.ts';

/** Rows that a table measures before it settles its widths. */
const maxMeasuredRows = 1_000;

export async function printList<T>(result: ListResult<T>, printer: Printer): Promise<void> {
  const shape = shapeOf(printer);
  const columns = chosenColumns(result.columns, printer.fields);
  const seen = { facts: {} as object, shown: 0 };
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
    // A transaction has one item for each recipient; its id is printed once.
    const printed = new Set<string>();
    for await (const items of pages) {
      const ids = items.map(result.id).filter((id) => !printed.has(id) && printed.add(id));
      await printer.write([...new Set(ids)].map((id) => `${id}\n`).join(''));
    }
  } else if (shape === 'table') await printTable(result, columns, pages, printer);
  else await printLines(columns, pages, printer, shape);
  const next = result.nextPageCommand?.(seen.facts, seen.shown);
  if (next !== undefined) printer.hint(`More follow: ${next}`);
}

async function* trackPages<T>(
  { pages }: ListResult<T>,
  seen: { facts: object; shown: number },
): AsyncGenerator<readonly T[]> {
  for await (const page of pages) {
    seen.facts = page.facts ?? {};
    seen.shown += page.items.length;
    yield page.items;
  }
}

/** The same pages, once `--fields` names what their first one has or could have: before anything is written. */
async function checkFirstPage<T>(
  pages: AsyncGenerator<readonly T[]>,
  { columns }: ListResult<T>,
  printer: Printer,
): Promise<Items<T>> {
  if (!printer.fields) return pages;
  const first = await pages.next();
  // A column may hold what no member of an item does.
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
      const texts = await Promise.all(items.map((item) => toJson(maskAndPick(item, printer))));
      if (texts.length === 0) continue;
      await printer.write(`${open ? ',' : start}\n${texts.join(',\n')}`);
      open = true;
    }
  } finally {
    // Also after a failed page: what came before it stays readable. Nothing at all came: nothing is written.
    if (open) await printer.write(`\n]${await jsonEnd(result, seen)}\n`);
  }
  if (!open) await printer.write(`${start}]${await jsonEnd(result, seen)}\n`);
}

const jsonEnd = async <T>({ pageInfo }: ListResult<T>, { facts }: { facts: object }) =>
  pageInfo ? `,"page":${await toJson(facts)}}` : '';

async function printLines<T>(
  columns: readonly Column<T>[],
  pages: Items<T>,
  printer: Printer,
  shape: string,
) {
  const names = columns.map(({ field }) => field);
  const text = (rows: readonly (readonly unknown[])[]) =>
    shape === 'csv' ? csvLines(rows, printer.csvSafe) : rows.map(tabLine).join('');
  if (printer.header && shape !== 'lines') await printer.write(await text([names]));
  for await (const items of pages) {
    const rows = items.map((item) => cellsOf(maskedOnly(item, printer), columns));
    if (rows.length > 0) await printer.write(await text(rows));
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
  // Of what was shown before, so that later rows stand below it.
  const widths: number[] = [];
  const flush = async () => {
    const { tableRows } = await import('./rows.ts');
    await printer.write(await tableRows(pendingRows, columns, { ...printer, header, widths }));
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

/** The columns named by `--fields`, in that order; any path of the item will do. */
function chosenColumns<T>(columns: readonly Column<T>[], fields?: readonly string[]) {
  if (!fields) return columns;
  return fields.map(
    (field) =>
      columns.find((column) => column.field === field) ?? {
        field,
        header: field.toUpperCase(),
        value: (item: T) => valueAt(item, field),
      },
  );
}
