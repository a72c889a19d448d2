// Records from CSV, NDJSON, a JSON array or a list of ids, in chunks as they are read. Each knows its place; one
// that cannot be read is handed on with the reason instead of ending the whole input.
import type { Readable } from 'node:stream';
import { SvcError } from '../core/errors.ts';
import { type ByteSource, openBytes } from './bytes.ts';
import { readCsv } from './csv.ts';
import { guessFormat, type RecordFormat, readDelimiter, sniffDelimiter } from './formats.ts';
import { readJsonArray } from './json-array.ts';
import { idRecord, objectRecord } from './json-object.ts';
import { readLines } from './lines.ts';

export type { RecordFormat } from './formats.ts';

/** Where a record stands. */
export interface RecordPlace {
  /** Number of the record, from 1; the header and blank lines are none, a record with an error is one. */
  row: number;
  /** The line on which it begins, from 1. */
  line: number;
  /** Byte at which it begins, and the one behind its last, without the line end. They count in the unzipped
   * input; in one of UTF-16 they count the UTF-8 that it is read as. */
  start: number;
  end: number;
}

/** One record: its place, and either its cells or value, or why it cannot be read. */
export interface InputRecord extends RecordPlace {
  /** CSV cells in the order of the header; of a list of ids the one id. */
  cells?: readonly string[] | undefined;
  /** Of a whole CSV record: its bytes as Latin-1, from which the cells can be read again. */
  latin?: string;
  /** A JSON object. */
  value?: Record<string, unknown>;
  /** The object may have numbers that a double cannot hold. */
  exact?: boolean;
  /** The text as it stood, when there is an error. */
  raw?: string;
  error?: string;
}

export interface RecordSource {
  format: RecordFormat;
  /** Names of the CSV columns, as in the file. */
  header?: readonly string[];
  /** Between the cells of CSV. */
  delimiter?: string;
  /** Chunks of records, in order. */
  chunks: AsyncIterable<readonly InputRecord[]>;
  /** Bytes read so far as they lie there, zipped or not, and in all when known. */
  progress(): { bytes: number; total: number | undefined };
  /** The cells of a CSV record once more, from its `latin`. */
  cellsAgain?: (latin: string) => readonly string[];
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
  /** The format when neither `format` nor the name's ending says one; else the text is looked at. */
  otherwise?: RecordFormat | undefined;
  /** Between CSV cells; sniffed from the header when absent. */
  delimiter?: string | undefined;
  /** Records to pass over; they keep their numbers. */
  skip?: number | undefined;
  /** Most records to read. */
  take?: number | undefined;
  /** Ends the wait for the first bytes. */
  signal?: AbortSignal;
}

export async function openRecords(options: SourceOptions): Promise<RecordSource> {
  const given = options.delimiter === undefined ? undefined : readDelimiter(options.delimiter);
  const source = await beforeWriting(openBytes(options.file, options.stdin, options.signal));
  const { name, first, progress, close } = source;
  const format = options.format ?? guessFormat({ ...options, first });
  const delimiter = given ?? sniffDelimiter(first);
  const { header, chunks, cellsAgain } = await beforeWriting(
    readAs(format, source, delimiter, options.skip ?? 0),
    close,
  );
  return {
    format,
    name,
    progress,
    close,
    ...(header ? { header, delimiter } : {}),
    ...(cellsAgain ? { cellsAgain } : {}),
    chunks: options.take === undefined ? chunks : firstOf(chunks, options.take),
  };
}

interface Reading {
  header?: readonly string[];
  cellsAgain?: (latin: string) => readonly string[];
  chunks: AsyncIterable<readonly InputRecord[]>;
}

async function readAs(
  format: RecordFormat,
  source: ByteSource,
  delimiter: string,
  skip: number,
): Promise<Reading> {
  if (format === 'csv') return readCsv(source, { delimiter, skip });
  if (format === 'json') return { chunks: readJsonArray(source, skip) };
  return { chunks: readLines(source, skip, format === 'lines' ? idRecord : objectRecord) };
}

/** What stops the reading before the first record is a wrong input: nothing was written yet. */
async function beforeWriting<T>(opening: Promise<T>, close?: () => void): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    close?.();
    if (!(error instanceof SvcError) || error.exitReason !== 'partial') throw error;
    throw new SvcError('usage', error.message, error.details);
  }
}

async function* firstOf(
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
