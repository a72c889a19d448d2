// Runs a bulk command: opens input, sender and journal, runs the engine, and creates the report.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { optionText } from '../../cli/spelling.ts';
import { raceAbort } from '../../core/async.ts';
import { SvcError, unexpectedError } from '../../core/errors.ts';
import { counted, shellWord } from '../../core/text.ts';
import type { RecordFormat } from '../../input/records.ts';
import { findMaskedSecret } from '../../output/mask.ts';
import type { Result } from '../../output/result.ts';
import type { RunEnd } from '../engine/run.ts';
import { readShard } from '../engine/shard.ts';
import type { Summary } from '../engine/stats.ts';
import type { BulkCommand, OpenedSender, RunStart } from './bulk-command.ts';
import { openCanary } from './canary.ts';
import { createSampleReader, saveMapping, type Targets } from './column-mapping.ts';
import { reportEmpty } from './input.ts';
import { optionsWith, parseMaxErrors } from './options.ts';
import { compareFinishedRun, prepareRun } from './prepare.ts';
import { createRowEvents, showProgress } from './progress.ts';
import { isInputBroken, reasonLines, runReport } from './report.ts';
import { createRunId, explicitRunId } from './run-target.ts';

export async function runBulk(context: Context, bulk: BulkCommand): Promise<Result> {
  const { options } = bulk;
  const isDryRun = context.globals.dryRun !== undefined || bulk.isCheck === true;
  const { openRunStore } = await import('../journal/run-store.ts');
  const store = openRunStore(context.host);
  const shard =
    options.shard === undefined ? undefined : readShard(options.shard, context.host.env);
  const hasTooManyErrors = parseMaxErrors(options.maxErrors);
  const explicitId = explicitRunId(options);
  if (options.resume !== undefined) store.readManifest(options.resume);
  const runId = explicitId ?? bulk.runId ?? createRunId(context);
  const lock = isDryRun ? undefined : store.hold(runId);
  // A command that is refused before its first row leaves no folder and no copy of the input.
  const run = { isKept: !store.isUnstarted(runId) };
  try {
    const isExpected = store.exists(runId) || options.resume !== undefined;
    const earlierRun = isExpected ? store.load(runId) : undefined;
    const isSent = options.validateOnly !== true;
    const csvSafe = earlierRun
      ? earlierRun.manifest.options.csvSafe === true
      : context.globals.csvSafe === true;
    const start = { store, runId, earlierRun, isDryRun, isSent, shard, csvSafe };
    return earlierRun?.ledger.end
      ? await reportFinishedRun(context, bulk, start)
      : await sendRows(context, bulk, { start, run, hasTooManyErrors });
  } finally {
    if (run.isKept) lock?.release();
    else lock?.remove();
  }
}

/** Prints the summary of a finished run again. Throws a usage error if the command asks for other work. */
async function reportFinishedRun(context: Context, bulk: BulkCommand, start: RunStart) {
  await raceAbort(compareFinishedRun(context, bulk, start), context.host.shutdownSignal);
  const { end, reasons } = start.earlierRun?.ledger ?? {};
  if (!end) throw unexpectedError(new Error('The run has not finished.'));
  const { createReasons } = await import('../engine/stats.ts');
  const summary: Summary = { ...end, alreadyFinished: true, replayed: end.replayed ?? 0 };
  context.note(`Run ${summary.runId} has already finished. This is its summary.`);
  return runReport(
    { summary, cause: errorOfStoppedRun(summary), resumable: false },
    { ...reportTexts(context, bulk), reasons: createReasons(reasons).top(maxShownReasons) },
  );
}

const reportTexts = (
  context: Context,
  bulk: BulkCommand,
  format?: RecordFormat,
  mapFile?: string,
) => ({
  pastVerb: bulk.options.validateOnly ? 'Checked' : bulk.pastVerb,
  isCheck: bulk.isCheck === true,
  propose: context.propose,
  causeText: bulk.canary?.causeText,
  retryCommand: (file: string) =>
    retryCommand(context, mapFile ? withMapFile(bulk, mapFile) : bulk, file, format),
  ...(bulk.repeatedIdsRule === undefined ? {} : { repeatedIdsRule: bulk.repeatedIdsRule }),
  ...bulk.reportTexts,
});

interface RunSetup {
  start: RunStart;
  /** Set `isKept` once the journal is open: from then on the run can be resumed. */
  run: { isKept: boolean };
  hasTooManyErrors: (bad: number, rows: number) => boolean;
}

