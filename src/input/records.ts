// Records from CSV, NDJSON or a JSON array, in chunks as they are read. Each knows its line; one that
// cannot be read is handed on with the reason instead of ending the whole input.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { localError, systemCode, usageError } from '../errors.ts';
import { readCsv } from './csv.ts';
import { openText } from './encodings.ts';
import { readIdLines, readJsonArray, readNdjson } from './json-records.ts';

export const recordFormats = ['csv', 'ndjson', 'json', 'lines'] as const;
export type RecordFormat = (typeof recordFormats)[number];

/** One record: its line in the input, and either its cells or value, or why it cannot be read. */
export interface InputRecord {
  line: number;
  /** CSV cells in the order of the header. */
  cells?: readonly string[];
  /** A JSON object. */
  value?: Record<string, unknown>;
  /** The text as it stood, when it could not be parsed. */
  raw?: string;
  error?: string;
}

export interface RecordSource {
  format: RecordFormat;
  /** Names of the CSV columns, as in the file. */
  header?: readonly string[];
  /** Chunks of records, in order. */
  chunks: AsyncIterable<readonly InputRecord[]>;
  /** Bytes read so far, and in all when known. */
  progress(): { bytes: number; total: number | undefined };
  /** Lets go of the input, also when it has not ended. */
  close(): void;
  /** Where the records come from, for messages. */
  name: string;
}

export interface SourceOptions {
  /** A path, or `-` for standard input. */
  file: string;
  stdin: Readable;
  format?: RecordFormat | undefined;
  /** What an input is whose name does not say and that begins like none of the formats. */
  otherwise?: RecordFormat;
  /** Between CSV cells; sniffed from the header when absent. */
  delimiter?: string | undefined;
}

/** Longest record, in bytes: an unclosed quote ends here instead of swallowing the file. */
export const recordLimit = 1024 * 1024;

export async function openRecords(options: SourceOptions): Promise<RecordSource> {
  const { file } = options;
  const name = file === '-' ? 'standard input' : file;
  const total = file === '-' ? undefined : await fileSize(file);
  const counted = { bytes: 0 };
  const input =
    file === '-' ? options.stdin : createReadStream(file, { highWaterMark: 256 * 1024 });
  const { first, stream } = await openText(countBytes(input, counted), name);
  const format = options.format ?? guessFormat(file, first, options.otherwise);
  const common = {
    format,
    name,
    progress: () => ({ bytes: counted.bytes, total }),
    close: () => void input.destroy(),
  };
  if (format === 'ndjson') return { ...common, chunks: readNdjson(stream, name) };
  if (format === 'lines') return { ...common, chunks: readIdLines(stream, name) };
  if (format === 'json') return { ...common, chunks: readJsonArray(stream, name) };
  const delimiter = options.delimiter ?? sniffDelimiter(first);
  if (delimiter.length !== 1 || /["\r\n]/.test(delimiter)) {
    throw usageError('--delimiter: one character, and neither a quote nor a line break.');
  }
  const { header, chunks } = await readCsv(stream, { name, delimiter });
  return { ...common, header, chunks };
}

async function fileSize(file: string): Promise<number> {
  try {
    const facts = await stat(file);
    if (facts.isDirectory()) throw usageError(`${file} is a folder, not a file.`);
    return facts.size;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') throw usageError(`There is no file ${file}.`);
    if (systemCode(error) === undefined) throw error;
    throw localError(`${file} cannot be read: ${error instanceof Error ? error.message : ''}`);
  }
}

async function* countBytes(stream: AsyncIterable<unknown>, counted: { bytes: number }) {
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Uint8Array);
    counted.bytes += bytes.length;
    yield bytes;
  }
}

function guessFormat(file: string, first: string, otherwise?: RecordFormat): RecordFormat {
  const ending = /\.(csv|tsv|ndjson|jsonl|json)(\.gz)?$/i.exec(file)?.[1]?.toLowerCase();
  const start = first.trimStart()[0];
  if (ending === 'csv' || ending === 'tsv') return 'csv';
  if (ending === 'ndjson' || ending === 'jsonl') return 'ndjson';
  if (otherwise && ending !== 'json') return otherwise;
  if (start === '[') return 'json';
  return start === '{' ? 'ndjson' : 'csv';
}

/** The separator that the header line has most of. */
function sniffDelimiter(first: string): string {
  const line = first.split(/[\r\n]/, 1)[0] ?? '';
  const bare = line.replace(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((mark) => ({ mark, count: bare.split(mark).length - 1 }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).mark;
}
