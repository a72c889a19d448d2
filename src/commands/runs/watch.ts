import type { Context } from '../../app/context.ts';
import { readRowsOrPercent } from '../../bulk/command/options.ts';
import { command } from '../../cli/command.ts';
import { text } from '../../cli/options.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import { counted, splitShellWords } from '../../core/text.ts';
import { openLiveView } from '../../deliveries/live-view.ts';
import {
  openRunDeliveries,
  profileOfRun,
  type Snapshot,
  watchRunDeliveries,
} from '../../deliveries/run-deliveries.ts';
import {
  deliveriesFields,
  deliveriesRecord,
  deliveriesValue,
  finishedText,
} from '../../deliveries/run-view.ts';
import type { DeliverySummary } from '../../deliveries/summary.ts';
import { createRateHistory, progressBar } from '../../output/progress.ts';
import type { Failure, Line } from '../../output/result.ts';
import * as result from '../../output/result.ts';
import { runArgument } from '../shared/arguments.ts';

export const watch = command({
  summary: 'Follow the deliveries of a run until they are finished',
  details:
    'On a terminal, svc redraws the outcomes by channel, the rate and the next step that is due; q leaves, c asks whether to cancel what is pending. With --no-unicode, it prints a line for each change instead. It reads the activity of the events that a run has triggered, until every job has a final status. The run may still be sending. Finished recipients are not read again. Digests and delays can take long: with --until 95%, the command ends when 95% of the recipients are finished.\n\nA recipient is failed if a message failed, delivered if a message was delivered and none failed, and skipped if every message was skipped, for example because of preferences. The exit code is 9 if a recipient failed, or if an event does not appear in the activity; skipped recipients do not count.',
  arguments: { runId: runArgument },
  options: {
    until: text('--until <p%>', 'End when this percentage of the recipients is finished', {
      defaultText: '100%',
    }),
  },
  output:
    'The recipients, messages by channel and reasons. As JSON, {runId, finished, recipients, channels: [{channel, delivered, failed, skipped, waiting}], reasons: [{cause, count}]}, where finished is the number of finished recipients; with -o ndjson, one such line after each poll.',
  fields: deliveriesFields,
  exitCodes: ['undelivered', 'notFound'],
  examples: {
    'svc runs watch last': 'The newest run that triggered events',
    'svc runs watch last --until 95% --json':
      'In a script, without waiting for the slowest recipients',
  },
  operations: ['listActivity', 'getActivity'],
  skipsMissingOperations: true,
  writes: false,
  tool: 'read',
  defaultProfile: (context, { args }) => profileOfRun(context, args.runId),
  async run(context, { args, options }, program) {
    const until = readUntil(options.until);
    const run = await openRunDeliveries(context, args.runId);
    const { runId } = run.run;
    const { openRunStore } = await import('../../bulk/journal/run-store.ts');
    const store = openRunStore(context.host);
    const isRunning = () => store.describe(runId).state === 'running';
    const left = new AbortController();
    const signal = AbortSignal.any([context.host.shutdownSignal, left.signal]);
    const snapshots = watchRunDeliveries(context, run, { until, isRunning, signal });
    if (context.settings.output === 'ndjson') return snapshotLines(runId, snapshots);
    const cancelLine = splitShellWords(context.propose(`svc events cancel --run ${runId}`));
    const { last, hasLeft } = await showSnapshots(context, runId, snapshots, {
      cancel: () => program.runLine(cancelLine.map(({ text: word }) => word).slice(1), {}),
      leave: () => left.abort(),
    });
    const failure = hasLeft ? undefined : toFailure(runId, last);
    if (hasLeft && last.outcomes.waiting > 0)
      context.note(
        `Not finished. To watch it again: ${context.propose(`svc runs watch ${runId}`)}`,
      );
    return result.one({
      ...deliveriesRecord(runId, last),
      ...(failure ? { end: { ...result.exit('undelivered', failure), failure } } : {}),
    });
  },
});

function readUntil(value = '100%'): number {
  const part = readRowsOrPercent(value);
  if (part && 'percent' in part && part.percent > 0) return part.percent / 100;
  throw usageError(`--until: \`${value}\` must be a percentage such as 95%.`);
}

