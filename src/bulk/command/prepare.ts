// Prepares a bulk run: checks the options and opens the input, the sender and the journal.
import { existsSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { usageError } from '../../core/errors.ts';
import { counted, listText } from '../../core/text.ts';
import type { InputRecord } from '../../input/records.ts';
import { createShardFilter, readShard, shardText } from '../engine/shard.ts';
import type { Journal } from '../journal/journal.ts';
import type { RunWork } from '../journal/manifest.ts';
import type { RejectsFormat } from '../journal/rejects.ts';
import type { LoadedRun } from '../journal/run-store.ts';
import type { BulkCommand, RunStart } from './bulk-command.ts';
import { prepareCanary } from './canary.ts';
import { refuseOtherEncoding } from './confirm-encoding.ts';
import { canReadInputAgain, inputLocation, openInput } from './input.ts';
import { optionsWith } from './options.ts';
import { createRunTarget, environmentOfRun, validationTarget } from './run-target.ts';

/** Throws every error that is detectable before the first row is sent. */
export async function prepareRun(context: Context, bulk: BulkCommand, start: RunStart) {
  const { earlierRun, isDryRun, isSent } = start;
  const target = earlierRun ? undefined : await checkRejectsPath(context, bulk);
  const { source, identity, readAgain, sender, work } = await openWork(context, bulk, start);
  try {
    const isIncluded = start.shard && createShardFilter(sender, start.shard);
    const isCounted = (record: InputRecord) => !record.isBlank && isIncluded?.(record) !== false;
    const countRows = async () => {
      if (!readAgain) return Number.NaN;
      let rows = 0;
      for await (const records of readAgain()) rows += records.filter(isCounted).length;
      return rows;
    };
    const listRecipients = async () => {
      const ids = new Set<string>();
      for await (const records of readAgain?.() ?? [])
        for (const record of records.filter(isCounted))
          if (record.error === undefined)
            for (const id of sender.recipientsOf?.(record) ?? []) ids.add(id);
      return ids;
    };
    if (!isDryRun)
      await bulk.checkRecipients?.(readAgain && listRecipients, earlierRun !== undefined);
    if (bulk.confirm && !earlierRun && isSent) await bulk.confirm(countRows);
    const canarySize =
      bulk.canary && isSent && !isDryRun
        ? await prepareCanary(bulk.canary, countRows, earlierRun)
        : undefined;
    const { rejectsFormat } = await import('../journal/rejects.ts');
    const { idField } = bulk;
    const format = rejectsFormat(source.format, { ...source, idField, csvSafe: start.csvSafe });
    const extension = source.format === 'lines' ? 'csv' : source.format;
    // With a fixed id, a process of another machine or with a lost disk may have sent rows.
    const isNew = !earlierRun && (bulk.options.runId ?? bulk.runId) === undefined;
    const choice = { isNew, target, extension, format };
    const journal = isDryRun
      ? (await import('../journal/journal.ts')).createDryRunJournal(start.runId)
      : await openRunJournal(context, start, work, choice);
    const { idScope } = work;
    return {
      source,
      identity,
      sender,
      idScope,
      rejectsFormat: format,
      journal,
      isIncluded,
      canarySize,
      countRows,
    };
  } catch (error) {
    source.close();
    throw error;
  }
}

/** Opens the input and the sender, and describes the work. Throws a usage error if the run exists and does other work. */
async function openWork(
  context: Context,
  bulk: BulkCommand,
  start: RunStart,
  refuseChanges = refuseOtherWork,
) {
  const input = await openInput(context, bulk, start);
  const { identity, source, encoding, map } = input;
  try {
    const target = await findTarget(context, bulk, start);
    const { contentTransactionIds } = await import('../operations/transaction-ids.ts');
    const transactionId = contentTransactionIds(target.idScope);
    const sender = await bulk.openSender(source, transactionId, input.readAgain);
    if (!start.earlierRun) await refuseOtherEncoding(source, encoding);
    const inputOptions = {
      ...sender.options,
      ...(map === undefined ? {} : { map }),
      ...(encoding === undefined ? {} : { encoding }),
    };
    const work = { ...describeWork(bulk, start, inputOptions), ...target, file: identity };
    if (start.earlierRun) await refuseChanges(start.earlierRun, work, bulk);
    return { ...input, sender, work };
  } catch (error) {
    source.close();
    throw error;
  }
}

/** Throws a usage error if a finished run has done other work than the command asks for. */
export async function compareFinishedRun(context: Context, bulk: BulkCommand, start: RunStart) {
  const { earlierRun } = start;
  if (!earlierRun) return;
  if (bulk.options.runId === undefined && !canReadInputAgain(context, bulk, start)) {
    const { options, file } = earlierRun.manifest;
    const target = await findTarget(context, bulk, start);
    const work = { ...describeWork(bulk, start, options), ...target, file };
    return refuseOtherWork(earlierRun, work, bulk);
  }
  const { source } = await openWork(context, bulk, start);
  source.close();
}

/** Opens the rows that a run has read. Throws a usage error if its input or the files of its options changed. */
export async function openEarlierRows(
  context: Context,
  bulk: BulkCommand,
  { store, runId }: Pick<RunStart, 'store' | 'runId'>,
) {
  const earlierRun = store.load(runId);
  const { shard, csvSafe } = earlierRun.manifest.options;
  const start: RunStart = {
    store,
    runId,
    earlierRun,
    // Nothing is written to the folder of the run.
    isDryRun: true,
    isSent: true,
    shard: typeof shard === 'string' ? readShard(shard, {}) : undefined,
    csvSafe: csvSafe === true,
  };
  const { listWorkChanges } = await import('../journal/manifest.ts');
  const { source, sender } = await openWork(context, bulk, start, async ({ manifest }, work) => {
    const changes = listWorkChanges(manifest, work, new Set());
    if (changes.length > 0)
      throw usageError(
        `Run ${runId} cannot be sent again: ${listText(changes)} changed since it started.`,
        { hint: 'Its events are made from the same rows. Restore the input as it was.' },
      );
  });
  return { source, sender };
}

async function refuseOtherWork(
  { manifest }: LoadedRun,
  work: RunWork,
  { options, declaredOptions }: BulkCommand,
): Promise<void> {
  const { refuseChanges } = await import('../journal/manifest.ts');
  const changeable = optionsWith('changeable', declaredOptions);
  refuseChanges(manifest, work, { changeable, isIdGiven: options.runId !== undefined });
}

/** The service and environment, and the text from which keys and transaction ids are derived. */
async function findTarget(context: Context, bulk: BulkCommand, start: RunStart) {
  const { runId, earlierRun, isSent } = start;
  const { hashIdScope } = await import('../journal/run-target.ts');
  const target = isSent
    ? await createRunTarget(context, runId, await environmentOfRun(context, bulk.options))
    : validationTarget(context);
  const idScope =
    earlierRun?.manifest.idScope ??
    hashIdScope([target.service, target.environmentId, bulk.command, sentArgs(bulk), runId]);
  return { ...target, idScope };
}

/** The arguments without the path of the input: another machine can have the file elsewhere. */
const sentArgs = ({ args: { file: _path, ...args } }: BulkCommand) => args;

/** `inputOptions` follow from the input. */
const describeWork = (
  bulk: BulkCommand,
  { shard, csvSafe }: RunStart,
  inputOptions: object = {},
) => ({
  command: bulk.command,
  args: bulk.args,
  options: {
    ...recordedOptions(bulk),
    ...bulk.recordedOptions,
    ...inputOptions,
    ...(shard ? { shard: shardText(shard) } : {}),
    ...(csvSafe ? { csvSafe: true } : {}),
  },
  ...(bulk.content ? { content: bulk.content } : {}),
});

/** Checks --rejects. Returns the file, or the device or pipe that receives a copy of the rejected rows. */
async function checkRejectsPath(context: Context, bulk: BulkCommand) {
  const { rejects, force } = bulk.options;
  if (rejects === undefined) return undefined;
  const { isStream, refuseInput, refuseUnwritable, refuseStandardOutput } = await import(
    '../journal/rejects.ts'
  );
  refuseStandardOutput(rejects);
  const file = path.resolve(context.host.cwd, rejects);
  refuseInput(file, inputLocation(context, bulk));
  refuseUnwritable(file);
  if (isStream(file)) return { stream: file };
  const { chooseOutputFile } = await import('../../platform/files/output-file.ts');
  chooseOutputFile(context.host, rejects, {
    force,
    otherwise: 'Choose another path with --rejects',
  });
  return { file: existsSync(file) ? realpathSync(file) : file };
}

interface JournalChoice {
  /** Whether no other process has sent rows of the run. */
  isNew: boolean;
  /** The value of --rejects: a file, or a stream that receives a copy. */
  target: { file?: string; stream?: string } | undefined;
  extension: string;
  format: RejectsFormat;
}

/** Writes the manifest of a new run, and opens the journal. */
async function openRunJournal(
  context: Context,
  { store, runId, earlierRun }: RunStart,
  work: RunWork & { idScope: string },
  { isNew, target, extension, format }: JournalChoice,
): Promise<Journal> {
  const { openJournal } = await import('../journal/journal.ts');
  const { host } = context;
  const folder = store.runFolder(runId);
  const file =
    earlierRun?.manifest.rejects ?? target?.file ?? path.join(folder, `rejects.${extension}`);
  if (!earlierRun) {
    store.create({
      runId,
      ...work,
      rejects: file,
      startedAt: new Date(host.clock.now()).toISOString(),
      version: host.version,
      ...(host.identity ? { host: host.identity.host } : {}),
    });
    // Only --force gets here with an existing file. Remove it, because it has the rows of an earlier run.
    if (target?.stream === undefined) rmSync(file, { force: true });
  }
  const { openStream } = await import('../journal/rejects.ts');
  const stream = target?.stream === undefined ? undefined : openStream(target.stream);
  const rejects = { file, format, stream };
  const journal = openJournal({ runId, isNew, folder, rejects, every: host.clock.every });
  const { unreadable } = journal.earlier;
  if (unreadable > 0) {
    context.note(
      `The journal has ${counted(unreadable, 'unreadable line')}. Rows recorded there are sent again with the same idempotency keys.`,
    );
  }
  return journal;
}

function recordedOptions({ options, declaredOptions }: BulkCommand): Record<string, unknown> {
  const unrecorded = optionsWith('unrecorded', declaredOptions);
  return Object.fromEntries(Object.entries(options).filter(([name]) => !unrecorded.has(name)));
}
