// Prepares a bulk run: checks the options and opens the input, the plan and the journal.
import { existsSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { counted } from '../../core/counts.ts';
import { createShardFilter } from '../engine/shard.ts';
import type { Journal } from '../journal/journal.ts';
import type { Manifest } from '../journal/manifest.ts';
import type { RejectsFormat } from '../journal/rejects-format.ts';
import type { BulkCommand, RunStart } from './bulk-command.ts';
import { inputLocation, openInput } from './input.ts';
import type { BulkOptions } from './options.ts';
import { createRunTarget } from './run-target.ts';
import { shardText } from './shard-options.ts';

/** Throws every error that is detectable before the first row is sent. */
export async function prepareRun(context: Context, bulk: BulkCommand, start: RunStart) {
  const { options } = bulk;
  const { store, runId, earlierRun, isDryRun, isSent } = start;
  const folder = store.folderOf(runId);
  const target = earlierRun ? undefined : await checkRejectsPath(context, bulk);
  const { source, identity, count } = await openInput(context, bulk, start);
  try {
    const plan = await bulk.openPlan(source, runId, isDryRun ? undefined : folder);
    const isIncluded = start.shard && createShardFilter(plan, start.shard);
    const countRows = () => count(isIncluded);
    if (bulk.confirm && !earlierRun && isSent) await bulk.confirm(countRows);
    const { rejectsFormat } = await import('../journal/rejects-format.ts');
    const defaultName = `rejects.${source.format === 'lines' ? 'csv' : source.format}`;
    const { idField } = bulk;
    const format = rejectsFormat(source.format, { ...source, idField, csvSafe: start.csvSafe });
    const manifest: Omit<Manifest, 'format'> = {
      runId,
      command: bulk.command,
      args: bulk.args,
      options: {
        ...recordedOptions(options),
        ...bulk.recordedOptions,
        ...plan.options,
        ...(start.shard ? { shard: shardText(start.shard) } : {}),
        ...(start.csvSafe ? { csvSafe: true } : {}),
      },
      ...(bulk.content ? { content: bulk.content } : {}),
      ...(await createRunTarget(context, runId, isSent)),
      file: identity,
      rejects: earlierRun?.manifest.rejects ?? target?.file ?? path.join(folder, defaultName),
      startedAt: new Date(context.host.clock.now()).toISOString(),
      version: context.host.version,
      ...(context.host.identity ? { host: context.host.identity.host } : {}),
    };
    const rejects = { file: manifest.rejects, format, streamPath: target?.stream };
    const journal = isDryRun
      ? (await import('../journal/journal.ts')).createDryRunJournal(runId)
      : await openRunJournal(context, start, manifest, rejects);
    return { source, identity, plan, rejectsFormat: format, journal, isIncluded, countRows };
  } catch (error) {
    source.close();
    throw error;
  }
}

/** Checks --rejects. Returns the file, or the device or pipe that receives a copy of the rejected rows. */
async function checkRejectsPath(context: Context, bulk: BulkCommand) {
  const { rejects, force } = bulk.options;
  if (rejects === undefined) return undefined;
  const { isStream, refuseExisting, refuseInput, refuseUnwritable, refuseStandardOutput } =
    await import('../journal/rejects-path.ts');
  refuseStandardOutput(rejects);
  const file = path.resolve(context.host.cwd, rejects);
  refuseInput(file, inputLocation(context, bulk));
  refuseUnwritable(file);
  if (!force) refuseExisting(file);
  if (isStream(file)) return { stream: file };
  return { file: existsSync(file) ? realpathSync(file) : file };
}

interface RejectsChoice {
  file: string;
  format: RejectsFormat;
  streamPath: string | undefined;
}

/** Creates the folder of a new run, locks the run and opens its journal. */
async function openRunJournal(
  context: Context,
  { store, runId, earlierRun }: RunStart,
  manifest: Omit<Manifest, 'format'>,
  { file, format, streamPath }: RejectsChoice,
): Promise<Journal> {
  const { openJournal } = await import('../journal/journal.ts');
  const { refuseChanges } = await import('../journal/manifest.ts');
  if (earlierRun) refuseChanges(earlierRun.manifest, manifest);
  else store.create(manifest);
  const release = store.lock(runId);
  try {
    // Only --force gets here with an existing file. Remove it, because it has the rows of an earlier run.
    if (!earlierRun && streamPath === undefined) rmSync(file, { force: true });
    const { openStream } = await import('../journal/rejects-path.ts');
    const stream = streamPath === undefined ? undefined : openStream(streamPath);
    const journal = openJournal({
      runId,
      folder: store.folderOf(runId),
      rejects: { file, format, stream },
      every: context.host.clock.every,
      release,
    });
    const { unreadable } = journal.earlier;
    if (unreadable > 0) {
      context.note(
        `The journal has ${counted(unreadable, 'unreadable line')}. Rows recorded there are sent again with the same idempotency keys.`,
      );
    }
    return journal;
  } catch (error) {
    release();
    throw error;
  }
}

/** The options to record. The omitted ones do not affect what is sent. */
const recordedOptions = ({
  resume: _resume,
  force: _force,
  rejects: _rejects,
  failOnEmpty: _failOnEmpty,
  runId: _runId,
  ...options
}: BulkOptions & Record<string, unknown>) => {
  // Its content is recorded as options.
  const { mapFile: _mapFile, saveMap: _saveMap, skipCanary: _skipCanary, ...recorded } = options;
  return recorded;
};
