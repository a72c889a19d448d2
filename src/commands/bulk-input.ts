// The input of a bulk command: a file, standard input, or the copy of it that was kept for resuming.
import { createWriteStream, existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import { openRecords, type RecordSource } from '../input/records.ts';
import { type FileIdentity, identify, type Manifest } from '../runs/journal/manifest.ts';
import type { BulkCommand } from './bulk-run.ts';

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
  const spooled = path.join(folder, 'input');
  const kept = existsSync(spooled);
  if (before && file === '-' && !kept) {
    throw usageError(`Run ${before.runId} read standard input, which cannot be read again.`, {
      hint: 'With --spool a copy is kept, and the run can be resumed.',
    });
  }
  if (file === '-' && options.spool && !kept) await spool(context, folder, spooled);
  const isPipe = file === '-' && !options.spool && !kept;
  if (isPipe && !options.validateOnly) {
    context.note(
      'Standard input cannot be read twice: this run is not resumable (--spool keeps a copy).',
    );
  }
  const place = isPipe ? '-' : file === '-' ? spooled : placeOf(context, file, before);
  const open = () =>
    openRecords({
      file: place,
      stdin: context.world.stdin,
      format: options.format,
      delimiter: options.delimiter,
      skip: options.skip,
      take: options.take,
      ...(idField === undefined ? {} : { otherwise: 'lines' as const }),
    });
  const source = await open();
  return {
    source,
    identity: isPipe ? null : identify(place),
    count: async () => {
      if (isPipe) return Number.NaN;
      let rows = 0;
      for await (const records of (await open()).chunks) rows += records.length;
      return rows;
    },
  };
}

/** A run goes on from any folder: a name that means nothing here is the file that it began with. */
function placeOf({ world }: Context, file: string, before: Manifest | undefined): string {
  const named = path.resolve(world.cwd, file);
  return before?.file && !existsSync(named) ? before.file.path : named;
}

/** The copy gets its name when it is whole. */
async function spool({ world }: Context, folder: string, into: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const partial = `${into}.partial`;
  await pipeline(world.stdin, createWriteStream(partial, { mode: 0o600 }));
  renameSync(partial, into);
}
