import type { Context } from '../../app/context.ts';
import { summaryFields } from '../../bulk/command/options.ts';
import { requireOwnResult } from '../../bulk/operations/transaction-ids.ts';
import { command, type Values } from '../../cli/command.ts';
import { optional } from '../../cli/options.ts';
import { raceAbort } from '../../core/async.ts';
import { stringifyExact } from '../../core/lossless-json.ts';
import type { Column } from '../../output/result.ts';
import * as result from '../../output/result.ts';
import { askForPayload, contentOptions, readContent } from './content.ts';
import { ensureSubscribersExist, findNewSubscribers } from './missing-recipients.ts';
import {
  manyRecipients,
  readRecipients,
  readTopics,
  recipientOptions,
  recipientsText,
} from './recipients.ts';
import {
  manyOptions,
  refuseWithoutRecipients,
  runOptionNames,
  triggerFile,
  triggerForEach,
} from './trigger-many.ts';
import {
  type FindAccepted,
  hasNoSteps,
  missingFieldsHint,
  notTriggeredText,
  sendEvent,
} from './trigger-response.ts';
import { isWaiting, outcomeFields, waitForOutcome, waitOptions } from './wait.ts';

const resultFields = ['acknowledged', 'status', 'error', 'transactionId'];

const options = { ...recipientOptions, ...contentOptions, ...waitOptions, ...manyOptions };

export const trigger = command({
  summary: 'Trigger a workflow for one or more recipients, or many events from a file',
  details:
    'On a terminal, svc asks for the workflow, the recipient and the fields of the payload if the workflow or the recipient is not given. The service creates subscribers that do not exist. With up to 10 ids of --to, svc checks them first and warns; --existing-only rejects them. svc refuses a topic that does not exist, because the service would accept the event and notify no one. With --recipients, each row triggers one event. Before it sends the events of a file, svc counts the recipients that do not exist, such as people who were erased; --existing-only rejects their rows. That takes one request for each of up to 20 ids; for more ids, svc reads the listing of subscribers. Columns named payload.* become the payload of the event; payload.post.id is nested. Other columns are sent only with --update-subscribers.\n\n--validate-only also checks the workflow: its status, the issues of its steps, and the active integrations of its channels. For each row it checks the payload and, with --update-subscribers, the e-mail address or phone number that the steps need, if the input has a column for it.\n\n--canary sends the first rows alone and waits until their events are finished. If enough of these events were delivered, svc sends the other rows. Otherwise the run stops with exit code 9 and can be resumed. With --shard, several machines can send one file; --run-id makes a restarted machine send the same transaction ids.\n\nEvery event has a transaction id. The service ignores a second event with the same id, but only after it has created the jobs of the first event. Until then, the second event is delivered too, unless the service supports idempotency keys. Before you send an event again, check `svc activity get <transaction-id>`.\n\n--wait exits with 0 if the event was delivered to every recipient: all jobs have finished, none failed, and at least one channel step completed. A completed step means that the provider accepted the message. An event that waits in the digest of an earlier one is `merged`, which is success without --require. To require a specific channel, use --require, for example --require email.\n\nSince version 3.12, the service accepts events of workflows without steps, and sends nothing. svc then exits with 6, as for a rejected event. To find out, it reads a workflow after its first event, or before the events of a file of recipients, and again after a day.',
  arguments: { workflowId: optional('[workflow-id]', 'Identifier of the workflow', 'workflows') },
  options,
  output:
    'The triggered event with its transaction id; as JSON, an array with one {acknowledged, status, transactionId}, and createdSubscribers if the event creates subscribers. With --wait, the outcome per recipient; as JSON, {transactionId, outcome, recipients, items}. With --file or --recipients, the summary of the run.',
  exitCodes: ['partial', 'undelivered'],
  examples: {
    'svc events trigger welcome --to u1': 'Notify one subscriber',
    'svc events trigger comment-digest --to u1 -f author=Bo -F post:=\'{"id":1}\'':
      'Send a payload',
    'svc events trigger welcome --to-topic announcements --yes':
      'Notify all subscribers of a topic',
    'svc events trigger welcome --recipients users.csv --yes':
      'One event per row; `svc events cancel --run last` cancels pending jobs',
    'svc events trigger welcome --recipients users.csv --canary 1% --yes':
      'The other rows only if 95% of the first 1% were delivered',
    'svc events trigger welcome --to u1 --wait --wait-timeout 2m':
      'In CI: exit with 0 if delivered, else with 9',
  },
  fields: ({ options }) => {
    if ((options.file ?? options.recipients ?? options.toFile) !== undefined) return summaryFields;
    return [...(isWaiting(options) ? outcomeFields : resultFields), 'createdSubscribers'];
  },
  operations: [
    'triggerEvents',
    'getTopic',
    'listTopicSubscriptions',
    'getSubscriberPreferences',
    'listActivity',
    'getWorkflow',
    'listIntegrations',
    'listSubscribers',
  ],
  writes: ({ options }) => options.validateOnly !== true,
  gracefulShutdown: true,
  async run(context, { args, options }) {
    if (options.file !== undefined) return triggerFile(context, args.workflowId, options);
    const { shutdownSignal } = context.host;
    const recipientsFile = options.recipients ?? options.toFile;
    if (recipientsFile === undefined) refuseWithoutRecipients(options, runOptionNames);
    const workflowId =
      args.workflowId ??
      (await raceAbort(context.prompt.resource('workflows', 'workflow-id'), shutdownSignal));
    if (recipientsFile !== undefined)
      return triggerForEach(context, workflowId, recipientsFile, options);
    const isAsking = args.workflowId === undefined;
    const prepared = await raceAbort(
      askForMissing(context, workflowId, options, isAsking).then((completed) =>
        prepareEvent(context, workflowId, completed),
      ),
      shutdownSignal,
    );
    return sendEvent(context, prepared.event.transactionId, (findAccepted) =>
      send(context, prepared, options, findAccepted),
    );
  },
});

