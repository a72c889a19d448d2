// Prepares a bulk run: checks the options and opens the input, the plan and the journal.
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import type { RecordFormat } from '../../input/records.ts';
import type { Manifest } from '../journal/manifest.ts';
import { openRunJournal } from './open-journal.ts';
import type { BulkOptions } from './options.ts';
import type { BulkCommand } from './run-bulk.ts';
import { createRunTarget } from './run-target.ts';

interface RunStart {
  runId: string;
  folder: string;
  earlierRun: { manifest: Manifest } | undefined;
  isDryRun: boolean;
  /** False when the rows are only validated. */
  isSent: boolean;
}

/** Throws every error that is detectable before the first row is sent. */
export async function prepareRun(context: Context, bulk: BulkCommand, start: RunStart) {
  const { options } = bulk;
  const { runId, folder, earlierRun, isDryRun, isSent } = start;
  const { inputLocation, openInput } = await import('./input.ts');
  if (!earlierRun && options.rejects !== undefined) {
    const { refuseExisting, refuseInput, refuseUnwritable, refuseStandardOutput } = await import(
      '../journal/rejects-path.ts'
    );
    refuseStandardOutput(options.rejects);
    const file = path.resolve(context.host.cwd, options.rejects);
    refuseInput(file, inputLocation(context, bulk));
    refuseUnwritable(file);
    if (!options.force) refuseExisting(file);
  }
  const { source, identity, count } = await openInput(context, bulk, folder, earlierRun?.manifest);
  try {
    const plan = await bulk.openPlan(source, runId, isDryRun ? undefined : folder);
    if (bulk.confirm && !earlierRun && isSent) await bulk.confirm(count);
    const { rejectsFormat } = await import('../journal/rejects-format.ts');
    const place = earlierRun ? undefined : await resolveRejectsPath(context, options);
    const rejects = {
      file: earlierRun?.manifest.rejects ?? place?.file ?? defaultRejects(folder, source.format),
      format: rejectsFormat(source.format, { ...source, idField: bulk.idField }),
    };
    const manifest: Omit<Manifest, 'format'> = {
      runId,
      command: bulk.command,
      args: bulk.args,
      options: { ...recordedOptions(options), ...bulk.recordedOptions },
      ...(bulk.content ? { content: bulk.content } : {}),
      ...(await createRunTarget(context, runId, isSent)),
      file: identity,
      rejects: rejects.file,
      startedAt: new Date(context.host.clock.now()).toISOString(),
      version: context.host.version,
    };
    const journal = await openRunJournal(context, {
      manifest,
      folder,
      rejects,
      rejectsStreamPath: place?.stream,
      earlierRun,
      isDryRun,
    });
    return { source, identity, plan, rejects, journal };
  } catch (error) {
    source.close();
    throw error;
  }
}

/** Resolves --rejects: a file, or a device or pipe that receives a copy of the rejects file in the folder of the run. */
async function resolveRejectsPath({ host }: Context, { rejects }: BulkOptions) {
  if (rejects === undefined) return undefined;
  const { isStream } = await import('../journal/rejects-path.ts');
  const place = path.resolve(host.cwd, rejects);
  return isStream(place) ? { stream: place } : { file: place };
}

const defaultRejects = (folder: string, format: RecordFormat) =>
  path.join(folder, `rejects.${format === 'lines' ? 'csv' : format}`);

/** The options to record. The omitted ones do not affect what is sent. */
const recordedOptions = ({
  resume: _resume,
  force: _force,
  rejects: _rejects,
  failOnEmpty: _failOnEmpty,
  ...options
}: BulkOptions) => options;
