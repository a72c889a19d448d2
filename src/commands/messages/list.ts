// `svc messages list`

import { command } from '../../cli/command.ts';
import { choice, listOptions, pageOption, several, text } from '../../cli/options.ts';
import * as result from '../../output/result.ts';
import { allChannels } from '../../service/schemas/vocabulary.ts';
import { readContextKey } from '../shared/context-key.ts';
import { nextPageHint } from '../shared/next-page-hint.ts';
import { messageColumns, messageId } from './view.ts';

export const list = command({
  summary: 'List the messages that the service has created for all channels, newest first',
  options: {
    channel: choice('--channel <channel>', allChannels, 'Only messages of this channel'),
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
    ...pageOption,
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
  tool: 'read',
  async run(context, { options }) {
    const query = {
      channel: options.channel,
      subscriberId: options.subscriber,
      transactionId: options.transaction,
      contextKeys: options.context?.map(readContextKey),
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
