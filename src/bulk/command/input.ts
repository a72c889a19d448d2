// The input of a bulk command: a file, standard input, or the copy of it that was kept for resuming.
import { createWriteStream, existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../app/context.ts';
import { usageError } from '../../core/errors.ts';
import { isPiped, isStandardInput, openStream } from '../../input/pipes.ts';
import { openRecords, type RecordSource } from '../../input/records.ts';
import { type FileIdentity, identify, type Manifest } from '../journal/manifest.ts';
import type { BulkCommand } from './run-bulk.ts';

export interface Input {
  source: RecordSource;
  /** Null when it cannot be read a second time. */
  identity: FileIdentity | null;
  /** Reads the input once to count its rows; NaN when it can be read only once. */
  count: () => Promise<number>;
}

export async function openInput(
  context: Context,
  { file, options, idField }: BulkCommand,
  folder: string,
  before: Manifest | undefined,
): Promise<Input> {
  const { stdin, shutdownSignal } = context.host;
  const spooled = path.join(folder, 'input');
  const kept = existsSync(spooled);
  const isStdin = isStandardInput(file);
  const what = isStdin ? 'standard input' : file;
  if (before && !kept && (before.file === null || isStdin)) {
    throw usageError(`Run ${before.runId} read ${what}, which cannot be read again.`, {
      hint: 'With --spool a copy is kept, and the run can be resumed.',
    });
  }
  const named = isStdin ? '-' : placeOf(context, file, before);
  const isOnce = !kept && (isStdin || isPiped(named));
  const isSpooled = isOnce && options.spool === true;
  if (isSpooled) {
    const { makeFolder } = await import('../journal/disk.ts');
    makeFolder(folder);
    const { lockRun } = await import('../journal/lock.ts');
    // Until the run frees it: a copy, and a question after it, may take longer than such a folder is left alone.
    lockRun(folder, context.host);
    await spool(isStdin ? stdin : openStream(named, chunkBytes), spooled, shutdownSignal);
  }
  const isPipe = isOnce && !isSpooled;
  if (isPipe && !options.validateOnly) {
    const name = isStdin ? 'Standard input' : file;
    context.note(`${name} cannot be read twice: this run is not resumable (--spool keeps a copy).`);
  }
  const place = kept || isSpooled ? spooled : named;
  const open = () =>
    openRecords({
      file: place,
      stdin,
      format: options.format,
      delimiter: options.delimiter,
      skip: options.skip,
      take: options.take,
      signal: shutdownSignal,
      ...(idField === undefined ? {} : { defaultFormat: 'lines' as const }),
    });
  const source = await open();
  return {
    source,
    identity: isPipe ? null : identify(place, folder),
    count: async () => {
      if (isPipe) return Number.NaN;
      let rows = 0;
      for await (const records of (await open()).chunks) rows += records.length;
      return rows;
    },
  };
}

const chunkBytes = 64 * 1024;

/** A run goes on from any folder: a name that means nothing here is the file that it began with. */
function placeOf({ host }: Context, file: string, before: Manifest | undefined): string {
  const named = path.resolve(host.cwd, file);
  return before?.file && !existsSync(named) ? before.file.path : named;
}

/** The copy gets its name when it is whole and on the disk. */
async function spool(stream: Readable, into: string, signal: AbortSignal): Promise<void> {
  const partial = `${into}.partial`;
  await pipeline(stream, createWriteStream(partial, { mode: 0o600 }), { signal });
  const { syncFile, syncFolder } = await import('../journal/disk.ts');
  syncFile(partial);
  renameSync(partial, into);
  syncFolder(path.dirname(into));
}

/** What a command reads, for comparing it with other files: a path, or the descriptor of standard input. */
export function inputOf({ host }: Context, { file }: BulkCommand): string | number {
  if (file !== '-') return path.resolve(host.cwd, file);
  const { fd } = host.stdin as { fd?: number };
  return fd ?? '';
}
