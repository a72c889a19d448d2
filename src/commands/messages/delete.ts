import type { Context } from '../../app/context.ts';
import { reportDeletions, runNamed } from '../../bulk/command/run-named.ts';
import { requestPerId } from '../../bulk/operations/id-list.ts';
import { command, type Values } from '../../cli/command.ts';
import { choice, rest, text } from '../../cli/options.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import { counted, shellWord } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import { allChannels } from '../../service/schemas/vocabulary.ts';

const options = {
  transaction: text('--transaction <id>', 'Delete the messages of this transaction', {
    complete: 'transactions',
  }),
  channel: choice('--channel <channel>', allChannels, 'With --transaction: only this channel'),
};

export const deleteMessages = command({
  summary: 'Delete messages, also from the inboxes of their subscribers',
  details: 'A message that was delivered by e-mail, SMS, chat or push cannot be recalled.',
  arguments: {
    ids: rest(
      '[message-id|-...]',
      'Ids of the messages; - reads them from standard input, one per line',
      { value: 'id' },
    ),
  },
  options,
  output:
    'The number of deleted messages. As JSON, [{messageId, deleted, error}]; with --transaction, {deleted, transactionId, messages}.',
  exitCodes: ['partial', 'notFound'],
  examples: {
    'svc messages delete 67748580259aa8ef98259b2b --yes': 'Delete without confirmation',
    'svc messages delete --transaction seed-welcome-bruno --channel in_app --yes':
      'Delete the in-app messages of a transaction',
  },
  fields: ({ options: { transaction } }) =>
    transaction === undefined
      ? ['messageId', 'deleted', 'error']
      : ['deleted', 'transactionId', 'messages'],
  operations: ['deleteMessage', 'deleteTransactionMessages', 'listMessages'],
  writes: true,
  async run(context, { args: { ids }, options: { transaction, channel } }) {
    if (transaction !== undefined) {
      if (ids.length > 0) throw usageError('--transaction cannot be combined with message ids.');
      return deleteOfTransaction(context, transaction, channel);
    }
    if (channel !== undefined) throw usageError('--channel needs --transaction.');
    return runNamed(context, {
      ids,
      noun: 'message',
      next: ['svc messages delete <message-id>', 'svc messages list'],
      confirm: (target) => context.confirm(`Delete ${target}`, 'This cannot be undone.'),
      openSender: (readId) => requestPerId('deleteMessage', readId, { field: 'messageId' }),
      report: reportDeletions('messageId', 'message'),
    });
  },
});

/** Counts first, because the service answers 204 also if the transaction has no message of the channel. */
async function deleteOfTransaction(
  context: Context,
  transactionId: string,
  channel: Values<typeof options>['channel'] | undefined,
) {
  const query = { transactionId: [transactionId], channel };
  let messages = 0;
  for await (const { items } of context.pages('listMessages', { query }, { all: true }))
    messages += items.length;
  const noun = channel === undefined ? 'message' : `${channel} message`;
  if (messages === 0) {
    throw new SvcError('notFound', `Transaction \`${transactionId}\` has no ${noun}s.`, {
      next: [`svc activity get ${shellWord(transactionId)}`],
    });
  }
  const target = `${counted(messages, noun)} of transaction ${transactionId}`;
  await context.confirm(`Delete ${target}`, 'This cannot be undone.');
  await context.call('deleteTransactionMessages', { path: { transactionId }, query: { channel } });
  return result.report({
    value: { deleted: true, transactionId, messages },
    headline: `Deleted ${target}`,
    ids: [transactionId],
  });
}
