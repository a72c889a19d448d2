// CSV → its header and chunks of records.
import { SvcError, usageError } from '../errors.ts';
import { chunkRecords, createHold, openBlock, recordLimit } from './blocks.ts';
import type { ByteSource } from './bytes.ts';
import { readPlain, readQuoted } from './csv-cells.ts';
import { type Cursor, type ScanOptions, scanRecords } from './csv-scan.ts';
import type { InputRecord } from './records.ts';

export interface CsvOptions {
  /** One ASCII character. */
  delimiter: string;
  /** Data records to pass over. */
  skip: number;
}

/** Reads the header at once; the records follow in chunks. */
export async function readCsv(source: ByteSource, { delimiter, skip }: CsvOptions) {
  const { name } = source;
  const cursor: Cursor = { at: 0, line: 0, row: 0, width: undefined, openLine: undefined };
  const tooLong = (line: number) =>
    unreadable(name, `the record on line ${line} is over 1 MiB`, line);
  const chunks = chunksOf(source, cursor, { delimiter, skip, limit: recordLimit, tooLong });
  const first = await chunks.next();
  const header = headerOf(first.done ? undefined : first.value[0], name);
  cursor.width = header.length;
  const cellsAgain = (latin: string): readonly string[] => {
    const block = openBlock(Buffer.from(latin, 'latin1'), 0);
    const { cells } = latin.includes('"')
      ? readQuoted(block, 0, delimiter)
      : readPlain(block, 0, latin.length, delimiter);
    return cells;
  };
  return { header, chunks, cellsAgain };
}

/** The header stands in a chunk of its own. */
async function* chunksOf(
  { stream, offset, name }: ByteSource,
  cursor: Cursor,
  options: ScanOptions,
): AsyncGenerator<InputRecord[]> {
  const hold = createHold(offset);
  const most = () => (cursor.row === 0 ? 1 : chunkRecords);
  for await (const bytes of stream) {
    const block = hold.add(bytes);
    if (block) {
      cursor.at = 0;
      cursor.openLine = undefined;
      while (cursor.at < block.latin.length && cursor.openLine === undefined) {
        const records = scanRecords(block, cursor, options, most());
        if (records.length > 0) yield records;
      }
      if (cursor.at < block.latin.length) hold.takeBack(block, cursor.at);
    }
    if (hold.overflows()) break;
  }
  const block = hold.rest();
  cursor.at = 0;
  cursor.openLine = undefined;
  while (cursor.at < block.latin.length) {
    const records = scanRecords(block, cursor, options, most());
    if (records.length > 0) yield records;
    if (cursor.openLine !== undefined) throw unclosed(name, cursor.openLine);
  }
}

function headerOf(record: InputRecord | undefined, name: string): readonly string[] {
  if (!record) throw usageError(`${name} is empty: a CSV begins with a header line.`);
  if (record.error) throw usageError(`${name}: the header on line ${record.line} ${record.error}.`);
  const header = (record.cells ?? []).map((column) => column.trim());
  const unnamed = header.indexOf('');
  if (unnamed >= 0)
    throw usageError(`${name}: column ${unnamed + 1} has no name in the header.`, {
      hint: 'Give it a name, or take the column out.',
    });
  const twice = header.find((column, index) => header.indexOf(column) !== index);
  if (twice !== undefined)
    throw usageError(`${name} has two columns \`${twice}\`.`, {
      hint: 'Give one of them another name, or take it out.',
    });
  return header;
}

const unclosed = (name: string, line: number) =>
  unreadable(name, `the quote that opens on line ${line} is not closed`, line);

const unreadable = (name: string, why: string, line: number) =>
  new SvcError('partial', `${name} cannot be read further: ${why}.`, {
    line,
    hint: 'Look for a quote that is not closed; inside a quoted cell a quote is written twice.',
  });