async function sendRows(
  context: Context,
  bulk: BulkCommand,
  { start, run: heldRun, hasTooManyErrors }: RunSetup,
): Promise<Result> {
  const { options } = bulk;
  const { store, runId, earlierRun, isDryRun, isSent, shard } = start;
  const { clock, shutdownSignal, forceSignal } = context.host;
  const client = isSent ? await raceAbort(context.client(), shutdownSignal) : undefined;
  if (shard) context.note(`Shard ${shard.index} of ${shard.count}.`);
  const prepared = await raceAbort(prepareRun(context, bulk, start), shutdownSignal);
  const { source, identity, sender, idScope, rejectsFormat, journal, isIncluded } = prepared;
  heldRun.isKept = !isDryRun;

  const mapFile = isDryRun
    ? undefined
    : await saveRunMapping(store.runFolder(runId), sender.mapping);
  const { createStats, createSummary } = await import('../engine/stats.ts');
  const { run } = await import('../engine/run.ts');
  const stats = createStats({
    successStates: sender.successStates,
    comparesMostIds: bulk.comparesMostIds === true,
    ticks: clock.ticks,
    ...(earlierRun ? { earlier: journal.earlier } : {}),
  });
  const rowEvents = createRowEvents(context);
  const place = client && context.connection.place();
  const label = place ? `${bulk.activeVerb} ${place}` : bulk.activeVerb;
  const progress = showProgress(context, label, source, stats, options.take);
  const canary =
    bulk.canary && isSent && !isDryRun
      ? openCanary(bulk.canary, { journal, size: prepared.canarySize, progress })
      : undefined;
  let isEmpty = false;
  const allowHeapGrowth = context.host.limitHeapGrowth();
  try {
    if (sender.begin) {
      progress.pause();
      heldRun.isKept = earlierRun !== undefined;
      await raceAbort(sender.begin(stats.addRequest), shutdownSignal);
      heldRun.isKept = !isDryRun;
      progress.resume();
    }
    const ended = await run({
      sender,
      source,
      journal,
      idScope,
      rejects: rejectsFormat,
      sampleOf: createSampleReader(source, { ...options, ...sender.options }),
      stats,
      client,
      clock,
      concurrency: options.concurrency ?? 64,
      rate: options.rate,
      maxWaitMs: context.settings.maxWaitMs,
      maskedSecret: findMaskedSecret,
      hasTooManyErrors,
      isIncluded,
      canary: canary?.gate,
      shutdownSignal,
      forceSignal,
      onLimiterCreated: progress.onLimiterCreated,
      onEarlierStart: () => context.note(`Warning: ${earlierStartText}`),
      ...(rowEvents ? { onRowFinished: rowEvents.onRowFinished, flush: rowEvents.flush } : {}),
    });
    const published = stopOnError(ended, () => {
      const other = journal.publishRejects();
      if (other !== undefined) context.note(notReplacedNote(other));
    });
    const repeatedIds = bulk.repeatedIdsRule === undefined ? undefined : stats.repeatedIds();
    const ownSummary = await sender.summary?.();
    const fullSummary = createSummary(stats, {
      runId,
      rejectsFiles: journal.rejectsFiles(),
      resumed: earlierRun !== undefined,
      stopped: published.stopped,
      ignoredColumns: listIgnoredColumns(sender),
      canary: canary?.result(),
      more: { ...(repeatedIds ? { repeatedIds } : {}), ...bulk.summary, ...ownSummary },
      ...(sender.problems ? { problems: sender.problems } : {}),
    });
    if (fullSummary.rows === stats.emptyRows() && published.stopped === null) {
      isEmpty = true;
      reportEmpty(context, source, options, { shard, emptyRows: stats.emptyRows() });
    }
    const { stopped, cause } = isFinished(published)
      ? stopOnError(published, () => journal.recordEnd(fullSummary))
      : published;
    const summary = { ...fullSummary, stopped };
    progress.stop();
    for (const line of sender.hint?.()?.split('\n') ?? []) context.note(line);
    const resumable =
      stopped !== null && identity !== null && !isInputBroken(cause) && !bulk.isCheck;
    return runReport(
      { summary, cause, resumable },
      {
        ...reportTexts(context, withOptions(bulk, sender), source.format, mapFile),
        ...(place ? { place } : {}),
        reasons: stats.topReasons(maxShownReasons),
        repeatAdvice: repeatAdvice(bulk, summary),
        isBlocked: sender.isBlocked === true,
        ...(canary?.isDeclined() ? { declinedOf: await prepared.countRows() } : {}),
      },
    );
  } catch (error) {
    // The output of a dry run contains only the rows that would be sent.
    if (isDryRun && stats.unsuccessfulRows() > 0) {
      context.note(`${counted(stats.unsuccessfulRows(), 'row')} would be rejected:`);
      for (const line of reasonLines(stats.topReasons(maxShownReasons))) context.note(line);
    }
    throw error;
  } finally {
    progress.stop();
    allowHeapGrowth();
    await journal.close();
    if (isEmpty && options.failOnEmpty) heldRun.isKept = earlierRun !== undefined;
  }
}

