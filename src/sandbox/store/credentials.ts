// Credentials of subscribers at providers (chat webhooks and device tokens), one record per integration.

import type { z } from 'zod';
import { groupBy } from '../../core/objects.ts';
import type { channelCredentialsBody } from '../../service/schemas/subscribers.ts';
import type { Dialect } from './dialect.ts';
import type { Scope } from './scope.ts';
import { fromJson, toJson } from './sql.ts';
import { insertRow } from './table.ts';

export type ChannelCredentials = z.output<typeof channelCredentialsBody>;

export interface StoredCredentials {
  subscriber: string;
  integrationId: string;
  integrationIdentifier: string | undefined;
  providerId: string;
  credentials: ChannelCredentials;
}

interface Row {
  subscriber: string;
  integration: string;
  provider_id: string;
  identifier: string | null;
  body: string;
}

const selectFor = (subscribers: string) =>
  `SELECT c.subscriber, c.integration, c.provider_id, i.identifier, c.body
   FROM credentials c LEFT JOIN integrations i ON i.id = c.integration
   WHERE c.subscriber ${subscribers} ORDER BY c.rowid`;
const selectForOne = selectFor('= ?');
const selectForMany = selectFor('IN (SELECT value FROM json_each(?))');

const fromRow = (row: Row): StoredCredentials => ({
  subscriber: row.subscriber,
  integrationId: row.integration,
  integrationIdentifier: row.identifier ?? undefined,
  providerId: row.provider_id,
  credentials: fromJson<ChannelCredentials>(row.body),
});

/** Returns the credentials of a subscriber, by internal id. */
export const listCredentials = ({ sql }: Scope, subscriber: string): StoredCredentials[] =>
  sql.all<Row>(selectForOne, subscriber).map(fromRow);

/** Returns a function for the credentials of each of these subscribers. */
export function credentialsBySubscriber(
  { sql }: Scope,
  subscribers: readonly string[],
): (subscriber: string) => StoredCredentials[] {
  const rows = sql.all<Row>(selectForMany, toJson(subscribers));
  const bySubscriber = groupBy(rows.map(fromRow), ({ subscriber }) => subscriber);
  return (subscriber) => bySubscriber.get(subscriber) ?? [];
}

/**
 * Overwrites the given fields. New device tokens are added to the stored ones; an empty list removes all. With
 * `replacesTokens`, an operation of the service alone, they replace the stored ones. Returns the number of all tokens.
 */
export function saveCredentials(
  { sql, environmentId, dialect }: Scope,
  subscriber: string,
  integration: { id: string; providerId: string },
  all: ChannelCredentials,
  { replacesTokens = false } = {},
): number {
  const existing = sql.get<{ body: string }>(
    'SELECT body FROM credentials WHERE subscriber = ? AND integration = ?',
    subscriber,
    integration.id,
  );
  const changes = keptFields(
    replacesTokens ? serviceOperation : dialect,
    all,
    existing !== undefined,
  );
  const stored = existing ? fromJson<ChannelCredentials>(existing.body) : {};
  const earlier = replacesTokens ? undefined : stored.deviceTokens;
  const deviceTokens = mergeTokens(earlier, changes.deviceTokens);
  const row = {
    env: environmentId,
    subscriber,
    integration: integration.id,
    provider_id: integration.providerId,
    body: toJson({ ...stored, ...changes, ...(deviceTokens ? { deviceTokens } : {}) }),
  };
  const conflict = 'ON CONFLICT (subscriber, integration) DO UPDATE SET body = excluded.body';
  insertRow(sql, 'credentials', row, conflict);
  return deviceTokens?.length ?? 0;
}

type Kept = Pick<Dialect, 'keepsGrafanaFields' | 'keepsDeviceTokens'>;

const serviceOperation: Kept = { keepsGrafanaFields: false, keepsDeviceTokens: false };

/** Null is absent. A single token becomes a list. */
function keptFields(
  { keepsGrafanaFields, keepsDeviceTokens }: Kept,
  { webhookUrl, channel, deviceTokens, ...grafanaFields }: ChannelCredentials,
  isUpdate: boolean,
): ChannelCredentials {
  const tokens = deviceTokens ? [deviceTokens].flat() : undefined;
  const isReset = isUpdate && !keepsDeviceTokens;
  return {
    ...((webhookUrl ?? undefined) === undefined ? {} : { webhookUrl }),
    ...((channel ?? undefined) === undefined ? {} : { channel }),
    ...(keepsGrafanaFields ? grafanaFields : {}),
    ...(tokens ? { deviceTokens: tokens } : isReset ? { deviceTokens: [] } : {}),
  };
}

function mergeTokens(
  stored: string[] | undefined,
  added: string[] | undefined,
): string[] | undefined {
  if (added === undefined) return stored;
  return added.length === 0 ? [] : [...new Set([...(stored ?? []), ...added])];
}

export function deleteCredentials({ sql }: Scope, subscriber: string, providerId: string): void {
  sql.run(
    'DELETE FROM credentials WHERE subscriber = ? AND provider_id = ?',
    subscriber,
    providerId,
  );
}
