// CSV → header and chunks of records.
import { SvcError, usageError } from '../core/errors.ts';
import { recordLimit } from './blocks.ts';
import type { ByteSource } from './bytes.ts';
import { csvChunks } from './csv-chunks.ts';
import { createCsvRecords } from './csv-record.ts';
import type { Cursor } from './csv-scan.ts';
import type { InputRecord } from './record.ts';

export interface CsvOptions {
  /** One ASCII character. */
  delimiter: string;
  /** Number of records to skip after the header. */
  skip: number;
}

/** Reads the header and returns it with an iterable of the records. */
export async function readCsv(source: ByteSource, { delimiter, skip }: CsvOptions) {
  const { name } = source;
  const cursor: Cursor = { at: 0, line: 0, row: 0, width: undefined, openQuoteLine: undefined };
  const chunks = csvChunks(source, cursor, {
    delimiter,
    skip,
    limit: recordLimit,
    createRecord: createCsvRecords(delimiter),
    unclosedError: (line) => unclosedQuoteError(name, line),
  });
  const first = await chunks.next();
  // An empty input has no header and no records.
  if (first.done) return { chunks };
  const header = headerOf(first.value[0], name);
  cursor.width = header.length;
  return { header, chunks };
}

function headerOf(record: InputRecord | undefined, name: string): readonly string[] {
  if (record?.error !== undefined)
    throw usageError(`${name}: the header on line ${record.line} ${record.error}.`);
  const header = (record?.cells?.() ?? []).map((column) => column.trim());
  const unnamed = header.indexOf('');
  if (unnamed >= 0)
    throw usageError(`${name}: column ${unnamed + 1} has no name in the header.`, {
      hint: 'Name the column or remove it.',
    });
  const duplicate = header.find((column, index) => header.indexOf(column) !== index);
  if (duplicate !== undefined)
    throw usageError(`${name} has two columns named \`${duplicate}\`.`, {
      hint: 'Rename or remove one of them.',
    });
  return header;
}

const unclosedQuoteError = (name: string, line: number) =>
  new SvcError(
    'partial',
    `${name} cannot be read to the end: the quote that opens on line ${line} is not closed.`,
    {
      line,
      hint: 'Close the quote. A quote inside a quoted cell must be doubled.',
    },
  );
