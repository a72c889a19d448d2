// Table of in-app notifications; unread ones are emphasized.

import type { Column } from '../../output/result.ts';
import type { InboxItem } from './notifications.ts';

export const inboxColumns: readonly Column<InboxItem>[] = [
  { field: '_id', header: 'ID', drop: 7, tone: ({ read }) => (read ? 'muted' : 'strong') },
  { field: 'createdAt', header: 'WHEN', time: true },
  {
    field: 'read',
    header: 'READ',
    value: ({ read }) => (read ? 'yes' : 'no'),
    tone: ({ read }) => (read ? 'muted' : 'good'),
  },
  { field: 'seen', header: 'SEEN', value: ({ seen }) => (seen ? 'yes' : 'no'), drop: 4 },
  { field: 'templateIdentifier', header: 'WORKFLOW', drop: 1 },
  { field: 'subject', header: 'SUBJECT', shrink: true, wholeWords: true },
  { field: 'content', header: 'CONTENT', shrink: true, wholeWords: true },
  { field: 'status', header: 'STATUS', tone: ({ status }) => (status === 'sent' ? 'good' : 'bad') },
  { field: 'transactionId', header: 'TRANSACTION', drop: 8 },
];
