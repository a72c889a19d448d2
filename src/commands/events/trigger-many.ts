// Triggering many events as a run: a file of events, or one event for each row of a file of recipients.

import type { Context } from '../../app/context.ts';
import { fieldOptions } from '../../bulk/command/column-options.ts';
import { type BulkOptions, bulkOptions } from '../../bulk/command/options.ts';
import type { Values } from '../../cli/command.ts';
import { flag, text } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { grouped } from '../../output/progress.ts';
import type { Result } from '../../output/result.ts';
import { dashed } from '../shared/format-options.ts';
import { contentOf, type contentOptions, inPlace } from './content.ts';

const many = 'Many events';

export const manyOptions = {
  file: text('--file <events.ndjson|->', 'A file of events: NDJSON or a JSON array', {
    group: many,
    complete: 'files',
  }),
  recipients: text(
    '--recipients <users.csv|->',
    'Trigger one event per row; payload.* columns go to the payload',
    {
      group: many,
      complete: 'files',
      conflicts: ['file', 'toFile'],
    },
  ),
  /** The former name of `--recipients`. Runs that were started with it can still be resumed. */
  toFile: text('--to-file <users.csv|->', 'The former name of --recipients', {
    hidden: true,
    conflicts: ['file'],
  }),
  updateSubscribers: flag(
    '--update-subscribers',
    'Send the other columns as fields of the subscriber',
    {
      group: many,
    },
  ),
  ...fieldOptions,
  ...bulkOptions,
};

type Given = Partial<Values<typeof manyOptions & typeof contentOptions>> &
  BulkOptions &
  Record<string, unknown>;

const run = { command: 'events trigger', activeVerb: 'Triggering', pastVerb: 'Triggered' };

/** Options of one event that make no sense for many. */
const single = [
  ...['to', 'toData', 'toTopic', 'existingOnly', 'transactionId'],
  ...['wait', 'waitTimeout', 'require'],
];

export async function triggerFile(
  context: Context,
  workflowId: string | undefined,
  { file = '-', ...options }: Given,
): Promise<Result> {
  const content = ['payload', 'field', 'jsonField', 'overrides', 'actor', 'tenant', 'context'];
  refuse(options, [...single, ...content], '--file');
  if (workflowId !== undefined) {
    throw usageError('--file: each event of the file names its workflow itself.', {
      next: [`svc events trigger ${workflowId} --recipients <users.csv>`],
    });
  }
  const { openEventPlan } = await import('../../bulk/operations/events.ts');
  const { runBulk } = await import('../../bulk/command/run-bulk.ts');
  return runBulk(context, {
    ...run,
    args: {},
    options: { ...options, file },
    file,
    retry: { words: ['events', 'trigger', '--file'] },
    isRepeatable: false,
    confirm: asking(context, (rows) => `Trigger ${rows} events of ${nameOf(file)}`),
    openPlan: (source, runId, folder) => openEventPlan(source, runId, folder),
  });
}

export async function triggerForEach(
  context: Context,
  workflowId: string,
  file: string,
  options: Given,
): Promise<Result> {
  refuse(options, single, '--recipients');
  if (options.payload === '-' && file === '-') {
    throw usageError('--payload and --recipients cannot both be read from standard input.');
  }
  const { typed, ...kept } = await inPlace(options, context);
  const { transactionId: _made, ...content } = await contentOf(typed, context);
  const { openRecipientPlan } = await import('../../bulk/operations/events.ts');
  const { runBulk } = await import('../../bulk/command/run-bulk.ts');
  return runBulk(context, {
    ...run,
    args: { workflowId },
    options,
    ...kept,
    file,
    retry: { words: ['events', 'trigger', workflowId, '--recipients'] },
    isRepeatable: false,
    confirm: asking(context, (rows) => `Trigger ${workflowId} for ${rows} rows of ${nameOf(file)}`),
    openPlan: (source, runId, folder) =>
      openRecipientPlan(source, runId, folder, { name: workflowId, ...content }, options),
  });
}

const nameOf = (file: string) => (file === '-' ? 'standard input' : file);

/** Counts before it asks, where that can be done and somebody is asked. */
const asking =
  (context: Context, question: (rows: string) => string) =>
  async (count: () => Promise<number>) => {
    const rows = context.globals.yes ? Number.NaN : await count();
    await context.confirm(question(Number.isNaN(rows) ? 'all' : grouped(rows)));
  };

function refuse(given: Record<string, unknown>, names: readonly string[], option: string): void {
  const found = names.find((name) => given[name] !== undefined);
  if (found === undefined) return;
  const written = found === 'field' ? '-f' : found === 'jsonField' ? '-F' : dashed(found);
  throw usageError(`${option}: ${written} is for one event.`, {
    hint:
      found === 'transactionId'
        ? 'Each event of a run has a transaction id of its own.'
        : 'Leave it out, or trigger the event by itself.',
  });
}
