// The headers that an e-mail would have: from its integration and subscriber, unless the event sets them.
import { asObject } from '../../core/objects.ts';
import type { ListedMessage } from '../store/page-messages.ts';

export interface MailHeader {
  name: string;
  value: string;
}

export function mailHeaders(
  {
    subject,
    sentSubject = subject,
    createdAt,
    overrides,
    sent = {},
    id,
    transactionId,
  }: ListedMessage,
  sender: string,
  recipient: string | undefined,
): MailHeader[] {
  const custom = asObject(overrides.headers);
  const headers: [string, string | undefined][] = [
    ['From', sender],
    ['To', recipient],
    ['Cc', sent.cc?.join(', ')],
    ['Bcc', sent.bcc?.join(', ')],
    ['Reply-To', sent.replyTo],
    ['Subject', sentSubject ?? ''],
    ['Date', new Date(createdAt).toUTCString()],
    ['Content-Type', 'text/html; charset=utf-8'],
    ...Object.entries(custom).map(([name, value]): [string, string] => [name, String(value)]),
    ['X-Message', id],
    ['X-Transaction', transactionId],
  ];
  return headers.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}
