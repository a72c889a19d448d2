// `svc messages list`
import { channelTypes } from '../../api/schemas/vocabulary.ts';
import { command } from '../../cli/command.ts';
import { choice, integer, listOptions, several, text } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import * as result from '../../output/result.ts';
import { nextPageHint } from '../shared/next-page-hint.ts';
import { messageColumns, messageId } from './view.ts';

export const list = command({
  summary: 'List the messages that the service has created for all channels, newest first',
  options: {
    channel: choice('--channel <channel>', channelTypes, 'Only messages of this channel'),
    subscriber: text('--subscriber <subscriber-id>', 'Only messages to this subscriber', {
      complete: 'subscribers',
    }),
    transaction: several('--transaction <id>', 'Only messages of this transaction', {
      complete: 'transactions',
    }),
    context: several('--context <type:id>', 'Only messages with exactly these contexts', {
      complete: 'contexts',
    }),
    ...listOptions,
    page: integer('--page <n>', 'Start with this page; the first page is 0', {
      min: 0,
      group: 'List options',
    }),
  },
  output: 'A list of messages, newest first; with -o ids, their `_id`.',
  examples: [
    { line: 'svc messages list --subscriber u1', description: 'The messages to one subscriber' },
    {
      line: 'svc messages list --channel email --all --json',
      description: 'All e-mails as JSON',
    },
  ],
  operations: ['listMessages'],
  writes: false,
  async run(context, { options }) {
    const query = {
      channel: options.channel,
      subscriberId: options.subscriber,
      transactionId: options.transaction,
      contextKeys: options.context?.map(contextKey),
      page: options.page,
    };
    return result.list({
      pages: context.pages('listMessages', { query }, options),
      columns: messageColumns,
      id: messageId,
      empty: 'No messages match.',
      ...nextPageHint('svc messages list', context, options),
    });
  },
});

function contextKey(given: string): string {
  const key = given.replace(/^([^:=]+)=/, '$1:');
  if (/^[^:]+:.+$/.test(key)) return key;
  throw usageError(`--context: \`${given}\` does not have the form type:id.`);
}
