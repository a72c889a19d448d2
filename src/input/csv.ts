// CSV (RFC 4180) → records, through csv-parse. Ragged rows and broken text become records with an error.
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { SvcError, usageError } from '../errors.ts';
import { type InputRecord, recordLimit } from './records.ts';

export interface CsvOptions {
  delimiter: string;
  /** For messages. */
  name: string;
}

const chunkSize = 500;

interface Parsed {
  record: string[];
  info: { lines: number };
}

/** Reads the header at once; the records follow in chunks. */
export async function readCsv(stream: AsyncIterable<Buffer>, { delimiter, name }: CsvOptions) {
  const source = Readable.from(stream, { objectMode: false, highWaterMark: 256 * 1024 });
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: recordLimit,
  });
  source.on('error', (error) => parser.destroy(error));
  const rows: AsyncIterator<Parsed> = source.pipe(parser)[Symbol.asyncIterator]();
  const next = () => rows.next().catch((error: unknown) => Promise.reject(readable(error, name)));
  const first = await next();
  if (first.done) throw usageError(`${name} is empty: a CSV begins with a header line.`);
  const header = first.value.record.map((column) => column.trim());
  return { header, chunks: chunksOf(next, header.length, first.value.info.lines) };
}

async function* chunksOf(
  next: () => Promise<IteratorResult<Parsed>>,
  width: number,
  headerLine: number,
) {
  let chunk: InputRecord[] = [];
  let line = headerLine;
  for (let row = await next(); !row.done; row = await next()) {
    const { record, info } = row.value;
    chunk.push(recordOf(record, line + 1, width));
    line = info.lines;
    if (chunk.length === chunkSize) {
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}

function recordOf(cells: string[], line: number, width: number): InputRecord {
  if (cells.length !== width) {
    const error = `has ${cells.length} cells, the header has ${width}`;
    return { line, cells, error };
  }
  // The decoder puts U+FFFD where bytes are not UTF-8; such a text is never sent.
  if (cells.some((cell) => cell.includes('\ufffd')))
    return { line, cells, error: 'is not valid UTF-8' };
  return { line, cells };
}

/** A quote that never closes, or one in the wrong place, with the line where it stands. */
function readable(error: unknown, name: string): unknown {
  if (!(error instanceof CsvError)) return error;
  const line = typeof error.lines === 'number' ? ` near line ${error.lines}` : '';
  return new SvcError('partial', `${name} cannot be read further${line}: ${error.message}`, {
    hint: 'Look for a quote that is not closed; inside a quoted cell a quote is written twice.',
  });
}
