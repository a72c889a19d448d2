// Integrations: connections of an environment to delivery providers.
import type { Integration } from '../../api/schemas/integrations.ts';
import type { Channel } from '../../api/schemas/vocabulary.ts';
import type { Scope } from './scope.ts';
import { fromJson, type Sql, toJson } from './sql.ts';

export interface IntegrationBody {
  name: string;
  credentials: Integration['credentials'];
  configurations?: Integration['configurations'];
  conditions?: Integration['conditions'];
  /** The primary integration of a channel has the highest one. */
  priority?: number;
}

export interface StoredIntegration extends IntegrationBody {
  id: string;
  environmentId: string;
  identifier: string;
  providerId: string;
  channel: Channel;
  active: boolean;
  primary: boolean;
  createdAt: string;
  updatedAt: string;
}

interface Row {
  id: string;
  env: string;
  identifier: string;
  provider_id: string;
  channel: Channel;
  active: number;
  is_primary: number;
  created_at: string;
  body: string;
}

const columns = 'id, env, identifier, provider_id, channel, active, is_primary, created_at, body';
const byAge = 'ORDER BY created_at, id';

const fromRow = (row: Row): StoredIntegration => ({
  id: row.id,
  environmentId: row.env,
  identifier: row.identifier,
  providerId: row.provider_id,
  channel: row.channel,
  active: row.active === 1,
  primary: row.is_primary === 1,
  createdAt: row.created_at,
  updatedAt: row.created_at,
  ...fromJson<IntegrationBody>(row.body),
});

export const listIntegrations = ({ sql, environmentId }: Scope): StoredIntegration[] =>
  sql
    .all<Row>(`SELECT ${columns} FROM integrations WHERE env = ? ${byAge}`, environmentId)
    .map(fromRow);

/** The integrations of all environments of the organization. */
export const listAllIntegrations = ({ sql }: Scope): StoredIntegration[] =>
  sql.all<Row>(`SELECT ${columns} FROM integrations ${byAge}`).map(fromRow);

/** Finds an integration of any environment of the organization. */
export function findIntegration({ sql }: Scope, id: string): StoredIntegration | undefined {
  const row = sql.get<Row>(`SELECT ${columns} FROM integrations WHERE id = ?`, id);
  return row && fromRow(row);
}

/** Returns the oldest active integration of a provider; with an identifier, only that integration. */
export function activeIntegration(
  { sql, environmentId }: Scope,
  providerId: string,
  identifier?: string,
): StoredIntegration | undefined {
  const row = sql.get<Row>(
    `SELECT ${columns} FROM integrations
     WHERE env = ? AND provider_id = ? AND active = 1 AND (? IS NULL OR identifier = ?) ${byAge}`,
    environmentId,
    providerId,
    identifier ?? null,
    identifier ?? null,
  );
  return row && fromRow(row);
}

/** Returns the active integrations of a channel: the primary one first, then the oldest. */
export const activeIntegrations = (
  sql: Sql,
  environmentId: string,
  channel: string,
): StoredIntegration[] =>
  sql
    .all<Row>(
      `SELECT ${columns} FROM integrations WHERE env = ? AND channel = ? AND active = 1
       ORDER BY is_primary DESC, created_at DESC, id DESC`,
      environmentId,
      channel,
    )
    .map(fromRow);

interface QueuedIntegration {
  id: string;
  channel: Channel;
  providerId: string;
}

/** Returns by channel the integration that a job is queued for: the primary one, else the oldest active one. */
export function queuedIntegrations({ sql, environmentId }: Scope): Map<string, QueuedIntegration> {
  const rows = sql.all<QueuedIntegration>(
    `SELECT id, channel, provider_id AS providerId FROM integrations WHERE env = ? AND active = 1
     ORDER BY is_primary, created_at DESC, id DESC`,
    environmentId,
  );
  // The last entry of a channel replaces the others.
  return new Map(rows.map((row) => [row.channel, row]));
}

export const isIdentifierTaken = (
  sql: Sql,
  environmentId: string,
  identifier: string,
  exceptId: string,
): boolean =>
  sql.get(
    'SELECT 1 FROM integrations WHERE env = ? AND identifier = ? AND id <> ?',
    environmentId,
    identifier,
    exceptId,
  ) !== undefined;

/** Stores the integration as created, or as updated, now. */
export function saveIntegration(
  { sql, now }: Scope,
  integration: Omit<StoredIntegration, 'createdAt' | 'updatedAt'>,
): void {
  const { id, environmentId, identifier, providerId, channel, active, primary, ...body } =
    integration;
  sql.run(
    `INSERT INTO integrations
     (id, env, identifier, provider_id, channel, active, is_primary, created_at, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET env = excluded.env, identifier = excluded.identifier,
       active = excluded.active, is_primary = excluded.is_primary, body = excluded.body`,
    id,
    environmentId,
    identifier,
    providerId,
    channel,
    active ? 1 : 0,
    primary ? 1 : 0,
    now,
    toJson({ ...body, createdAt: undefined, updatedAt: now }),
  );
}

export function removeIntegration({ sql }: Scope, id: string): void {
  sql.run('DELETE FROM integrations WHERE id = ?', id);
}

export const channelsWithPrimary: readonly string[] = ['email', 'sms'];

/** Makes the oldest active integration of e-mail and SMS primary if the channel has no primary one. */
export function ensurePrimaries(scope: Scope): void {
  const queued = queuedIntegrations(scope);
  for (const channel of channelsWithPrimary) {
    const next = queued.get(channel);
    if (next) scope.sql.run('UPDATE integrations SET is_primary = 1 WHERE id = ?', next.id);
  }
}
