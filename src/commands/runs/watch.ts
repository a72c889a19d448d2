import type { Context } from '../../app/context.ts';
import { readRowsOrPercent } from '../../bulk/command/options.ts';
import { command } from '../../cli/command.ts';
import { text } from '../../cli/options.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import { counted, grouped } from '../../core/text.ts';
import { channelCountLines, deliveryRate } from '../../deliveries/outcome-tokens.ts';
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
import { percent } from '../../output/bars.ts';
import { showProgressLines } from '../../output/progress-line.ts';
import type { Failure } from '../../output/result.ts';
import * as result from '../../output/result.ts';
import { runArgument } from '../shared/arguments.ts';

export const watch = command({
  summary: 'Follow the deliveries of a run until they are finished',
  details:
    'Reads the activity of the events that a run has triggered, until every job has a final status. The run may still be sending. Finished recipients are not read again. Digests and delays can take long: with --until 95%, the command ends when 95% of the recipients are finished.\n\nA recipient is failed if a message failed, delivered if a message was delivered and none failed, and skipped if every message was skipped, for example because of preferences. The exit code is 9 if a recipient failed, or if an event does not appear in the activity; skipped recipients do not count.',
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
  examples: [
    { line: 'svc runs watch last', description: 'The newest run that triggered events' },
    {
      line: 'svc runs watch last --until 95% --json',
      description: 'In a script, without waiting for the slowest recipients',
    },
  ],
  operations: ['listActivity', 'getActivity'],
  skipsMissingOperations: true,
  writes: false,
  tool: 'read',
  defaultProfile: (context, { args }) => profileOfRun(context, args.runId),
  async run(context, { args, options }) {
    const until = readUntil(options.until);
    const run = await openRunDeliveries(context, args.runId);
    const { runId } = run.run;
    const { openRunStore } = await import('../../bulk/journal/run-store.ts');
    const store = openRunStore(context.host);
    const isRunning = () => store.describe(runId).state === 'running';
    const snapshots = watchRunDeliveries(context, run, { until, isRunning });
    if (context.settings.output === 'ndjson') return snapshotLines(runId, snapshots);
    const last = await showSnapshots(context, runId, snapshots);
    const failure = toFailure(runId, last);
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

/** Shows each snapshot on a terminal, in place of the one before. Returns the last one. */
async function showSnapshots(
  context: Context,
  runId: string,
  snapshots: AsyncIterable<Snapshot>,
): Promise<Snapshot> {
  const { clock } = context.host;
  const startedAt = clock.ticks();
  let first: Snapshot | undefined;
  let last: Snapshot | undefined;
  const stop = showProgressLines(context, () => {
    if (!first || !last) return [`Reading the deliveries of run ${runId}.`];
    const seconds = (clock.ticks() - startedAt) / 1_000;
    return progressLines(last, (last.finished - first.finished) / Math.max(1, seconds));
  });
  try {
    for await (const snapshot of snapshots) {
      first ??= snapshot;
      last = snapshot;
    }
  } finally {
    stop();
  }
  if (last) return last;
  throw new SvcError('undelivered', `The deliveries of run ${runId} could not be read.`);
}

const maxShownReasons = 3;

function progressLines(snapshot: Snapshot, perSecond: number): string[] {
  const rate = deliveryRate(snapshot.outcomes);
  return [
    `${finishedText(snapshot)}${rate === undefined ? '' : ` (${percent(rate)} delivered)`}; ${perSecond.toFixed(1)}/s${snapshot.isSending ? '; still sending' : ''}`,
    ...channelCountLines(snapshot.channels),
    ...snapshot.reasons
      .slice(0, maxShownReasons)
      .map(({ text: reason, count }) => `  ${grouped(count)} × ${reason}`),
  ];
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