/** The options with those that follow from the input, such as a country that a person named. */
const withOptions = (bulk: BulkCommand, { options = {} }: OpenedSender): BulkCommand => ({
  ...bulk,
  options: { ...bulk.options, ...options },
});

/** The file replaces the options that assign columns. */
const withMapFile = (bulk: BulkCommand, mapFile: string): BulkCommand => {
  const { map: _map, dataColumn: _data, ignoreColumn: _ignored, ...options } = bulk.options;
  return { ...bulk, options: { ...options, mapFile } };
};

/** Saves a confirmed mapping in the folder of the run, because the rejects file has the same columns. */
async function saveRunMapping(folder: string, mapping: Targets | undefined) {
  const file = path.join(folder, 'mapping.yaml');
  if (existsSync(file)) return file;
  if (mapping === undefined) return undefined;
  await saveMapping({ path: file, shownAs: file, replaces: false }, mapping);
  return file;
}

/** The columns of a confirmed mapping that are not sent. */
const listIgnoredColumns = ({ mapping = [] }: OpenedSender) =>
  mapping.filter(([, targets]) => targets.length === 0).map(([column]) => column);

const earlierStartText =
  'The service already has events with transaction ids of this run, from an earlier start or another run. svc does not send them again, and counts them as replayed.';

const maxShownReasons = 3;

const notReplacedNote = ({ file, target }: { file: string; target: string }) =>
  `${target} was changed or created by another program, so it is not replaced. Further rejected rows are in ${file}.`;

/** Advice to send the remaining rows after a broken input is fixed. */
function repeatAdvice({ isRepeatable, pastVerb, options }: BulkCommand, { rows }: Summary): string {
  if (pastVerb === 'Imported') return 'Fix the input and import it again.';
  if (isRepeatable || rows === 0) return 'Fix the input and run the command again.';
  return `Fix the input and run the command again with --skip ${(options.skip ?? 0) + rows}, because these rows are finished.`;
}

/** Returns the error of a finished run whose input could not be read to the end; undefined for other finished runs. */
const errorOfStoppedRun = ({ stopped }: Summary) =>
  stopped === null
    ? undefined
    : new SvcError(
        'partial',
        stopped.reason,
        stopped.line === undefined ? {} : { line: stopped.line },
      );

/** Whether no rows are left to send, because the input has ended or the rest cannot be read. */
const isFinished = ({ stopped, cause }: RunEnd) => stopped === null || isInputBroken(cause);

/** Runs `act` after the last row. If it fails, the run counts as stopped, so that it can be resumed. */
function stopOnError(end: RunEnd, act: () => void): RunEnd {
  try {
    act();
    return end;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return isFinished(end) ? { stopped: { reason: error.message }, cause: error } : end;
  }
}

/** The shell command that sends fixed rejected rows: the same command and options with the rejects file as input. */
function retryCommand(
  { propose, globals }: Context,
  bulk: BulkCommand,
  rejects: string,
  inputFormat: RecordFormat | undefined,
): string {
  const { declaredOptions, retry = ownLine(bulk) } = bulk;
  const { csvSafe, encoding: _inputOnly, ...options } = bulk.options;
  const extension = /\.(csv|ndjson|json)$/.exec(rejects)?.[1];
  const format = inputFormat === 'lines' ? 'csv' : (inputFormat ?? extension ?? 'csv');
  const needsFormat = retry.fromStdin || extension !== format;
  const input = `${retry.fromStdin ? '-' : shellWord(rejects)}${needsFormat ? ` --format ${format}` : ''}`;
  const original = optionsWith('original', declaredOptions);
  const { dataColumn } = options;
  const joinedColumns = Array.isArray(dataColumn) ? { dataColumn: dataColumn.join(',') } : {};
  // A resumed run has the option of its start.
  const safe = csvSafe || globals.csvSafe ? ' --csv-safe' : '';
  const line = propose(
    `svc ${retry.line}${retry.fromRun ? '' : ` ${input}`}${optionText({ ...options, ...joinedColumns }, [...original])}${safe}`,
  );
  return retry.fromStdin ? `${line} < ${shellWord(rejects)}` : line;
}

/** The line of the command itself, with its other arguments. */
function ownLine({
  command,
  args,
  file,
  idField,
  declaredOptions,
}: BulkCommand): NonNullable<BulkCommand['retry']> {
  const others = Object.values(args).filter((arg) => typeof arg === 'string' && arg !== file);
  const line = [command, ...(others as string[]).map(shellWord)].join(' ');
  if (declaredOptions.file) return { line: `${line} --file` };
  return { line, fromStdin: idField !== undefined };
}
