import { command } from '../../cli/command.ts';
import { choice, listOptions, pageOption, several, text } from '../../cli/options.ts';
import { messageExcerpt } from '../../core/text.ts';
import { messageOutcomeColumn } from '../../deliveries/outcome-tokens.ts';
import { readContextKey } from '../../input/values.ts';
import * as result from '../../output/result.ts';
import type { SentMessage } from '../../service/schemas/message.ts';
import { allChannels } from '../../service/schemas/vocabulary.ts';
import { nextPageHint } from '../shared/next-page-hint.ts';

/** The content of an e-mail can be a list of blocks. */
const contentExcerpt = ({ channel, content }: SentMessage) =>
  messageExcerpt(channel, typeof content === 'string' ? content : JSON.stringify(content ?? ''));

const messageColumns: readonly result.Column<SentMessage>[] = [
  { field: '_id', header: 'ID', drop: 9 },
  { field: 'createdAt', header: 'WHEN', time: true },
  messageOutcomeColumn,
  { field: 'subscriber.subscriberId', header: 'SUBSCRIBER' },
  { field: 'templateIdentifier', header: 'WORKFLOW', drop: 2 },
  { field: 'providerId', header: 'PROVIDER', drop: 6 },
  { field: 'status', header: 'STATUS', drop: 8 },
  {
    field: 'subject',
    header: 'SUBJECT',
    shrink: 24,
    squeeze: true,
    tableText: (message) => message.subject || message.title || contentExcerpt(message),
  },
  { field: 'content', header: 'CONTENT', shrink: true, drop: 4, tableText: contentExcerpt },
  { field: 'errorText', header: 'ERROR', shrink: true, drop: 5, tone: () => 'bad' },
  { field: 'transactionId', header: 'TRANSACTION', drop: 7 },
];

const messageId = ({ _id }: SentMessage) => _id ?? '';

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
  examples: {
    'svc messages list --subscriber u1': 'The messages to one subscriber',
    'svc messages list --channel email --all --json': 'All e-mails as JSON',
  },
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
      ...result.emptyList('messages', query, { 'Trigger an event': 'svc events trigger' }),
      ...nextPageHint('svc messages list', context, options),
    });
  },
});