const keys = { q: 'leave', c: 'cancel what is pending' };

interface Actions {
  /** Asks, and cancels what is pending. */
  cancel: () => Promise<unknown>;
  /** Ends the reading of snapshots. */
  leave: () => void;
}

/** Shows each snapshot on a terminal, in place of the one before. Returns the last one, and whether a person left. */
async function showSnapshots(
  context: Context,
  runId: string,
  snapshots: AsyncGenerator<Snapshot, void, void>,
  { cancel, leave }: Actions,
): Promise<{ last: Snapshot; hasLeft: boolean }> {
  const head = createHead(context, runId);
  const open = () => openLiveView(context, { head, keys });
  let view = await open();
  let last: Snapshot | undefined;
  let next = snapshots.next();
  try {
    for (let key = view.pressedKey(); ; ) {
      const event = await Promise.race([next, key]);
      if (event === 'c') {
        view.stop({ keepsFrame: true });
        await cancel();
        view = await open();
        key = view.pressedKey();
        if (last) await view.update(last);
      } else if (typeof event === 'string' || event.done) {
        view.stop();
        if (!last)
          throw new SvcError('undelivered', `The deliveries of run ${runId} are not read.`);
        return { last, hasLeft: typeof event === 'string' };
      } else {
        last = event.value;
        await view.update(last);
        next = snapshots.next();
      }
    }
  } catch (error) {
    view.stop({ keepsFrame: true });
    throw error;
  } finally {
    next.catch(() => undefined);
    leave();
  }
}

/** The progress with the rate over time, and the outcomes of the recipients. */
function createHead({ host: { clock } }: Context, runId: string) {
  const rates = createRateHistory();
  const startedAt = clock.ticks();
  let atStart: number | undefined;
  return (summary: DeliverySummary, width: number): Line[] => {
    const { finished, recipients } = summary;
    atStart ??= finished;
    const elapsedMs = clock.ticks() - startedAt;
    const rows = finished - atStart;
    rates.add(elapsedMs, rows);
    const rowsPerSecond = rates.now();
    const bar = progressBar(
      {
        label: `Run ${runId}`,
        rows: finished,
        noun: 'recipient',
        rejected: 0,
        errorRate: 0,
        fraction: finished / Math.max(1, recipients),
        leftMs: rowsPerSecond > 0 ? ((recipients - finished) / rowsPerSecond) * 1_000 : undefined,
        rowsPerSecond,
        ratesOverTime: rates.overTime(),
      },
      width,
    );
    return [bar, finishedText(summary)];
  };
}

/** One line for each snapshot. Throws at the end if a recipient is not delivered. */
function snapshotLines(runId: string, snapshots: AsyncIterable<Snapshot>) {
  async function* pages() {
    let last: Snapshot | undefined;
    for await (const snapshot of snapshots) {
      yield { items: [deliveriesValue(runId, snapshot)] };
      last = snapshot;
    }
    const failure = last && toFailure(runId, last);
    if (failure)
      throw new SvcError('undelivered', failure.message, {
        ...(failure.next ? { next: [...failure.next] } : {}),
      });
  }
  return result.list({
    pages: pages(),
    columns: result.fieldColumns(deliveriesFields),
    id: (value) => value.runId,
    empty: '',
    stream: true,
  });
}

/** Why the exit code is 9; undefined if no recipient is undelivered. */
function toFailure(
  runId: string,
  { outcomes: { failed }, partlyDelivered, missing, isStuck }: Snapshot,
): Failure | undefined {
  const problems = [
    ...(failed === 0 ? [] : [`${counted(failed, 'recipient')} did not get every message`]),
    ...(isStuck
      ? [
          `${counted(missing, 'event')} did not appear in the activity; an event for a topic without subscribers never does`,
        ]
      : []),
  ];
  if (problems.length === 0) return undefined;
  return {
    message: `${problems.join('. ')}.`,
    next:
      failed === 0
        ? ['svc activity list']
        : [`svc events resend --run ${runId}${failed === partlyDelivered ? ' --only failed' : ''}`],
  };
}
