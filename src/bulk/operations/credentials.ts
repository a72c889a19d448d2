// Sets the credentials of many subscribers: one request per row. Device tokens are added to the stored ones.
import type { z } from 'zod';
import type { InputRecord, RecordSource } from '../../input/records.ts';
import { withPlainMessages } from '../../service/schemas/plain-messages.ts';
import type { Sender } from '../engine/sender.ts';
import { createFieldReader, type FieldReader, jsonCell } from './field-reader.ts';
import { failMissing, idInPath, toPathItem, wholeBody } from './id-list.ts';
import { formatIssues } from './responses.ts';

export const credentialFields = [
  'subscriberId',
  'provider',
  'integration',
  'deviceTokens',
  'webhookUrl',
  'channel',
] as const;

/** Opens the sender for an input. Throws a usage error for unknown columns. */
export async function openCredentialSender(source: RecordSource): Promise<Sender> {
  const { setCredentialsBody } = await import('../../service/schemas/subscribers.ts');
  const read = createFieldReader(source, credentialFields, 'subscriberId');
  return createCredentialSender(read, setCredentialsBody);
}

const createCredentialSender = (
  read: FieldReader<(typeof credentialFields)[number]>,
  schema: z.ZodType,
): Sender => ({
  operation: 'setSubscriberCredentials',
  successStates: ['updated'],
  isOrdered: true,
  path: idInPath('subscriberId'),
  frame: wholeBody,
  toItem(record: InputRecord) {
    const row = read(record);
    if ('error' in row) return { error: String(row.error) };
    const { subscriberId, provider, integration, deviceTokens, webhookUrl, channel } = row;
    const item = toPathItem(subscriberId, 'subscriberId');
    if ('error' in item) return item;
    if (provider === undefined) return { error: 'provider: is required' };
    const tokens = readTokens(deviceTokens);
    if (tokens === undefined && webhookUrl === undefined && channel === undefined)
      return { error: 'one of deviceTokens, webhookUrl and channel is required' };
    const body = {
      providerId: provider,
      ...(integration === undefined ? {} : { integrationIdentifier: integration }),
      credentials: {
        ...(tokens === undefined ? {} : { deviceTokens: tokens }),
        ...(webhookUrl === undefined ? {} : { webhookUrl }),
        ...(channel === undefined ? {} : { channel }),
      },
    };
    const checked = schema.safeParse(body, withPlainMessages);
    if (!checked.success) return { error: formatIssues(checked.error) };
    return { id: item.id, json: JSON.stringify(body), group: String(record.row) };
  },
  readOutcomes: (_response, items) => items.map(() => ({ state: 'updated' })),
  readRejection: failMissing,
});

/** A list, a JSON list in a cell, or tokens separated by blanks. */
function readTokens(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  return text.startsWith('[') ? jsonCell(text) : text.split(/\s+/);
}
