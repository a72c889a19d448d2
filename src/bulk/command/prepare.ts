// A bulk command before its first row: options are checked, the input, the plan and the journal are opened.
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import type { RecordFormat } from '../../input/records.ts';
import type { Manifest } from '../journal/manifest.ts';
import { openRunJournal } from './open-journal.ts';
import type { BulkOptions } from './options.ts';
import type { BulkCommand } from './run-bulk.ts';
import { identityFor } from './run-target.ts';

interface Beginning {
  runId: string;
  folder: string;
  before: { manifest: Manifest } | undefined;
  isDry: boolean;
  /** False when the rows are only checked. */
  isSent: boolean;
}

/** Everything that can be refused before a row is sent. */
export async function prepared(context: Context, bulk: BulkCommand, beginning: Beginning) {
  const { options } = bulk;
  const { runId, folder, before, isDry, isSent } = beginning;
  const { inputOf, openInput } = await import('./input.ts');
  if (!before && options.rejects !== undefined) {
    const { refuseExisting, refuseInput, refusePlace, refuseStandardOutput } = await import(
      '../journal/rejects-path.ts'
    );
    refuseStandardOutput(options.rejects);
    const file = path.resolve(context.host.cwd, options.rejects);
    refuseInput(file, inputOf(context, bulk));
    refusePlace(file);
    if (!options.force) refuseExisting(file);
  }
  const { source, identity, count } = await openInput(context, bulk, folder, before?.manifest);
  try {
    const plan = await bulk.planOf(source, runId, isDry ? undefined : folder);
    if (bulk.ask && !before && isSent) await bulk.ask(count);
    const { rejectsFormat } = await import('../journal/rejects-format.ts');
    const place = before ? undefined : await rejectsPlace(context, options);
    const rejects = {
      file: before?.manifest.rejects ?? place?.file ?? defaultRejects(folder, source.format),
      format: rejectsFormat(source.format, { ...source, idField: bulk.idField }),
    };
    const manifest: Omit<Manifest, 'format'> = {
      runId,
      command: bulk.command,
      args: bulk.args,
      options: { ...withoutPlace(options), ...bulk.stated },
      ...(bulk.content ? { content: bulk.content } : {}),
      ...(await identityFor(context, runId, isSent)),
      file: identity,
      rejects: rejects.file,
      startedAt: new Date(context.host.clock.now()).toISOString(),
      version: context.host.version,
    };
    const journal = await openRunJournal(context, {
      manifest,
      folder,
      rejects,
      stream: place?.stream,
      before,
      isDry,
    });
    return { source, identity, plan, rejects, journal };
  } catch (error) {
    source.close();
    throw error;
  }
}

/** What --rejects names: a file, or a device or pipe that gets a copy of what is kept in the folder of the run. */
async function rejectsPlace({ host }: Context, { rejects }: BulkOptions) {
  if (rejects === undefined) return undefined;
  const { isStream } = await import('../journal/rejects-path.ts');
  const place = path.resolve(host.cwd, rejects);
  return isStream(place) ? { stream: place } : { file: place };
}

const defaultRejects = (folder: string, format: RecordFormat) =>
  path.join(folder, `rejects.${format === 'lines' ? 'csv' : format}`);

/** Where rejects go, which run is resumed and how an empty input ends do not change what is sent. */
const withoutPlace = ({
  resume: _resume,
  force: _force,
  rejects: _rejects,
  failOnEmpty: _failOnEmpty,
  ...options
}: BulkOptions) => options;
