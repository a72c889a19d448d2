// `svc events trigger`
import { command } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';
import type { Ending } from '../../errors.ts';
import * as result from '../../output/result.ts';
import { contentOf, contentOptions } from './content.ts';
import {
  manyRecipients,
  mustExist,
  recipientOptions,
  recipientsOf,
  recipientsText,
} from './recipients.ts';
import { waitedFor, waitOptions } from './wait.ts';

const options = { ...recipientOptions, ...contentOptions, ...waitOptions };

export const trigger = command({
  summary: 'Trigger a workflow for one or more recipients',
  details:
    'The service creates recipients it does not know. A transaction id is sent with every event, so that a repetition after a lost answer is dropped by the service.',
  arguments: { workflowId: required('<workflow-id>', 'Identifier of the workflow', 'workflows') },
  options,
  gives:
    'What was triggered, with its transaction; as data, an array of one {acknowledged, status, transactionId}. With --wait the outcome for each recipient; as data, {transactionId, outcome, recipients, items}.',
  ends: ['undelivered'],
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
      line: 'svc events trigger welcome --to u1 --wait --wait-timeout 2m',
      means: 'In CI: ends with 0 when it was delivered, with 9 when not',
    },
  ],
  calls: ['triggerEvents', 'getSubscriberPreferences', 'listActivity'],
  writes: true,
  async run(context, { args: { workflowId }, options: given }) {
    const to = recipientsOf(given, workflowId);
    const many = manyRecipients(to);
    if (many !== undefined) await context.confirm(`Trigger ${workflowId} for ${many}?`);
    const client = await context.client();
    if (given.existingOnly) await mustExist(client, to);
    const event = { name: workflowId, to, ...(await contentOf(given, context)) };
    const value = await client.call('triggerEvents', { body: { events: [event] } });
    const [answer] = value;
    const processed = answer?.status === 'processed';
    const why = answer?.error?.join('; ');
    const line = processed
      ? `Triggered ${workflowId} for ${recipientsText(to)}: transaction ${answer?.transactionId ?? event.transactionId}.`
      : `Not triggered: ${answer?.status ?? 'no result'}${why ? ` (${why})` : ''}.`;
    if (processed && given.wait !== undefined) {
      context.note(line);
      const transactionId = answer?.transactionId ?? event.transactionId;
      return waitedFor(context, transactionId, to, given);
    }
    return result.report({
      value,
      lines: [line],
      ids: value.flatMap(({ transactionId }) =>
        transactionId === undefined ? [] : [transactionId],
      ),
      ...(processed ? {} : { ending: 'refused' as Ending }),
    });
  },
});
