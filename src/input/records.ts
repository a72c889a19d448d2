// Reads records from CSV, NDJSON, a JSON array or a list of ids, in chunks. Each record has its position in the input.
// An invalid record is returned with its error and does not stop the reading.
import type { Readable } from 'node:stream';
import { SvcError, usageError } from '../core/errors.ts';
import { type ByteSource, type EncodingChoice, openBytes } from './bytes.ts';
import { type CsvOptions, readCsv } from './csv.ts';
import {
  type Encoding,
  guessFormat,
  type RecordFormat,
  readDelimiter,
  readSeparatorLine,
  sniffDelimiter,
} from './formats.ts';
import { idRecord, objectRecord, readJsonArray } from './json-records.ts';
import { readLines } from './lines.ts';
import type { InputRecord } from './record.ts';
import { findUnclearColumns, requireClearCells, type UnclearColumns } from './unclear-columns.ts';

export type { RecordFormat } from './formats.ts';
export type { InputRecord } from './record.ts';

export interface RecordSource {
  format: RecordFormat;
  header?: readonly string[];
  delimiter?: string;
  /** CSV columns that the header does not name clearly. Rows whose values depend on the name are invalid. */
  unclear?: UnclearColumns;
  /** The column of a field, by --map. Fields without one are found by name. */
  fieldColumns?: ReadonlyMap<string, string>;
  /** Columns that a mapping assigns to other fields. */
  otherColumns?: ReadonlySet<string>;
  chunks: AsyncIterable<readonly InputRecord[]>;
  /** The first records. Call it before `chunks` is read, which contains them too. */
  sample(): Promise<readonly InputRecord[]>;
  /** Bytes read so far and in total (if known), before decompression. */
  progress(): { bytes: number; total: number | undefined };
  close(): void;
  name: string;
}

export interface SourceOptions {
  /** A path, or `-` for standard input. */
  file: string;
  stdin: Readable;
  format?: RecordFormat | undefined;
  /** The format if neither `format` nor the file extension sets one. If absent, the text decides. */
  defaultFormat?: RecordFormat | undefined;
  /** Delimiter of the CSV cells; detected from the header if absent. */
  delimiter?: string | undefined;
  /** Names of the CSV columns, for an input without a header line. */
  columns?: readonly string[] | undefined;
  /** Whether a column is read. Columns with the same name must have the same values only if they are. */
  isUsedColumn?: ((column: string) => boolean) | undefined;
  /** Character encoding; UTF-8 if absent. A byte order mark overrides it. */
  encoding?: Encoding | undefined;
  /** Called for an input that is not UTF-8 if `encoding` is absent. */
  chooseEncoding?: EncodingChoice | undefined;
  /** Number of records to skip. The row numbers of the others do not change. */
  skip?: number | undefined;
  /** Maximum number of records to read. */
  take?: number | undefined;
  /** The cells of a file of rejected rows may be protected from spreadsheets. */
  csvSafe?: boolean;
  /** Aborts the wait for the first bytes. */
  signal?: AbortSignal;
}

export async function openRecords(options: SourceOptions): Promise<RecordSource> {
  const chosenDelimiter =
    options.delimiter === undefined ? undefined : readDelimiter(options.delimiter);
  const source = await asUsageError(openBytes(options.file, options.stdin, options));
  const { name, first, progress, close } = source;
  const format = options.format ?? guessFormat({ ...options, first });
  if (format !== 'csv') refuseColumns(options, name);
  const separator = format === 'csv' ? readSeparatorLine(first) : undefined;
  const delimiter = chosenDelimiter ?? separator?.delimiter ?? sniffDelimiter(first);
  const { skip = 0, columns, csvSafe } = options;
  const skipBytes = separator?.length ?? 0;
  const { header, chunks: allChunks } = await asUsageError(
    readAs(format, source, { delimiter, skip, columns, skipBytes, csvSafe }),
    close,
  );
  const unclear = header && findUnclearColumns(header, options.isUsedColumn ?? (() => true));
  const { chunks, sample } = withSample(
    unclear ? requireClearCells(allChunks, unclear) : allChunks,
  );
  return {
    format,
    name,
    progress,
    close,
    sample,
    ...(header ? { header, delimiter } : {}),
    ...(unclear ? { unclear } : {}),
    chunks: options.take === undefined ? chunks : takeFirst(chunks, options.take),
  };
}

interface ParsedInput {
  header?: readonly string[];
  chunks: AsyncIterable<readonly InputRecord[]>;
}

async function readAs(
  format: RecordFormat,
  source: ByteSource,
  options: CsvOptions,
): Promise<ParsedInput> {
  const { skip } = options;
  if (format === 'csv') return readCsv(source, options);
  if (format === 'json') return { chunks: readJsonArray(source, skip) };
  return { chunks: readLines(source, skip, format === 'lines' ? idRecord : objectRecord) };
}

function refuseColumns({ columns }: SourceOptions, name: string): void {
  if (columns === undefined) return;
  throw usageError(`--columns: ${name} is not CSV and has no columns.`, {
    hint: 'If it is a CSV file, add --format csv.',
  });
}

/** Turns a read error before the first record into a usage error, because nothing was written yet. */
async function asUsageError<T>(opening: Promise<T>, close?: () => void): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    close?.();
    if (!(error instanceof SvcError) || error.exitReason !== 'partial') throw error;
    throw error.with({ exitReason: 'usage' });
  }
}

async function* takeFirst(
  chunks: AsyncIterable<readonly InputRecord[]>,
  count: number,
): AsyncGenerator<readonly InputRecord[]> {
  let left = count;
  if (left <= 0) return;
  for await (const chunk of chunks) {
    yield chunk.length > left ? chunk.slice(0, left) : chunk;
    left -= chunk.length;
    if (left <= 0) return;
  }
}

interface Sampled<T> {
  /** All chunks, including those that were read ahead. */
  chunks: AsyncIterable<readonly T[]>;
  /** The first chunk; empty at the end of the input. */
  sample: () => Promise<readonly T[]>;
}

/** Reads the first chunk ahead, for proposals that depend on the content. */
function withSample<T>(chunks: AsyncIterable<readonly T[]>): Sampled<T> {
  const iterator = chunks[Symbol.asyncIterator]();
  let first: Promise<IteratorResult<readonly T[]>> | undefined;
  async function* all(): AsyncGenerator<readonly T[]> {
    try {
      let next = await (first ?? iterator.next());
      first = undefined;
      for (; !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return {
    chunks: all(),
    sample: async () => {
      first ??= iterator.next();
      const { done, value } = await first;
      return done ? [] : value;
    },
  };
}
