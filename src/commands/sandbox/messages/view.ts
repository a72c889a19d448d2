// The columns for captured messages.

import { messageExcerpt } from '../../../core/text.ts';
import { messageOutcomeColumn } from '../../../deliveries/outcome-tokens.ts';
import type { Column } from '../../../output/result.ts';
import type { CapturedMessage } from '../../../sandbox/control/client.ts';

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
