// CSV (RFC 4180) → records, in chunks as the bytes arrive. A row that is ragged, has a quote in the wrong
// place or is not UTF-8 becomes a record with an error; the rows around it are read as ever.
import { SvcError, usageError } from '../errors.ts';
import { type CsvRow, createCsvScan } from './csv-scan.ts';
import { type InputRecord, recordLimit } from './records.ts';
import { textBlocks } from './text-blocks.ts';

export interface CsvOptions {
  delimiter: string;
  /** For messages. */
  name: string;
}

/** Reads the header at once; the records follow in chunks. */
export async function readCsv(stream: AsyncIterable<Buffer>, { delimiter, name }: CsvOptions) {
  const rows = csvRows(stream, delimiter, name);
  const first = await rows.next();
  const [head, ...others] = first.done ? [] : first.value;
  if (!head) throw usageError(`${name} is empty: a CSV begins with a header line.`);
  if (head.error !== undefined) throw usageError(`The header of ${name} ${head.error}.`);
  const header = head.cells.map((column) => column.trim());
  return { header, chunks: chunksOf(others, rows, header.length) };
}

async function* chunksOf(first: CsvRow[], rows: AsyncGenerator<CsvRow[]>, width: number) {
  if (first.length > 0) yield first.map((row) => recordOf(row, width));
  for await (const chunk of rows) yield chunk.map((row) => recordOf(row, width));
}

function recordOf(row: CsvRow, width: number): InputRecord {
  if (row.error === undefined && row.cells.length === width) return row as InputRecord;
  const error = row.error ?? `has ${row.cells.length} cells, the header has ${width}`;
  return { line: row.line, cells: row.cells, error };
}

/** Rows as they are completed, the header among them; never an empty chunk. */
async function* csvRows(
  stream: AsyncIterable<Buffer>,
  delimiter: string,
  name: string,
): AsyncGenerator<CsvRow[]> {
  const scan = createCsvScan(delimiter);
  for await (const block of textBlocks(stream, name)) {
    const rows = scan.take(block);
    if (scan.held() > recordLimit) throw unclosed(name, scan.line());
    if (rows.length > 0) yield rows;
  }
  const { rows, open } = scan.end();
  if (rows.length > 0) yield rows;
  if (open) throw unclosed(name, scan.line());
}

const unclosed = (name: string, line: number) =>
  new SvcError(
    'partial',
    `${name} cannot be read further: the quote in line ${line} is not closed.`,
    {
      hint: 'Close the quote; inside a quoted cell a quote is written twice.',
    },
  );
