// Secrets in data from the service become `********` by the names of their fields, at any depth.
// The one place that knows which fields are secret.
import { isExact } from '../exact-numbers.ts';
import { refuseLevel } from '../nesting.ts';

export const mask = '********';

/** Members of a `credentials` object that are no secrets. */
const openCredentials = new Set([
  'from',
  'senderName',
  'host',
  'port',
  'region',
  'domain',
  'user',
  'channelId',
]);

const secretFields = new Set([
  'inboundWebhookSigningKey',
  'deviceTokens',
  'webhookUrl',
  'directWebhookUrl',
]);

/** Channels whose recipient is a device token or the address of a webhook. */
const addressedBySecret = new Set<unknown>(['push', 'chat']);

const apiKeyFields = new Set(['key', 'hash']);

/** A copy with every secret masked; the value itself when there is none to mask. */
export function masked<T>(value: T): T {
  return walk(value, '', 1) as T;
}

function walk(value: unknown, parent: string, level: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  refuseLevel(level);
  if (Array.isArray(value)) return value.map((item) => walk(item, parent, level + 1));
  if (!isPlain(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const shown = isSecret(parent, name, value) ? hide(member) : walk(member, name, level + 1);
    Object.defineProperty(copy, name, {
      value: shown,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return copy;
}

function isSecret(parent: string, name: string, { channel }: Record<string, unknown>): boolean {
  if (parent === 'credentials') return !openCredentials.has(name);
  if (name === 'recipient') return addressedBySecret.has(channel);
  return secretFields.has(name) || (parent === 'apiKeys' && apiKeyFields.has(name));
}

function hide(value: unknown): unknown {
  if (value === null || value === undefined || value === '') return value;
  return Array.isArray(value) ? value.map(() => mask) : mask;
}

/** Objects made of members, as opposed to exact numbers, which print as they are. */
const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !isExact(value);
