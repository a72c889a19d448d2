// A bulk command from its options to its report: opens the input, the journal and the plan, runs, closes.
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import type { RecordFormat, RecordSource } from '../../input/records.ts';
import { findMaskedSecret } from '../../output/mask.ts';
import { counted } from '../../output/progress.ts';
import type { Result } from '../../output/result.ts';
import type { Plan } from '../engine/plan.ts';
import type { Summary } from '../engine/stats.ts';
import { reportEmpty } from './empty-input.ts';
import { type BulkOptions, readMaxErrors } from './options.ts';
import { prepared } from './prepare.ts';
import { watchRun } from './progress.ts';
import { isBroken, type RunWords, reasonLines, runReport } from './report.ts';
import { retryCommand } from './retry-command.ts';
import { rowLines } from './row-events.ts';
import { causeOf, noted } from './run-end.ts';
import { newRunId } from './run-target.ts';

export interface BulkCommand {
  /** `subscribers bulk-import`. */
  command: string;
  /** `Importing`, `Imported`. */
  doing: string;
  did: string;
  args: Record<string, unknown>;
  options: BulkOptions & Record<string, unknown>;
  /** Options as a run that goes on is to take them, where that is not as they were typed. */
  stated?: Record<string, unknown>;
  /** SHA-256 of what options brought in from files, by option. */
  content?: Record<string, string>;
  /** The file, or `-`. */
  file: string;
  /** The field of a list of ids: one id a line unless name or --format say otherwise. */
  idField?: string;
  /** The words before the file of rejects, which may come on standard input or from the run instead. */
  again: { words: readonly string[]; fromStdin?: boolean; fromRun?: boolean };
  words?: Pick<RunWords, 'redo' | 'unknown'>;
  /** Giving a row twice does what giving it once does. */
  repeatable: boolean;
  /** Asks what has to be asked, once the input can be read. */
  ask?: (count: () => Promise<number>) => Promise<void>;
  /** `folder` is absent in a dry run, which leaves nothing behind. */
  planOf: (source: RecordSource, runId: string, folder?: string) => Promise<Plan>;
}

const spareEveryMs = 200;

export async function runBulk(context: Context, bulk: BulkCommand): Promise<Result> {
  const { options } = bulk;
  const tooMany = readMaxErrors(options.maxErrors);
  const isDry = context.globals.dryRun !== undefined;
  const { resumedRun } = await import('../journal/load-run.ts');
  const { createReasons } = await import('../engine/reasons.ts');
  const runs = path.join(context.folders.state, 'runs');
  const before = options.resume === undefined ? undefined : resumedRun(runs, options.resume);
  const words = (format?: RecordFormat) => ({
    did: options.validateOnly ? 'Checked' : bulk.did,
    mend: (file: string) => retryCommand(context, bulk, file, format),
    ...bulk.words,
  });
  if (before?.ledger.end) {
    const { end: summary, reasons } = before.ledger;
    context.note(`Run ${summary.runId} has already finished. This is its summary.`);
    return runReport(
      { summary, cause: causeOf(summary), resumable: false },
      { ...words(), reasons: createReasons(reasons).top(shownReasons) },
    );
  }

  const runId = before?.manifest.runId ?? newRunId(context);
  const folder = path.join(runs, runId);
  const client = options.validateOnly ? undefined : await context.client();
  // What is refused before its first row was no run, and a dry run is none: no copy of the input stays.
  const forget = () => {
    if (!before) rmSync(folder, { recursive: true, force: true });
  };
  const { source, identity, plan, rejects, journal } = await prepared(context, bulk, {
    runId,
    folder,
    before,
    isDry,
    isSent: client !== undefined,
  }).catch((error: unknown) => {
    forget();
    throw error;
  });

  const { createStats, summaryOf } = await import('../engine/stats.ts');
  const { run } = await import('../engine/run.ts');
  const { clock, shutdownSignal, forceSignal } = context.host;
  const tally = createStats({
    words: plan.words,
    ticks: clock.ticks,
    ...(before ? { before: journal.before } : {}),
  });
  const lines = rowLines(context);
  context.gracefulShutdown = true;
  const place = client && context.place();
  const doing = place ? `${bulk.doing} ${place}` : bulk.doing;
  const watched = watchRun(context, doing, source, tally, options.take);
  let isEmpty = false;
  const stopSparing = clock.every(spareEveryMs, () => context.host.limitHeapGrowth());
  try {
    const exitReason = await run({
      plan,
      source,
      journal,
      rejects: rejects.format,
      tally,
      client,
      clock,
      concurrency: options.concurrency ?? 64,
      rate: options.rate,
      maxWaitMs: context.preferences.maxWaitMs,
      maskedSecret: findMaskedSecret,
      tooMany,
      shutdownSignal,
      forceSignal,
      paced: watched.paced,
      ...(lines ? { settled: lines.settled, flush: lines.flush } : {}),
    });
    const whole = summaryOf(tally, {
      runId,
      rejectsFiles: journal.rejectsFiles(),
      resumed: before !== undefined,
      stopped: exitReason.stopped,
    });
    if (whole.rows === 0 && exitReason.stopped === null) {
      isEmpty = true;
      reportEmpty(context, source, options);
    }
    const { stopped, cause } = noted(exitReason, () => journal.end(whole));
    const summary = { ...whole, stopped };
    const resumable = stopped !== null && identity !== null && !isBroken(cause);
    return runReport(
      { summary, cause, resumable },
      {
        ...words(source.format),
        ...(place ? { place } : {}),
        reasons: tally.topReasons(shownReasons),
        repeat: repeatedBy(bulk, summary),
      },
    );
  } catch (error) {
    // What a dry run shows are the rows that would be sent.
    if (isDry && tally.bad() > 0) {
      context.note(`${counted(tally.bad(), 'row')} would be rejected:`);
      for (const line of reasonLines(tally.topReasons(shownReasons))) context.note(line);
    }
    throw error;
  } finally {
    watched.stop();
    stopSparing();
    await journal.close();
    if (isDry || (isEmpty && options.failOnEmpty)) forget();
  }
}

const shownReasons = 3;

/** What brings the rest of a broken input in, once it is fixed. */
function repeatedBy({ repeatable, did, options }: BulkCommand, { rows }: Summary): string {
  if (did === 'Imported') return 'Fix it and import it again.';
  if (repeatable || rows === 0) return 'Fix it and run the command again.';
  return `Fix it and run the command again with --skip ${(options.skip ?? 0) + rows}: these rows are done.`;
}
