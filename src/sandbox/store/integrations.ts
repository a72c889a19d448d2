// Integrations: connections of an environment to delivery providers.

import type { Integration } from '../../service/schemas/integrations.ts';
import { type Channel, hasPrimary } from '../../service/schemas/vocabulary.ts';
import type { Scope } from './scope.ts';
import type { Sql } from './sql.ts';
import { createTable, insertRow } from './table.ts';

interface IntegrationBody {
  name: string;
  credentials: NonNullable<Integration['credentials']>;
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

const integrations = createTable<StoredIntegration>({
  name: 'integrations',
  columns: {
    id: 'id',
    environmentId: 'env',
    identifier: 'identifier',
    providerId: 'provider_id',
    channel: 'channel',
    active: 'active',
    primary: 'is_primary',
    createdAt: 'created_at',
  },
  flags: ['active', 'primary'],
});

const byAge = 'ORDER BY created_at, id';

export const listIntegrations = (scope: Scope): StoredIntegration[] =>
  integrations.all(scope, `true ${byAge}`);

/** The integrations of all environments of the organization. */
export const listAllIntegrations = (scope: Scope): StoredIntegration[] =>
  integrations.allOfOrganization(scope, `true ${byAge}`);

/** Finds an integration of any environment of the organization. */
export const findIntegration = (scope: Scope, id: string): StoredIntegration | undefined =>
  integrations.findAny(scope, 'id = ?', id);

/** Returns the newest active integration of a provider; with an identifier, only that integration. */
export const activeIntegration = (
  scope: Scope,
  providerId: string,
  identifier: string | null = null,
): StoredIntegration | undefined =>
  integrations.find(
    scope,
    `provider_id = ? AND active = 1 AND (? IS NULL OR identifier = ?)
     ORDER BY created_at DESC, id DESC`,
    providerId,
    identifier,
    identifier,
  );

/** Returns the active integrations of a channel: the primary one first, then the newest. */
export const activeIntegrations = (scope: Scope, channel: string): StoredIntegration[] =>
  integrations.all(
    scope,
    'channel = ? AND active = 1 ORDER BY is_primary DESC, created_at DESC, id DESC',
    channel,
  );

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

export const isTakenInEnvironment = (
  sql: Sql,
  environmentId: string,
  identifier: string,
): boolean => sql.has('integrations WHERE env = ? AND identifier = ?', environmentId, identifier);

/** Whether another integration of any environment has the identifier. */
export const isTakenByOther = (sql: Sql, identifier: string, exceptId: string): boolean =>
  sql.has('integrations WHERE identifier = ? AND id <> ?', identifier, exceptId);

/** Stores the integration as created, or as updated, now. */
export function saveIntegration(
  scope: Scope,
  integration: Omit<StoredIntegration, 'createdAt' | 'updatedAt'>,
): void {
  const { sql, now } = scope;
  const row = integrations.toRow(scope, { ...integration, createdAt: now, updatedAt: now });
  insertRow(
    sql,
    'integrations',
    row,
    `ON CONFLICT (id) DO UPDATE SET env = excluded.env, identifier = excluded.identifier,
       active = excluded.active, is_primary = excluded.is_primary, body = excluded.body`,
  );
}

export function removeIntegration({ sql }: Scope, id: string): void {
  sql.run('DELETE FROM integrations WHERE id = ?', id);
}

// The numbers of integrations. Of the active integrations of a channel with a primary one, that one has the highest
// number.

type Place = Pick<StoredIntegration, 'primary'> & { priority: number };

const listActive = (scope: Scope, channel: string): StoredIntegration[] =>
  listIntegrations(scope).filter((each) => each.channel === channel && each.active);

const highestFirst = (integrations: readonly StoredIntegration[]): StoredIntegration[] =>
  integrations.toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0));

/** Returns the place of one more active integration: right below the primary one, else above all others. */
export function nextPlace(scope: Scope, channel: string): Place | undefined {
  if (!hasPrimary(channel)) return undefined;
  const [highest] = highestFirst(listActive(scope, channel));
  const priority = highest?.priority ?? 0;
  if (!highest?.primary) return { primary: true, priority: priority + 1 };
  saveIntegration(scope, { ...highest, priority: priority + 1 });
  return { primary: false, priority };
}

/** Numbers the active integrations of the channel again, after a given one. */
export function renumber(scope: Scope, channel: string, first?: StoredIntegration): void {
  if (!hasPrimary(channel)) return;
  const others = listActive(scope, channel).filter(({ id }) => id !== first?.id);
  saveNumbered(scope, [...(first ? [first] : []), ...highestFirst(others)]);
}

/**
 * Numbers the active integrations of e-mail and SMS as if they were created in this order. The oldest one becomes
 * primary if the channel has no primary one.
 */
export function ensurePrimaries(scope: Scope): void {
  for (const channel of new Set(listIntegrations(scope).map((each) => each.channel))) {
    if (!hasPrimary(channel)) continue;
    const active = listActive(scope, channel);
    const primary = active.find((each) => each.primary) ?? active[0];
    const others = active.filter((each) => each !== primary).reverse();
    const ordered = [...(primary ? [primary] : []), ...others];
    saveNumbered(
      scope,
      ordered.map((each) => ({ ...each, primary: each === primary })),
    );
  }
}

/** The first one gets the highest number. */
function saveNumbered(scope: Scope, integrations: readonly StoredIntegration[]): void {
  for (const [index, integration] of integrations.entries())
    saveIntegration(scope, { ...integration, priority: integrations.length - index });
}
