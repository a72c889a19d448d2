// Opens the input of a bulk command: a file, standard input, or the spooled copy of standard input.
import { createWriteStream, existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../app/context.ts';
import { usageError } from '../../core/errors.ts';
import { requireRegularFile } from '../../core/files.ts';
import { isPipeOrDevice, isStandardInput, openInputStream } from '../../input/pipes.ts';
import { type InputRecord, openRecords, type RecordSource } from '../../input/records.ts';
import { type FileIdentity, identifyFile, type Manifest } from '../journal/manifest.ts';
import type { BulkCommand, RunStart } from './bulk-command.ts';

export interface Input {
  source: RecordSource;
  /** Null if the input cannot be read again. */
  identity: FileIdentity | null;
  /** Counts the rows by reading the input; NaN if it can be read only once. */
  count: (isIncluded?: (record: InputRecord) => boolean) => Promise<number>;
}

export async function openInput(
  context: Context,
  { file, options, idField }: BulkCommand,
  { store, runId, earlierRun }: Pick<RunStart, 'store' | 'runId' | 'earlierRun'>,
): Promise<Input> {
  const { stdin, shutdownSignal } = context.host;
  const folder = store.folderOf(runId);
  const earlierManifest = earlierRun?.manifest;
  const spooled = path.join(folder, 'input');
  requireRegularFile(spooled);
  const isCopyKept = existsSync(spooled);
  const isStdin = isStandardInput(file);
  const what = isStdin ? 'standard input' : file;
  if (earlierManifest && !isCopyKept && (earlierManifest.file === null || isStdin)) {
    throw usageError(`Run ${earlierManifest.runId} read ${what}, which cannot be read again.`, {
      hint: 'Use --spool to keep a copy, so that a run can be resumed.',
    });
  }
  const original = isStdin ? '-' : resolveInputPath(context, file, earlierManifest);
  const isOnce = !isCopyKept && (isStdin || isPipeOrDevice(original));
  const isSpooled = isOnce && options.spool === true;
  if (isSpooled) {
    store.makeFolder(runId);
    // Lock now: copying and the confirmation may take longer than the time after which unstarted runs are removed.
    store.lock(runId);
    await spoolInput(
      isStdin ? stdin : openInputStream(original, chunkBytes),
      spooled,
      shutdownSignal,
    );
  }
  const isPipe = isOnce && !isSpooled;
  if (isPipe && !options.validateOnly) {
    const name = isStdin ? 'Standard input' : file;
    context.note(
      `${name} cannot be read twice, so this run cannot be resumed. Use --spool to keep a copy.`,
    );
  }
  const inputPath = isCopyKept || isSpooled ? spooled : original;
  const open = () =>
    openRecords({
      file: inputPath,
      stdin,
      format: options.format,
      delimiter: options.delimiter,
      columns: options.columns && namedColumns(options.columns, idField),
      encoding: options.encoding,
      skip: options.skip,
      take: options.take,
      signal: shutdownSignal,
      ...(idField === undefined ? {} : { defaultFormat: 'lines' as const }),
    });
  const source = await open();
  return {
    source,
    identity: isPipe ? null : identifyFile(inputPath, folder),
    count: async (isIncluded = () => true) => {
      if (isPipe) return Number.NaN;
      let rows = 0;
      for await (const records of (await open()).chunks) rows += records.filter(isIncluded).length;
      return rows;
    },
  };
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

/** Copies the input. The copy gets its final name once it is complete and synced. */
async function spoolInput(stream: Readable, target: string, signal: AbortSignal): Promise<void> {
  const partial = `${target}.partial`;
  await pipeline(stream, createWriteStream(partial, { mode: 0o600 }), { signal });
  const { syncFile, syncFolder } = await import('../journal/disk.ts');
  syncFile(partial);
  renameSync(partial, target);
  syncFolder(path.dirname(target));
}

/** The input for comparison with other files: a path, or the descriptor of standard input. */
export function inputLocation({ host }: Context, { file }: BulkCommand): string | number {
  if (file !== '-') return path.resolve(host.cwd, file);
  const { fd } = host.stdin as { fd?: number };
  return fd ?? '';
}
