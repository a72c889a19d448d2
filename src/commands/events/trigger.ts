// `svc events trigger`
import { command } from '../../cli/command.ts';
import { optional } from '../../cli/options.ts';
import { type Ending, SvcError } from '../../errors.ts';
import * as result from '../../output/result.ts';
import { summaryFields } from '../bulk-options.ts';
import { orNearestTopic } from '../nearest.ts';
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
import { outcomeFields, waitedFor, waitOptions } from './wait.ts';

const options = { ...recipientOptions, ...contentOptions, ...waitOptions, ...manyOptions };

export const trigger = command({
  summary: 'Trigger a workflow for one or more recipients, or many events from a file',
  details:
    'The service creates recipients it does not know. A transaction id is sent with every event, so that a repetition after a lost answer is dropped by the service. A topic that does not exist is refused here: the service would take it and reach nobody. With --recipients each row makes an event of its own: columns named payload.* go to its payload, the others are sent only with --update-subscribers.',
  arguments: { workflowId: optional('[workflow-id]', 'Identifier of the workflow', 'workflows') },
  options,
  gives:
    'What was triggered, with its transaction; as data, an array of one {acknowledged, status, transactionId}. With --wait the outcome for each recipient; as data, {transactionId, outcome, recipients, items}. With --file or --recipients the summary of the run.',
  ends: ['partial', 'undelivered'],
  examples: [
    { line: 'svc events trigger welcome --to u1', means: 'One recipient' },
    {
      line: 'svc events trigger comment-digest --to u1 -f author=Bo -F post:=\'{"id":1}\'',
      means: 'With a payload',
    },
    {
      line: 'svc events trigger welcome --to-topic announcements --yes',
      means: 'Everybody subscribed to a topic',
    },
    {
      line: 'svc events trigger welcome --recipients users.csv --yes',
      means: 'One event for each row; undone by svc events cancel --run last',
    },
    {
      line: 'svc events trigger welcome --to u1 --wait --wait-timeout 2m',
      means: 'In CI: ends with 0 when it was delivered, with 9 when not',
    },
  ],
  fields: ({ options: { file, toFile, wait } }) => {
    if (file !== undefined || toFile !== undefined) return summaryFields;
    return wait === undefined ? undefined : outcomeFields;
  },
  calls: ['triggerEvents', 'getTopic', 'getSubscriberPreferences', 'listActivity'],
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
      await orNearestTopic(context, topicKey, () =>
        client.call('getTopic', { path: { topicKey } }),
      );
    if (given.existingOnly) await mustExist(client, to);
    const event = { name: workflowId, to, ...(await contentOf(given, context)) };
    context.underWay = event.transactionId;
    if (context.globals.dryRun === undefined)
      context.recentTransactions.remember(event.transactionId);
    const value = await client
      .call('triggerEvents', { body: { events: [event] } })
      .catch((error) => {
        throw inDoubt(error, event.transactionId);
      });
    const [answer] = value;
    const processed = answer?.status === 'processed';
    const line = processed
      ? `Triggered ${workflowId} for ${recipientsText(to)} ${context.place()}: transaction ${answer?.transactionId ?? event.transactionId}.`
      : `Not triggered: ${refusalText(workflowId, answer)}.`;
    if (processed && given.wait !== undefined) {
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
      ...(processed ? {} : { ending: 'refused' as Ending }),
    });
  },
});

/** An event whose answer was lost may be on its way all the same. */
function inDoubt(error: unknown, transactionId: string): unknown {
  if (!(error instanceof SvcError) || !error.facts.uncertain) return error;
  return new SvcError(error.ending, error.message, {
    ...error.facts,
    hint: `It may have been carried out all the same. With --transaction-id ${transactionId} it can be sent again: the service drops a repetition.`,
    next: [`svc activity get ${transactionId}`],
  });
}
