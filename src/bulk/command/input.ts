// Opens the input of a bulk command: a file, standard input, or the spooled copy of standard input. Reports an input
// without rows.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../app/context.ts';
import { usageError } from '../../core/errors.ts';
import type { EncodingChoice } from '../../input/bytes.ts';
import { isPipeOrDevice, isStandardInput, openInputStream } from '../../input/bytes.ts';
import { type Encoding, encodings } from '../../input/formats.ts';
import { type InputRecord, openRecords, type RecordSource } from '../../input/records.ts';
import { refuseUnclearRows } from '../../input/unclear-columns.ts';
import { openReplacement } from '../../platform/files/atomic-write.ts';
import { requireRegularFile } from '../../platform/files/regular-file.ts';
import { type Shard, shardText } from '../engine/shard.ts';
import { type FileIdentity, identifyFile, type Manifest } from '../journal/manifest.ts';
import { normalizeName } from '../operations/columns.ts';
import type { BulkCommand, RunStart } from './bulk-command.ts';
import { readFieldMapping, withFieldColumns } from './column-mapping.ts';
import { confirmEncoding } from './confirm-encoding.ts';
import type { BulkOptions } from './options.ts';

export interface Input {
  source: RecordSource;
  /** The encoding that the options or the user chose. */
  encoding?: Encoding;
  /** The effective --map of a command with fixed fields. */
  map?: readonly string[];
  /** Null if the input cannot be read again. */
  identity: FileIdentity | null;
  /** Reads the rows once more; undefined if the input can be read only once. */
  readAgain: (() => AsyncIterable<readonly InputRecord[]>) | undefined;
}

export async function openInput(
  context: Context,
  bulk: BulkCommand,
  { store, runId, earlierRun, isDryRun, csvSafe }: RunStart,
): Promise<Input> {
  const { file, options, idField, makeRows } = bulk;
  const { prompt } = context;
  const { shutdownSignal } = context.host;
  const stdin = makeRows ? Readable.from(makeRows()) : context.host.stdin;
  const folder = store.runFolder(runId);
  const earlierManifest = earlierRun?.manifest;
  const spooled = spooledFile(folder);
  requireRegularFile(spooled);
  // A process that was killed before the run started may have left a copy of another input.
  if (!earlierRun && !isDryRun) rmSync(spooled, { force: true });
  const isCopyKept = existsSync(spooled);
  const isStdin = isStandardInput(file);
  const what = isStdin ? 'standard input' : file;
  if (earlierManifest && !isCopyKept && (earlierManifest.file === null || isStdin)) {
    const isFinished = earlierRun.ledger.end !== undefined;
    throw usageError(
      `Run ${earlierManifest.runId} ${isFinished ? 'has finished. It ' : ''}read ${what}, which cannot be ${isFinished ? 'compared' : 'read again'}.`,
      {
        hint: isFinished
          ? 'Choose another --run-id. With --spool, svc keeps a copy that it can compare.'
          : 'Use --spool to keep a copy, so that a run can be resumed.',
      },
    );
  }
  const original = isStdin ? '-' : resolveInputPath(context, file, earlierManifest);
  const isOnce = isStdin || isPipeOrDevice(original);
  const openOriginal = () => (isStdin ? stdin : openInputStream(original, chunkBytes));
  // --run-id names the whole work again, so the input is read again and must be the same.
  if (isOnce && isCopyKept && options.runId !== undefined)
    await requireSameContent(openOriginal(), spooled, { runId, signal: shutdownSignal });
  const isKept = options.spool === true || makeRows !== undefined;
  const isSpooled = isOnce && !isCopyKept && isKept && !isDryRun;
  if (isSpooled) await spoolInput(openOriginal(), spooled, shutdownSignal);
  const isPipe = isOnce && !isCopyKept && !isSpooled;
  if (isPipe && !options.validateOnly && !isDryRun) {
    const name = isStdin ? 'Standard input' : file;
    context.note(
      `${name} cannot be read twice, so this run cannot be resumed. Use --spool to keep a copy.`,
    );
  }
  const inputPath = isCopyKept || isSpooled ? spooled : original;
  let encoding = options.encoding ?? recordedEncoding(earlierManifest);
  const mayAsk = !earlierRun && !isDryRun && context.globals.yes !== true && prompt.isPossible;
  const chooseEncoding: EncodingChoice = async (likely, text) => {
    encoding = await confirmEncoding(context, what, { likely, text });
    return encoding;
  };
  const fields = makeRows
    ? undefined
    : (bulk.fields ?? (idField === undefined ? undefined : [idField]));
  const mapping = fields && (await readFieldMapping(options, fields, context.host.cwd));
  const isUsedColumn = (column: string) =>
    fields
      ? fields.some((field) => normalizeName(field) === normalizeName(column)) ||
        mapping?.map.some((entry) => entry.slice(entry.indexOf('=') + 1) === column) === true
      : bulk.ignoreColumns?.includes(column) !== true;
  const open = () =>
    openRecords({
      file: inputPath,
      stdin,
      format: makeRows ? 'ndjson' : options.format,
      delimiter: options.delimiter,
      columns: options.columns && namedColumns(options.columns, idField),
      isUsedColumn,
      encoding,
      ...(mayAsk ? { chooseEncoding } : {}),
      skip: options.skip,
      take: options.take,
      csvSafe,
      signal: shutdownSignal,
      ...(idField === undefined ? {} : { defaultFormat: 'lines' as const }),
    });
  const opened = await open();
  const source = await closeOnError(opened, async () => {
    await refuseUnclearColumns(opened, bulk);
    return fields && mapping ? withFieldColumns(opened, mapping, fields) : opened;
  });
  return {
    source,
    ...(mapping && mapping.map.length > 0 ? { map: mapping.map } : {}),
    ...(encoding === undefined ? {} : { encoding }),
    identity: isPipe ? null : identifyFile(inputPath, folder),
    readAgain: isPipe
      ? undefined
      : async function* () {
          yield* (await open()).chunks;
        },
  };
}