type Options = Partial<Values<typeof options>>;

/** On a terminal, asks for a missing recipient and, in a dialog that has begun, for the payload. */
async function askForMissing(
  context: Context,
  workflowId: string,
  options: Options,
  isAsking: boolean,
): Promise<Options> {
  const { prompt } = context;
  const { to, toData, toTopic, payload, field, jsonField } = options;
  const hasRecipient = [to, toData, toTopic].some((recipient) => recipient !== undefined);
  if (!prompt.isPossible || (hasRecipient && !isAsking)) return options;
  const completed = hasRecipient
    ? options
    : { ...options, to: [await prompt.resource('subscribers', 'subscriber-id')] };
  if ([payload, field, jsonField].some((content) => content !== undefined)) return completed;
  const asked = await askForPayload(context, workflowId);
  return { ...completed, payload: stringifyExact(asked) };
}

/** Checks topics and subscribers, asks, and reads the content. */
async function prepareEvent(context: Context, workflowId: string, options: Options) {
  const to = await readRecipients(options, workflowId, context.host);
  const readSizes = () => readTopics(context, options.toTopic ?? []);
  // Without a terminal, a missing --yes is an error before the first request.
  const asked = context.prompt.isPossible ? await readSizes() : undefined;
  const many = manyRecipients(to, asked);
  if (many !== undefined) await context.confirm(`Trigger ${workflowId} for ${many}`);
  const sizes = asked ?? (await readSizes());
  if (options.existingOnly) await ensureSubscribersExist(context, to);
  const content = await readContent(options, context);
  const isChecked = !options.existingOnly && context.globals.dryRun === undefined;
  const created = isChecked ? await findNewSubscribers(context, options.to ?? []) : undefined;
  return {
    event: { name: workflowId, to, ...content },
    created,
    recipients: recipientsText(to, sizes),
  };
}

async function send(
  context: Context,
  { event, created, recipients }: Awaited<ReturnType<typeof prepareEvent>>,
  options: Options,
  findAccepted: FindAccepted,
) {
  const { name: workflowId, to } = event;
  const client = await context.client();
  const findResult = async () => {
    const accepted = await findAccepted();
    return accepted && { value: [accepted] };
  };
  const { value, headers, attempts } = await client.exchange(
    'triggerEvents',
    { body: { events: [event] } },
    { findResult },
  );
  const triggerResult = Array.isArray(value) ? value[0] : undefined;
  const { transactionId } = event;
  requireOwnResult(transactionId, triggerResult);
  const isAccepted = triggerResult?.status === 'processed';
  // A service that lost a response is not asked for more.
  const isChecked = isAccepted && attempts === 1 && !isWaiting(options);
  const isEmpty = isChecked && (await hasNoSteps(context, workflowId, headers));
  const isProcessed = isAccepted && !isEmpty;
  const line = isProcessed
    ? `Triggered ${workflowId} for ${recipients} ${context.connection.place()}: transaction ${transactionId}.`
    : `Not triggered: ${isEmpty ? `workflow ${workflowId} has no steps` : notTriggeredText(context, workflowId, triggerResult)}.`;
  const hint = isAccepted ? undefined : missingFieldsHint(triggerResult);
  const extraFields = isProcessed && created ? { createdSubscribers: created.ids } : {};
  if (isProcessed && created) context.warn(created.text);
  if (isProcessed && isWaiting(options)) {
    context.note(line);
    return waitForOutcome(context, { transactionId, to, extraFields }, options);
  }
  return result.report({
    value: value.map((response) => ({ ...response, ...extraFields })),
    lines: hint === undefined ? [line] : [line, hint],
    hasLinesInPipe: true,
    ids: value.flatMap(({ transactionId }) =>
      typeof transactionId === 'string' ? [transactionId] : [],
    ),
    columns: resultColumns,
    end: result.exit(isProcessed ? 'ok' : 'refused', {
      message: line,
      ...(hint === undefined ? {} : { hint }),
    }),
  });
}

/** Each value has its own column in CSV and TSV: an event that was not triggered has an error and no transaction. */
const resultColumns: readonly Column<never>[] = [
  { field: 'acknowledged', header: 'ACKNOWLEDGED' },
  { field: 'status', header: 'STATUS' },
  { field: 'transactionId', header: 'TRANSACTION' },
  { field: 'error', header: 'ERROR' },
];
