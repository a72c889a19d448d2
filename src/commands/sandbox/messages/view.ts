// The columns for captured messages.

import type { Values } from '../../../cli/command.ts';
import { choice, text } from '../../../cli/options.ts';
import { messageExcerpt } from '../../../core/text.ts';
import { messageOutcomeColumn } from '../../../deliveries/outcome-tokens.ts';
import type { Column } from '../../../output/result.ts';
import type { CapturedMessage } from '../../../sandbox/control/client.ts';
import { channelTypes } from '../../../service/schemas/vocabulary.ts';

/** In a table of 80 columns, time, recipient and subject stay readable. The outcome is never left out. */
export const messageColumns: readonly Column<CapturedMessage>[] = [
  { field: '_id', header: 'ID', drop: 9, tone: () => 'muted' },
  { field: 'createdAt', header: 'WHEN', time: true },
  messageOutcomeColumn,
  { field: 'subscriberId', header: 'SUBSCRIBER', drop: 4 },
  {
    field: 'recipient',
    header: 'RECIPIENT',
    shrink: 16,
    squeeze: true,
    tableText: ({ recipient, subscriberId }) => recipient ?? `${subscriberId}: no address`,
  },
  { field: 'provider', header: 'PROVIDER', drop: 5 },
  { field: 'status', header: 'STATUS', drop: 9 },
  {
    field: 'subject',
    header: 'SUBJECT',
    shrink: 24,
    squeeze: true,
    tableText: ({ channel, subject, title, body }) =>
      subject || title || messageExcerpt(channel, body),
  },
  {
    field: 'body',
    header: 'BODY',
    shrink: true,
    drop: 8,
    tableText: ({ channel, body }) => messageExcerpt(channel, body),
  },
  { field: 'workflow', header: 'WORKFLOW', drop: 6 },
  { field: 'transactionId', header: 'TRANSACTION', drop: 7 },
];

export const messageFields: readonly Column<CapturedMessage>[] = [
  ...messageColumns.filter(({ field }) => field !== 'body'),
  { field: 'from', header: 'FROM' },
  { field: 'senderName', header: 'SENDER' },
  { field: 'cc', header: 'CC', value: ({ cc }) => cc?.join(', ') },
  { field: 'bcc', header: 'BCC', value: ({ bcc }) => bcc?.join(', ') },
  { field: 'replyTo', header: 'REPLY TO' },
  {
    field: 'attachments',
    header: 'ATTACHMENTS',
    value: ({ attachments }) => attachments?.map(({ name }) => name).join(', '),
  },
  { field: 'errorText', header: 'ERROR', tone: () => 'bad' },
];

export const linkColumns: readonly Column<CapturedMessage['links'][number]>[] = [
  { field: 'url', header: 'URL' },
  { field: 'text', header: 'TEXT', shrink: true, drop: 1 },
];

export const messageId = ({ _id }: CapturedMessage) => _id;

// The options that select captured messages, and the query of the control route for them.

export const messageFilters = {
  subscriber: text('--subscriber <subscriber-id>', 'Only messages to this subscriber', {
    complete: 'subscribers',
  }),
  channel: choice('--channel <channel>', channelTypes, 'Only messages of this channel'),
  workflow: text('--workflow <workflow-id>', 'Only messages of this workflow', {
    complete: 'workflows',
  }),
  transaction: text('--transaction <id>', 'Only messages of this transaction', {
    complete: 'transactions',
  }),
};

type FilterValues = Partial<Values<typeof messageFilters>>;

export const filterQuery = ({ subscriber, channel, workflow, transaction }: FilterValues) => ({
  subscriberId: subscriber,
  channel,
  workflow,
  transactionId: transaction,
});

/** Converts the values back to command-line arguments. */
export const filterArguments = (filters: FilterValues): string[] =>
  Object.keys(messageFilters).flatMap((name) => {
    const value = filters[name as keyof FilterValues];
    return value === undefined ? [] : [`--${name}`, value];
  });
