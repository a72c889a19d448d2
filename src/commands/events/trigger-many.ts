// Triggers many events as a bulk run: a file of events, or one event per row of a file of recipients.

import type { Context } from '../../app/context.ts';
import type { BulkCommand } from '../../bulk/command/bulk-command.ts';
import {
  type BulkOptions,
  bulkOptions,
  canaryOptions,
  fieldOptions,
  shardOptions,
  skipCanaryOption,
} from '../../bulk/command/options.ts';
import type { Sender } from '../../bulk/engine/sender.ts';
import type { Manifest } from '../../bulk/journal/manifest.ts';
import type { Values } from '../../cli/command.ts';
import { flag, integer, text } from '../../cli/options.ts';
import { dashed } from '../../cli/spelling.ts';
import { usageError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/objects.ts';
import { counted, shellWord } from '../../core/text.ts';
import type { InputRecord } from '../../input/records.ts';
import type { Result } from '../../output/result.ts';
import type { RenderedEvent } from './canary.ts';
import { contentOptions, readContent, readContentOptions } from './content.ts';
import { recipientOptions } from './recipients.ts';
import { waitOptions } from './wait.ts';

const group = 'Many events';

export const manyOptions = {
  file: text('--file <events.ndjson|->', 'A file of events: NDJSON or a JSON array', {
    group,
    complete: 'files',
    run: ['original'],
  }),
  recipients: text(
    '--recipients <users.csv|->',
    'Trigger one event per row; payload.* columns become the payload',
    { group, complete: 'files', conflicts: ['file', 'toFile'], run: ['original'] },
  ),
  /** The former name of `--recipients`, kept so that runs started with it can be resumed. */
  toFile: text('--to-file <users.csv|->', 'Former name of --recipients', {
    hidden: true,
    conflicts: ['file'],
    run: ['original'],
  }),
  updateSubscribers: flag(
    '--update-subscribers',
    'With --recipients, also send the other columns as subscriber fields',
    { group },
  ),
  ...fieldOptions,
  ...bulkOptions,
  ...shardOptions,
  ...canaryOptions,
};

type Options = Partial<Values<typeof manyOptions & typeof contentOptions>> &
  BulkOptions & { skipCanary?: boolean; canaryWait?: number; existingOnly?: boolean } & Record<
    string,
    unknown
  >;

/** The command that a report of triggered events proposes. */
export const deliveriesStep = {
  label: 'Follow the deliveries',
  command: (runId: string) => `svc runs watch ${runId}`,
};

const { existingOnly, ...singleRecipients } = recipientOptions;

const run = {
  command: 'events trigger',
  activeVerb: 'Triggering',
  pastVerb: 'Triggered',
  reportTexts: { nextStep: deliveriesStep },
  declaredOptions: {
    ...manyOptions,
    ...contentOptions,
    existingOnly,
    ...skipCanaryOption,
    // Recorded by a run, not an option of the command line.
    canaryWait: integer('--canary-wait <n>', '', { min: 1, run: ['original'] }),
  },
};

/** Attributes of options for a single event. */
const singleEventOptions = [
  ...Object.keys(singleRecipients),
  'transactionId',
  ...Object.keys(waitOptions),
];

export async function triggerFile(
  context: Context,
  workflowId: string | undefined,
  options: Options,
): Promise<Result> {
  refuseOptions(options, [...singleEventOptions, ...Object.keys(contentOptions)], '--file');
  refuseWithoutRecipients(options, ['shard', ...canaryNames]);
  if (workflowId !== undefined) {
    throw usageError(
      '--file: the file names the workflow of each event. Remove the workflow argument.',
      { next: [`svc events trigger ${shellWord(workflowId)} --recipients <users.csv>`] },
    );
  }
  const { runBulk } = await import('../../bulk/command/run-bulk.ts');
  return runBulk(context, await fileCommand(context, options));
}

async function fileCommand(
  context: Context,
  { file = '-', ...options }: Options,
): Promise<BulkCommand> {
  const { openEventSender } = await import('../../bulk/operations/events.ts');
  const { openRecipientCheck } = await import('./missing-recipients.ts');
  const { checkRecipients, withCheck } = openRecipientCheck(context, options);
  return {
    ...run,
    checkRecipients,
    args: {},
    options: { ...options, file },
    file,
    // Events are JSON, which has no columns to map.
    fields: [],
    retry: { line: 'events trigger --file' },
    isRepeatable: false,
    confirm: confirmRows(context, 'event', (events) => `Trigger ${events} from ${inputName(file)}`),
    openSender: async (source, transactionId) =>
      withCheck(await openEventSender(source, transactionId)),
  };
}

/** The command that a run was started with, to read its rows again. */
export const earlierCommand = (context: Context, { args, options }: Manifest) => {
  const earlier = options as Options;
  const { workflowId } = args;
  return typeof workflowId === 'string'
    ? recipientsCommand(context, workflowId, earlier.recipients ?? earlier.toFile ?? '-', earlier)
    : fileCommand(context, earlier);
};

export async function triggerForEach(
  context: Context,
  workflowId: string,
  file: string,
  options: Options,
): Promise<Result> {
  refuseOptions(options, singleEventOptions, '--recipients');
  const { canary, validateOnly, resume } = options;
  const unused = canaryNames.find((name) => name !== 'canary' && Reflect.get(options, name));
  if (canary === undefined && unused !== undefined && resume === undefined)
    throw usageError(`${dashed(unused)} applies only to --canary.`, {
      hint: 'Nothing was sent. Add --canary, or remove the option.',
    });
  if (options.payload === '-' && file === '-') {
    throw usageError('--payload and --recipients cannot both be read from standard input.');
  }
  const bulk = await recipientsCommand(context, workflowId, file, options);
  const { runBulk } = await import('../../bulk/command/run-bulk.ts');
  if (canary === undefined || validateOnly) return runBulk(context, bulk);
  const { canaryTimeout, jobsBefore, openCanaryCommand, openCanarySteps } = await import(
    './canary.ts'
  );
  const canaryOf = (wait?: number) =>
    openCanaryCommand(
      context,
      { ...options, canary },
      wait === undefined ? undefined : jobsBefore(wait),
    );
  // Checks the options before the first request.
  canaryOf();
  const steps =
    resume === undefined
      ? await openCanarySteps(context, { workflowId, file, timeoutMs: canaryTimeout(options) })
      : undefined;
  return runBulk(context, {
    ...bulk,
    canary: canaryOf(steps?.wait ?? options.canaryWait),
    async openSender(source, transactionId) {
      const sender = await bulk.openSender(source, transactionId);
      if (!steps) return sender;
      // A sender of its own: a row that the sender of the run has seen counts as sent.
      const samples = await bulk.openSender(source, transactionId);
      await steps.renderLater(await firstEvent(samples, await source.sample()));
      return { ...sender, options: { ...sender.options, canaryWait: steps.wait } };
    },
  });
}

/** The payload and the subscriber of the first valid row. */
async function firstEvent(sender: Sender, records: readonly InputRecord[]): Promise<RenderedEvent> {
  const { createBodyWriter } = await import('../../bulk/engine/body-writer.ts');
  const writer = createBodyWriter({ open: '', close: '' });
  for (const record of records) {
    if (record.isBlank || record.error !== undefined) continue;
    const item = sender.toItem(record, record.row, writer);
    if ('error' in item || item.json === undefined) continue;
    const { payload, to } = JSON.parse(item.json) as { payload: JsonObject; to: JsonObject[] };
    return { payload, subscriber: to[0] ?? {} };
  }
  return { payload: {}, subscriber: {} };
}

async function recipientsCommand(
  context: Context,
  workflowId: string,
  file: string,
  options: Options,
): Promise<BulkCommand> {
  const { resolved, ...kept } = await readContentOptions(options, context);
  const { transactionId: _generated, ...content } = await readContent(resolved, context);
  const { openRecipientSender } = await import('../../bulk/operations/events.ts');
  const { withMapFile } = await import('../../bulk/command/column-mapping.ts');
  const mapped = await withMapFile(options, context.host.cwd);
  const { openRecipientCheck } = await import('./missing-recipients.ts');
  const { checkRecipients, withCheck } = openRecipientCheck(context, options, workflowId);
  const checks = options.validateOnly ? await openChecks(context, workflowId) : undefined;
  for (const text of checks?.notes ?? []) context.note(`${text} This does not prevent deliveries.`);
  return {
    ...run,
    checkRecipients,
    args: { workflowId },
    options: mapped,
    ...kept,
    file,
    ignoreColumns: mapped.ignoreColumn ?? [],
    retry: { line: `events trigger ${shellWord(workflowId)} --recipients` },
    isRepeatable: false,
    confirm: confirmRows(
      context,
      'row',
      (rows) => `Trigger ${workflowId} for ${rows} of ${inputName(file)}`,
    ),
    async openSender(source, transactionId) {
      const event = { name: workflowId, ...content };
      const sender = await openRecipientSender(
        source,
        transactionId,
        event,
        mapped,
        checks?.checkRow,
      );
      if (!options.updateSubscribers) {
        const { warnAboutUnsentAddresses } = await import('./validate-workflow.ts');
        warnAboutUnsentAddresses(context, source, mapped);
      }
      return {
        ...withCheck(sender),
        problems: checks?.problems ?? [],
        isBlocked: checks?.isBlocked === true,
      };
    },
  };
}

const openChecks = async (context: Context, workflowId: string) =>
  (await import('./validate-workflow.ts')).openWorkflowChecks(context, workflowId);

const inputName = (file: string) => (file === '-' ? 'standard input' : file);

/** Asks for confirmation with the number of rows; with --yes it neither counts nor asks. */
const confirmRows =
  (context: Context, noun: string, question: (rows: string) => string) =>
  async (count: () => Promise<number>) => {
    const rows = context.globals.yes ? Number.NaN : await count();
    await context.confirm(question(Number.isNaN(rows) ? `all ${noun}s` : counted(rows, noun)));
  };

const canaryNames = Object.keys(canaryOptions);

/** Options that need a file. */
export const runOptionNames = [...Object.keys(shardOptions), ...canaryNames];

/** Throws a usage error for an option that applies only to --recipients. */
export function refuseWithoutRecipients(
  options: Record<string, unknown>,
  names: readonly string[],
): void {
  const name = names.find((optionName) => options[optionName] !== undefined);
  if (name === undefined) return;
  throw usageError(`${dashed(name)} applies only to --recipients.`, {
    next: ['svc events trigger <workflow-id> --recipients <users.csv>'],
  });
}

/** Throws a usage error if one of these options is given. */
function refuseOptions(
  options: Record<string, unknown>,
  names: readonly string[],
  option: string,
): void {
  const name = names.find((optionName) => options[optionName] !== undefined);
  if (name === undefined) return;
  const flags = name === 'field' ? '-f' : name === 'jsonField' ? '-F' : dashed(name);
  throw usageError(
    `${flags} cannot be combined with ${option}: ${flags} applies to a single event.`,
    {
      hint:
        name === 'transactionId'
          ? 'Each event of a run has its own transaction id.'
          : 'Remove the option, or trigger a single event.',
    },
  );
}
