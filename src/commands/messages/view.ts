// Table of sent messages.

import type { Column } from '../../output/result.ts';
import type { SentMessage } from '../../service/schemas/message.ts';
import { messageExcerpt } from '../shared/message-excerpt.ts';
import { messageOutcomeColumn } from '../shared/outcome-tokens.ts';

/** The content of an e-mail can be a list of blocks. */
const contentExcerpt = ({ channel, content }: SentMessage) =>
  messageExcerpt(channel, typeof content === 'string' ? content : JSON.stringify(content ?? ''));

export const messageColumns: readonly Column<SentMessage>[] = [
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

export const messageId = ({ _id }: SentMessage) => _id ?? '';
