// The headers that an e-mail would have: from its integration and subscriber, unless the event sets them.
import { isObject } from '../../core/objects.ts';
import type { ListedMessage } from '../store/page-messages.ts';

export interface MailHeader {
  name: string;
  value: string;
}

export function mailHeaders(
  { subject, createdAt, overrides, id, transactionId }: ListedMessage,
  sender: string,
  recipient: string | undefined,
): MailHeader[] {
  const custom = isObject(overrides.headers) ? overrides.headers : {};
  const given = (name: string) => addressText(overrides[name]);
  const headers: [string, string | undefined][] = [
    ['From', given('from') ?? sender],
    ['To', recipient],
    ['Cc', given('cc')],
    ['Bcc', given('bcc')],
    ['Reply-To', given('replyTo')],
    ['Subject', subject ?? ''],
    ['Date', new Date(createdAt).toUTCString()],
    ['Content-Type', 'text/html; charset=utf-8'],
    ...Object.entries(custom).map(([name, value]): [string, string] => [name, String(value)]),
    ['X-Message', id],
    ['X-Transaction', transactionId],
  ];
  return headers.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}

function addressText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(String).join(', ') || undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}
