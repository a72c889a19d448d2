import type { Context } from '../../app/context.ts';
import { bulkOptions, summaryFields } from '../../bulk/command/options.ts';
import { resendCommand } from '../../bulk/journal/ledger.ts';
import type { RunStore } from '../../bulk/journal/run-store.ts';
import { command, type Values } from '../../cli/command.ts';
import { choice, flag, integer, text } from '../../cli/options.ts';
import { optionText } from '../../cli/spelling.ts';
import { raceAbort } from '../../core/async.ts';
import { usageError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/objects.ts';
import { counted, grouped } from '../../core/text.ts';
import {
  findTriggerRun,
  requireRunTarget,
  type TriggerRun,
} from '../../deliveries/run-deliveries.ts';
import * as result from '../../output/result.ts';
import { failureCauses } from '../../service/job-outcomes.ts';
import { resentLines, type Selection, selectRecipients } from './resent-events.ts';
import { deliveriesStep } from './trigger-many.ts';

const { concurrency, rate, maxErrors, rejects, force } = bulkOptions;

const selectionOptions = {
  run: text('--run <run-id|last>', 'The run; last is the newest run of `svc events trigger`', {
    complete: 'runs',
    run: ['original'],
  }),
  transactions: text(
    '--transactions <file|->',
    'Events of any origin: a list of transaction ids, such as those of svc activity audit',
    { complete: 'files', conflicts: ['run', 'only', 'cause', 'again'], run: ['unrecorded'] },
  ),
  only: choice(
    '--only <recipients>',
    ['undelivered', 'failed'],
    'undelivered: at least one message failed and none was delivered; failed: at least one message failed, even if others were delivered',
    { defaultText: 'undelivered', run: ['original'] },
  ),
  cause: choice('--cause <cause>', failureCauses, 'Only recipients with this cause of a failure', {
    run: ['original'],
  }),
  again: flag('--again', 'Resend to those who are still undelivered after an earlier resend', {
    run: ['original'],
  }),
};

/** Recorded by a run, not options of the command line. */
const recordedOptions = {
  unfinished: integer('--unfinished <n>', '', { min: 1, run: ['original'] }),
};

const updateOption = {
  updateSubscribers: flag(
    '--update-subscribers',
    'Also send the fields of the recipients that the run has sent; by default only their ids',
    { run: ['original'] },
  ),
};

const options = {
  ...selectionOptions,
  ...updateOption,
  concurrency,
  rate,
  maxErrors,
  rejects,
  force,
};

type Selected = Partial<Values<typeof selectionOptions>>;
type Options = Partial<Values<typeof options>> & { resume?: string; unfinished?: number };

export const resend = command({
  summary: 'Trigger the events of a run or a list again for the recipients that they did not reach',
  details:
    'Reads the deliveries of the run, and triggers its events again with new transaction ids. The events come from the rows of the run: its input file must be unchanged, or a copy of standard input kept by --spool. An event for a topic is triggered for the subscriber alone. Recipients are sent by their ids, so that an address that was corrected since the run stays; --update-subscribers sends the fields of the run again.\n\nUnfinished recipients are left out and counted, so that no message is sent twice. When they are finished, run the command again with --again. With --only failed, recipients who got a message in one channel get it again. Before it sends, svc asks and prints how many messages are repeated.\n\nsvc derives the transaction ids from the event, the recipient and the number of the resend. So a resend that is repeated sends the same ids, and the service drops the events that it already has. A run can be resent once. With --again, svc resends to recipients who are still undelivered.\n\nWith --transactions, the events come from the activity, with the payload, overrides and contexts that the service keeps. Recipients with a delivered message are left out, and so are events that wait for a digest or delay and are not late. Other unfinished events are sent, because their jobs may be lost. Events whose payload is gone are left out and counted.',
  options,
  output: 'The summary of the run, with the run that it resends as origin.',
  fields: summaryFields,
  exitCodes: ['partial', 'notFound'],
  examples: {
    'svc events resend --run last --dry-run': 'Count the recipients, send nothing',
    'svc events resend --run last --cause provider_error --yes':
      'Only those whose provider returned an error',
    'svc events resend --transactions overdue.txt --dry-run': 'The events that an audit found',
  },
  operations: ['triggerEvents', 'listActivity', 'getActivity', 'getWorkflow', 'listWorkflows'],
  skipsMissingOperations: true,
  writes: true,
  gracefulShutdown: true,
  async run(context, { options }) {
    const { resume, ...selected } = options as Options;
    if (resume !== undefined) return sendEvents(context, options);
    if (selected.transactions !== undefined)
      return resendTransactions(context, options, selected.transactions);
    const { openRunStore } = await import('../../bulk/journal/run-store.ts');
    const store = openRunStore(context.host);
    if (selected.run === undefined)
      throw usageError('No run is given.', {
        next: ['svc runs list', 'svc events resend --run last', 'svc activity audit'],
      });
    const origin = await findOrigin(context, store, selected.run);
    const { runId } = origin.run;
    const resends = earlierResends(store, runId);
    refuseRepetition(runId, resends, selected);
    const selection = await raceAbort(
      selectRecipients(context, origin, {
        only: selected.only ?? 'undelivered',
        cause: selected.cause,
        isAgain: selected.again === true,
        sentIds: (repetition) => sentIds(store, resendId(runId, repetition)),
      }),
      context.host.shutdownSignal,
    );
    const { repetition, recipients, unfinished } = selection;
    if (repetition > 1 && selected.again !== true) throw repeatedError(runId, selected);
    for (const line of selectionLines(runId, selection)) context.note(line);
    if (recipients.length === 0) return nothingToSend(context, runId, selection);
    const lines = await resentLines(
      context,
      store,
      origin,
      recipients,
      options.updateSubscribers === true,
    );
    const sendOptions = { ...selected, run: runId, ...(unfinished > 0 ? { unfinished } : {}) };
    return sendEvents(context, sendOptions, {
      runId: resendId(runId, repetition),
      makeRows: lines,
      confirm: () =>
        context.confirm(
          `Trigger ${counted(recipients.length, 'event')} of run ${runId} again`,
          repeatedText(selection),
        ),
    });
  },
});

const resendId = (runId: string, repetition: number) => `${runId}-resend-${repetition}`;

async function findOrigin(context: Context, store: RunStore, name: string): Promise<TriggerRun> {
  const participle = 'resent';
  const origin = await findTriggerRun(context, store, name, { participle, resends: false });
  const { runId, manifest, state, validateOnly } = origin.run;
  if (validateOnly) throw usageError(`Run ${runId} only validated its rows. It sent no events.`);
  if (state === 'running')
    throw usageError(`Run ${runId} is still sending events.`, {
      hint: 'Wait until it has finished.',
      next: [`svc runs watch ${runId}`],
    });
  if (manifest.file === null)
    throw usageError(
      `Run ${runId} read standard input, which cannot be read again, so its events are not known.`,
      { hint: 'With --spool, svc keeps a copy that it can resend from.' },
    );
  await requireRunTarget(context, origin, {
    participle,
    command: 'events resend --run',
    ifReplaced: 'trigger the events again with a new run',
  });
  return origin;
}

/** Runs of this machine that resend the run. */
const earlierResends = (store: RunStore, runId: string) =>
  store
    .list()
    .filter(
      ({ command: line, manifest }) => line === resendCommand && manifest.options.run === runId,
    );

/** A resend that stopped must not be overtaken by another one: its rest would be sent twice. */
function refuseRepetition(
  runId: string,
  resends: ReturnType<typeof earlierResends>,
  selected: Selected,
): void {
  const open = resends.find(({ state }) => state !== 'finished');
  if (open)
    throw usageError(`Run ${open.runId}, which resends run ${runId}, has not finished.`, {
      hint: 'Resume it first.',
      next: [`svc runs resume ${open.runId}`],
    });
  const [earlier] = resends;
  if (earlier && selected.again !== true) throw repeatedError(runId, selected, earlier.runId);
}

const repeatedError = (runId: string, { only, cause }: Selected, earlier?: string) =>
  usageError(
    `Run ${runId} was resent before${earlier === undefined ? '' : ` by run ${earlier}`}.`,
    {
      hint: 'With --again, svc resends to those who are still undelivered.',
      next: [`svc events resend --run ${runId}${optionText({ only, cause })} --again`],
    },
  );

/** The events that a run of this machine has sent; none without the run. */
async function sentIds(store: RunStore, runId: string): Promise<ReadonlySet<string>> {
  const { readSentTransactions } = await import('../../bulk/journal/transaction-id-file.ts');
  return new Set(readSentTransactions(store.runFolder(runId)).ids);
}

function selectionLines(runId: string, { recipients, unfinished, others }: Selection): string[] {
  return [
    ...(recipients.length === 0
      ? []
      : [`Run ${runId}: ${counted(recipients.length, 'recipient')} to resend to.`]),
    ...(unfinished === 0
      ? []
      : [
          `Left out: ${counted(unfinished, 'recipient')} not finished yet. Resend to them later with --again.`,
        ]),
    ...(others === 0
      ? []
      : [
          `${counted(others, 'recipient')} with a failed message also got a delivered message: --only failed resends to them, too.`,
        ]),
  ];
}

function repeatedText({ repeatedMessages }: Selection): string | undefined {
  if (repeatedMessages === 0) return undefined;
  const messages = counted(repeatedMessages, 'message');
  return `${messages} that ${repeatedMessages === 1 ? 'was' : 'were'} delivered will be sent again.`;
}

function nothingToSend(context: Context, runId: string, { unfinished }: Selection) {
  const value = { origin: runId, runId: null, rows: 0, triggered: 0, unfinished };
  const left = unfinished === 0 ? '' : `; ${grouped(unfinished)} are not finished`;
  const why = `: run ${runId} has no recipient who is finished and undelivered${left}`;
  return reportNothing(context, value, why);
}

function reportNothing(context: Context, value: JsonObject, why = '') {
  const sentence = `Nothing to resend ${context.connection.place()}${why}.`;
  // In a pipe, standard output has only the numbers.
  if (!context.host.stdout.isTty) context.note(sentence);
  return result.report({ value, lines: [sentence], ids: [] });
}

interface NewRun {
  runId?: string;
  makeRows: () => AsyncIterable<string>;
  confirm: () => Promise<void>;
}

/** Sends events of any origin. A repeated resend sends the same transaction ids, which the service drops. */
async function resendTransactions(context: Context, options: Options, source: string) {
  const { transactionLines } = await import('./resend-transactions.ts');
  const lines = await transactionLines(context, source);
  if (lines.length === 0) return reportNothing(context, { runId: null, rows: 0, triggered: 0 });
  return sendEvents(context, options, {
    async *makeRows() {
      yield* lines;
    },
    confirm: () => context.confirm(`Trigger ${counted(lines.length, 'event')} again`),
  });
}

/** Sends the events of a new run, or the rest of an earlier one from the copy in its folder. */
async function sendEvents(
  context: Context,
  { run, unfinished, ...sending }: Options,
  newRun?: NewRun,
) {
  const { openEventSender } = await import('../../bulk/operations/events.ts');
  const { runBulk } = await import('../../bulk/command/run-bulk.ts');
  const counts = unfinished === undefined ? {} : { unfinished };
  return runBulk(context, {
    command: resendCommand,
    activeVerb: 'Resending',
    pastVerb: 'Resent',
    reportTexts: { nextStep: deliveriesStep },
    args: {},
    options: { ...sending, run, ...counts, format: 'ndjson' },
    declaredOptions: { ...bulkOptions, ...selectionOptions, ...updateOption, ...recordedOptions },
    file: '-',
    retry: { line: 'events trigger --file' },
    isRepeatable: false,
    summary: { ...(run === undefined ? {} : { origin: run }), ...counts },
    ...newRun,
    openSender: openEventSender,
  });
}
