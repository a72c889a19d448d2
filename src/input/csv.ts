// Reads CSV as a header and chunks of records.
import { SvcError, usageError } from '../core/errors.ts';
import { unprotectFormula } from '../core/whitespace.ts';
import { recordLimit } from './blocks.ts';
import type { ByteSource } from './bytes.ts';
import { createCellScanner } from './cell-bytes.ts';
import { createCsvRecords } from './csv-record.ts';
import { type Cursor, csvChunks } from './csv-scan.ts';
import { skipBytes } from './encodings.ts';
import type { InputRecord } from './record.ts';

export interface CsvOptions {
  /** One ASCII character. */
  delimiter: string;
  /** Number of records to skip after the header. */
  skip: number;
  /** Names of the columns, if the input has no header line. */
  columns?: readonly string[] | undefined;
  /** Remove the apostrophes with which --csv-safe protects the cells of rejected rows. */
  csvSafe?: boolean | undefined;
  /** Length of a line before the header that is not part of the table. */
  skipBytes?: number;
}

/** Reads the header and returns it with an iterable of the records. */
export async function readCsv(
  source: ByteSource,
  { delimiter, skip, columns, csvSafe, skipBytes: skipped = 0 }: CsvOptions,
) {
  const { name } = source;
  const header = columns && checkHeader(columns, 'the option --columns', true);
  const cursor: Cursor = {
    at: 0,
    line: skipped === 0 ? 0 : 1,
    row: header ? 1 : 0,
    width: header?.length,
    openQuoteLine: undefined,
  };
  const table = { ...source, offset: source.offset + skipped };
  if (skipped > 0) table.stream = skipBytes(source.stream, skipped);
  const chunks = csvChunks(table, cursor, {
    delimiter,
    skip,
    limit: recordLimit,
    createRecord: createCsvRecords(delimiter),
    scanner: createCellScanner(delimiter),
    unclosedError: (line) => unclosedQuoteError(name, line),
  });
  if (header) return { header, chunks };
  const first = await chunks.next();
  // An empty input has no header and no records.
  if (first.done) return { chunks };
  const firstRow = readHeader(first.value[0], name);
  cursor.width = firstRow.length;
  if (csvSafe && firstRow.includes('_line') && firstRow.includes('_error'))
    return { header: firstRow.map(unprotectFormula), chunks: unprotectedCells(chunks) };
  return { header: firstRow, chunks };
}

async function* unprotectedCells(
  chunks: AsyncIterable<readonly InputRecord[]>,
): AsyncGenerator<readonly InputRecord[]> {
  for await (const records of chunks) {
    for (const record of records) {
      const cells = record.cells?.bind(record);
      if (!cells) continue;
      record.cells = () => cells().map(unprotectFormula);
      // The bytes still have the apostrophes.
      record.cellBytes = undefined;
    }
    yield records;
  }
}

function readHeader(record: InputRecord | undefined, name: string): readonly string[] {
  if (record?.error !== undefined)
    throw usageError(`${name}: the header on line ${record.line} ${record.error}.`);
  return checkHeader(
    (record?.cells?.() ?? []).map((column) => column.trim()),
    name,
    false,
  );
}

/**
 * Throws a usage error for unnamed columns and columns with the same name, if each column must have its own name or the
 * header looks like a row. At least one column has a name.
 */
function checkHeader(
  header: readonly string[],
  name: string,
  isUnique: boolean,
): readonly string[] {
  const rowHint = missingHeaderHint(header);
  const isStrict = isUnique || rowHint !== undefined;
  const unnamed = header.indexOf('');
  if (unnamed >= 0 && (isStrict || header.every((column) => column === '')))
    throw usageError(`${name}: column ${unnamed + 1} has no name in the header.`, {
      hint: rowHint ?? 'Name the column or remove it.',
    });
  const duplicate = header.find((column, index) => header.indexOf(column) !== index);
  if (duplicate !== undefined && isStrict)
    throw usageError(`${name} has two columns named \`${duplicate}\`.`, {
      hint: rowHint ?? 'Rename or remove one of them.',
    });
  return header;
}

const unclosedQuoteError = (name: string, line: number) =>
  new SvcError(
    'partial',
    `${name} cannot be read to the end: the quote that opens on line ${line} is not closed.`,
    { line, hint: 'Close the quote. A quote inside a quoted cell must be doubled.' },
  );

// Recognizes a CSV file without a header line, and suggests the --columns option for it.

const isEmail = (cell: string) => /^\S+@\S+\.\S+$/.test(cell);
const isPhone = (cell: string) => /^\+\d[\d ()/.-]{5,}$/.test(cell);
const isNumber = (cell: string) => /^\d+$/.test(cell);

/** A hint if the header looks like a row of data; undefined if it does not. */
export function missingHeaderHint(header: readonly string[]): string | undefined {
  if (!header.some((cell) => isEmail(cell) || isPhone(cell) || isNumber(cell))) return undefined;
  return `The first line looks like a row of data. No header line? Use --columns ${guessColumns(header).join(',')}.`;
}

function guessColumns(cells: readonly string[]): string[] {
  const emailAt = cells.findIndex(isEmail);
  const phoneAt = cells.findIndex(isPhone);
  const idAt = cells.findIndex((_cell, index) => index !== emailAt && index !== phoneAt);
  return cells.map((_cell, index) => {
    if (index === emailAt) return 'email';
    if (index === phoneAt) return 'phone';
    return index === idAt ? 'subscriberId' : `data.column${index + 1}`;
  });
}
