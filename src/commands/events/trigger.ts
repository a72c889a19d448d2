// `svc events trigger`

import { summaryFields } from '../../bulk/command/options.ts';
import { command } from '../../cli/command.ts';
import { optional } from '../../cli/options.ts';
import { type ExitReason, SvcError } from '../../core/errors.ts';
import * as result from '../../output/result.ts';
import { withTopicSuggestions } from '../shared/with-suggestions.ts';
import { contentOf, contentOptions } from './content.ts';
import {
  manyRecipients,
  mustExist,
  recipientOptions,
  recipientsOf,
  recipientsText,
} from './recipients.ts';
import { refusalText } from './refusal-text.ts';
import { manyOptions, triggerFile, triggerForEach } from './trigger-many.ts';
import { isWaiting, outcomeFields, waitedFor, waitOptions } from './wait.ts';

const options = { ...recipientOptions, ...contentOptions, ...waitOptions, ...manyOptions };

export const trigger = command({
  summary: 'Trigger a workflow for one or more recipients, or many events from a file',
  details:
    'The service creates recipients that it does not know. svc refuses a topic that does not exist, because the service would accept it and reach nobody. With --recipients each row makes one event: columns named payload.* go to its payload, other columns are sent only with --update-subscribers.\n\nEvery event carries a transaction id. The service drops an event with a known id only once the jobs of the first one exist, so a repetition that comes sooner is delivered twice, unless the service honors idempotency keys. Before you send an event again, look at `svc activity get <transaction-id>`.\n\n--wait exits with 0 when the event was delivered to every recipient: all jobs have finished, none failed, and at least one channel step completed, which means that the provider accepted the message. Add --require email to insist on a channel.',
  arguments: { workflowId: optional('[workflow-id]', 'Identifier of the workflow', 'workflows') },
  options,
  output:
    'What was triggered, with its transaction; as data, an array of one {acknowledged, status, transactionId}. With --wait the outcome for each recipient; as data, {transactionId, outcome, recipients, items}. With --file or --recipients the summary of the run.',
  exitCodes: ['partial', 'undelivered'],
  examples: [
    { line: 'svc events trigger welcome --to u1', description: 'One recipient' },
    {
      line: 'svc events trigger comment-digest --to u1 -f author=Bo -F post:=\'{"id":1}\'',
      description: 'With a payload',
    },
    {
      line: 'svc events trigger welcome --to-topic announcements --yes',
      description: 'Everybody subscribed to a topic',
    },
    {
      line: 'svc events trigger welcome --recipients users.csv --yes',
      description: 'One event for each row; undone by svc events cancel --run last',
    },
    {
      line: 'svc events trigger welcome --to u1 --wait --wait-timeout 2m',
      description: 'In CI: ends with 0 when it was delivered, with 9 when not',
    },
  ],
  fields: ({ options: given }) => {
    if ((given.file ?? given.recipients ?? given.toFile) !== undefined) return summaryFields;
    return isWaiting(given) ? outcomeFields : undefined;
  },
  operations: ['triggerEvents', 'getTopic', 'getSubscriberPreferences', 'listActivity'],
  writes: ({ options: given }) => given.validateOnly !== true,
  async run(context, { args, options: given }) {
    if (given.file !== undefined) return triggerFile(context, args.workflowId, given);
    const workflowId = args.workflowId ?? (await context.pick('workflows', 'workflow-id'));
    const list = given.recipients ?? given.toFile;
    if (list !== undefined) return triggerForEach(context, workflowId, list, given);
    const to = await recipientsOf(given, workflowId);
    const many = manyRecipients(to);
    if (many !== undefined) await context.confirm(`Trigger ${workflowId} for ${many}`);
    const client = await context.client();
    for (const topicKey of given.toTopic ?? [])
      await withTopicSuggestions(context, topicKey, () =>
        client.call('getTopic', { path: { topicKey } }),
      );
    if (given.existingOnly) await mustExist(client, to);
    const event = { name: workflowId, to, ...(await contentOf(given, context)) };
    context.pendingTransaction = event.transactionId;
    if (context.globals.dryRun === undefined) context.recentTransactions.add(event.transactionId);
    let areJobsShown: ((id: string) => Promise<boolean>) | undefined;
    const findResult = async () => {
      const { createJobCheck } = await import('../../bulk/engine/await-jobs.ts');
      areJobsShown ??= createJobCheck(client, context.host.clock, context.host.shutdownSignal);
      const isShown = await areJobsShown(event.transactionId);
      return isShown ? { value: [triggered(event.transactionId)] } : undefined;
    };
    const value = await client
      .call('triggerEvents', { body: { events: [event] } }, { findResult })
      .catch((error) => {
        throw inDoubt(error, event.transactionId);
      });
    const [answer] = value;
    const processed = answer?.status === 'processed';
    const line = processed
      ? `Triggered ${workflowId} for ${recipientsText(to)} ${context.place()}: transaction ${answer?.transactionId ?? event.transactionId}.`
      : `Not triggered: ${refusalText(workflowId, answer)}.`;
    if (processed && isWaiting(given)) {
      context.note(line);
      const transactionId = answer?.transactionId ?? event.transactionId;
      return waitedFor(context, transactionId, to, given);
    }
    return result.report({
      value,
      lines: [line],
      ids: value.flatMap(({ transactionId }) =>
        typeof transactionId === 'string' ? [transactionId] : [],
      ),
      ...(processed ? {} : { exitReason: 'refused' as ExitReason }),
    });
  },
});

/** The result of an event that the activity shows, although its response was lost. */
const triggered = (transactionId: string) => ({
  acknowledged: true,
  status: 'processed' as const,
  transactionId,
});

/**
 * An event whose response was lost may have been triggered all the same. The service recognizes a repetition by its
 * transaction id only once it has created the jobs of the first event.
 */
function inDoubt(error: unknown, transactionId: string): unknown {
  if (!(error instanceof SvcError) || !error.details.maybeApplied) return error;
  return new SvcError(error.exitReason, error.message, {
    ...error.details,
    hint: `The event may have been triggered all the same. Check the activity first; if it shows nothing after a minute, run the command again with --transaction-id ${transactionId}. Sooner, the service may not recognize the repetition and deliver twice.`,
    next: [`svc activity get ${transactionId}`],
  });
}
