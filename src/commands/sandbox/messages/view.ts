// The columns for captured messages.
import { type Column, type Tone, toneOf } from '../../../output/result.ts';
import type { CapturedMessage } from '../../../sandbox/control/client.ts';

const statusTones: Record<string, Tone> = { sent: 'good', error: 'bad', warning: 'warn' };

export const messageColumns: readonly Column<CapturedMessage>[] = [
  { field: '_id', header: 'ID', tone: () => 'muted' },
  { field: 'createdAt', header: 'WHEN', time: true },
  { field: 'channel', header: 'CHANNEL', tone: () => 'strong' },
  { field: 'subscriberId', header: 'SUBSCRIBER', drop: 1 },
  { field: 'recipient', header: 'RECIPIENT', drop: 5, shrink: true },
  { field: 'provider', header: 'PROVIDER', drop: 6 },
  {
    field: 'status',
    header: 'STATUS',
    drop: 2,
    tone: ({ status }) => toneOf(statusTones, status),
  },
  { field: 'subject', header: 'SUBJECT', shrink: true, drop: 3 },
  { field: 'body', header: 'BODY', shrink: true, drop: 4 },
  { field: 'workflow', header: 'WORKFLOW', drop: 7 },
  { field: 'transactionId', header: 'TRANSACTION', drop: 8 },
];

export const messageFields: readonly Column<CapturedMessage>[] = [
  ...messageColumns.filter(({ field }) => field !== 'body'),
  { field: 'errorText', header: 'ERROR', tone: () => 'bad' },
  { field: 'body', header: 'BODY' },
];

export const linkColumns: readonly Column<CapturedMessage['links'][number]>[] = [
  { field: 'url', header: 'URL' },
  { field: 'text', header: 'TEXT', shrink: true, drop: 1 },
];

export const messageId = ({ _id }: CapturedMessage) => _id;