/** The encoding that the user chose when the run started. */
const recordedEncoding = (manifest: Manifest | undefined): Encoding | undefined =>
  encodings.find((encoding) => encoding === manifest?.options.encoding);

/** Throws a usage error if the first rows have values in columns that the header does not name clearly. */
async function refuseUnclearColumns(source: RecordSource, { ignoreColumns }: BulkCommand) {
  const { unclear, name } = source;
  if (unclear === undefined) return;
  const canIgnore = ignoreColumns !== undefined;
  refuseUnclearRows(await source.sample(), unclear, { name, canIgnore });
}

async function closeOnError<T>(source: RecordSource, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    source.close();
    throw error;
  }
}

/** The names of --columns, where `id` is the id of the items. */
const namedColumns = (columns: readonly string[], idField = 'subscriberId') =>
  columns.includes(idField)
    ? columns
    : columns.map((column) => (column.toLowerCase() === 'id' ? idField : column));

const chunkBytes = 64 * 1024;

/** A run can be resumed from any folder: a relative path that does not exist here means the original file. */
function resolveInputPath(
  { host }: Context,
  file: string,
  earlierManifest: Manifest | undefined,
): string {
  const resolved = path.resolve(host.cwd, file);
  return earlierManifest?.file && !existsSync(resolved) ? earlierManifest.file.path : resolved;
}

const spooledFile = (folder: string) => path.join(folder, 'input');

/** Whether the input of an earlier run still exists. */
export function canReadInputAgain(
  context: Context,
  { file }: BulkCommand,
  { store, runId, earlierRun }: RunStart,
): boolean {
  if (existsSync(spooledFile(store.runFolder(runId)))) return true;
  if (isStandardInput(file) || !earlierRun?.manifest.file) return false;
  return existsSync(resolveInputPath(context, file, earlierRun.manifest));
}

/** Throws a usage error if the content differs from the copy that the run reads. */
async function requireSameContent(
  stream: Readable,
  copy: string,
  { runId, signal }: { runId: string; signal: AbortSignal },
): Promise<void> {
  const hashStream = async (content: Readable) => {
    const hash = createHash('sha256');
    // An open pipe would keep the process alive after a signal.
    for await (const chunk of addAbortSignal(signal, content)) hash.update(chunk as Buffer);
    return hash.digest('hex');
  };
  if ((await hashStream(stream)) === (await hashStream(createReadStream(copy)))) return;
  throw usageError(
    `Run id ${runId} belongs to other work: the input changed since its run started.`,
    {
      hint: 'A run id is valid for one command, file and set of options. Choose another id with --run-id, or use the original input.',
    },
  );
}

/** Copies the input. The copy gets its final name once it is complete and synced. */
async function spoolInput(stream: Readable, target: string, signal: AbortSignal): Promise<void> {
  const copy = openReplacement(target, { suffix: '.partial' });
  try {
    await pipeline(
      stream,
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) copy.write(chunk);
      },
      { signal },
    );
    copy.publish();
  } finally {
    copy.discard();
  }
}

/** The input for comparison with other files: a path, or the descriptor of standard input. */
export function inputLocation({ host }: Context, { file }: BulkCommand): string | number {
  if (file !== '-') return path.resolve(host.cwd, file);
  const { fd } = host.stdin as { fd?: number };
  return fd ?? '';
}

/** Prints a warning about an input without rows. Throws a usage error with `--fail-on-empty`. */
export function reportEmpty(
  context: Context,
  source: RecordSource,
  { failOnEmpty, skip = 0 }: BulkOptions,
  { shard, emptyRows }: { shard: Shard | undefined; emptyRows: number },
): void {
  const description =
    emptyRows > 0 ? `${source.name} has only empty rows` : describeEmptyInput(source, skip, shard);
  if (failOnEmpty) {
    throw usageError(`${description}.`, {
      hint: 'Without --fail-on-empty this is a warning and the exit code is 0.',
    });
  }
  context.note(`Warning: ${description}.`);
}

function describeEmptyInput(
  { name, header, progress }: RecordSource,
  skip: number,
  shard: Shard | undefined,
): string {
  if (skip > 0) return `${name} has no rows after the first ${skip}, which --skip skips`;
  if (shard) return `no row of ${name} is in shard ${shardText(shard)}`;
  if (header) return `${name} has a header and no rows`;
  return progress().bytes === 0 ? `${name} is empty` : `${name} has no rows`;
}
