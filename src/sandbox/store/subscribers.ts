// Subscribers. The profile is stored as given, to distinguish null from absent.
import type { SubscriberRow } from '../../service/schemas/subscribers.ts';
import type { Scope } from './scope.ts';
import { fromJson, toJson, toJsonList } from './sql.ts';

/** The fields that a caller may set. Null is a value; an absent field is unchanged. */
export type Profile = Omit<SubscriberRow, 'subscriberId' | 'channels'> & {
  isOnline?: boolean;
  lastOnlineAt?: string;
};

export interface StoredSubscriber {
  id: string;
  subscriberId: string;
  version: number;
  createdAt: string;
  updatedAt: string;
  profile: Profile;
}

export interface StoredRow {
  id: string;
  subscriber_id: string;
  version: number;
  created_at: string;
  updated_at: string;
  body: string;
}

export const subscriberColumns = 'id, subscriber_id, version, created_at, updated_at, body';

export const fromSubscriberRow = (row: StoredRow): StoredSubscriber => ({
  id: row.id,
  subscriberId: row.subscriber_id,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  profile: fromJson<Profile>(row.body),
});

export function findSubscriber(
  { sql, environmentId }: Scope,
  subscriberId: string,
): StoredSubscriber | undefined {
  const row = sql.get<StoredRow>(
    `SELECT ${subscriberColumns} FROM subscribers WHERE env = ? AND subscriber_id = ?`,
    environmentId,
    subscriberId,
  );
  return row && fromSubscriberRow(row);
}

/** Returns the existing ones of these subscribers, by public id. */
export function findSubscribers(
  { sql, environmentId }: Scope,
  subscriberIds: readonly string[],
): Map<string, StoredSubscriber> {
  const rows = sql.all<StoredRow>(
    `SELECT ${subscriberColumns} FROM subscribers
     WHERE env = ? AND subscriber_id IN (SELECT value FROM json_each(?))`,
    environmentId,
    toJsonList(subscriberIds),
  );
  return new Map(rows.map((row) => [row.subscriber_id, fromSubscriberRow(row)]));
}

/** Finds a subscriber by its internal id. */
export function subscriberById({ sql }: Scope, id: string): StoredSubscriber | undefined {
  const row = sql.get<StoredRow>(`SELECT ${subscriberColumns} FROM subscribers WHERE id = ?`, id);
  return row && fromSubscriberRow(row);
}

/**
 * Returns subscribers keyed by internal id. The unary plus stops SQLite from using the index by environment,
 * which would read every subscriber.
 */
export function subscribersById(
  { sql, environmentId }: Scope,
  ids: readonly string[],
): Map<string, StoredSubscriber> {
  const rows = sql.all<StoredRow>(
    `SELECT ${subscriberColumns} FROM subscribers
     WHERE +env = ? AND id IN (SELECT value FROM json_each(?))`,
    environmentId,
    toJson(ids),
  );
  return new Map(rows.map((row) => [row.id, fromSubscriberRow(row)]));
}

/** Returns subscribers of the environment, oldest first. */
export const pageOfSubscribers = (
  { sql, environmentId }: Scope,
  { limit, offset }: { limit: number; offset: number },
): StoredSubscriber[] =>
  sql
    .all<StoredRow>(
      `SELECT ${subscriberColumns} FROM subscribers WHERE env = ? ORDER BY created_at, id LIMIT ? OFFSET ?`,
      ...[environmentId, limit, offset],
    )
    .map(fromSubscriberRow);

/** The ids of all subscribers of the environment, oldest first. */
export const allSubscriberIds = ({ sql, environmentId }: Scope): string[] =>
  sql
    .all<{ subscriber_id: string }>(
      'SELECT subscriber_id FROM subscribers WHERE env = ? ORDER BY created_at, id',
      environmentId,
    )
    .map(({ subscriber_id }) => subscriber_id);

/** Creates the subscriber, or overwrites the given fields of the existing one. */
export function upsertSubscriber(
  scope: Scope,
  subscriberId: string,
  given: Profile,
): { id: string; created: boolean } {
  const { id, created } = mergeProfile(
    scope,
    subscriberId,
    given,
    findSubscriber(scope, subscriberId),
  );
  return { id, created };
}

/** The same with the existing subscriber, or undefined if it does not exist. Returns the profile as stored. */
export function mergeProfile(
  scope: Scope,
  subscriberId: string,
  given: Profile,
  existing: Pick<StoredSubscriber, 'id' | 'profile'> | undefined,
): { id: string; profile: Profile; created: boolean } {
  if (!existing)
    return { id: insertSubscriber(scope, subscriberId, given), profile: given, created: true };
  const { id } = existing;
  const profile = { ...existing.profile, ...given };
  saveProfile(scope, { id, subscriberId }, profile);
  return { id, profile, created: false };
}

/** Replaces the whole profile of a subscriber. */
export function saveProfile(
  { sql, now }: Scope,
  { id, subscriberId }: Pick<StoredSubscriber, 'id' | 'subscriberId'>,
  profile: Profile,
): void {
  const { email, search, body } = profileColumns(subscriberId, profile);
  sql.run(
    `UPDATE subscribers SET email = ?, search = ?, body = ?, version = version + 1, updated_at = ?
     WHERE id = ?`,
    ...[email, search, body, now, id],
  );
}

/** Deletes a subscriber with its subscriptions, preferences and credentials. Its history stays. */
export function removeSubscriber({ sql }: Scope, id: string): void {
  for (const table of ['subscriptions', 'preferences', 'credentials'])
    sql.run(`DELETE FROM ${table} WHERE subscriber = ?`, id);
  sql.run('DELETE FROM subscribers WHERE id = ?', id);
}

/** Returns the subscriber's internal id. Creates the subscriber with an empty profile if it is missing. */
export function ensureSubscriber(scope: Scope, subscriberId: string): string {
  const row = scope.sql.get<{ id: string }>(
    'SELECT id FROM subscribers WHERE env = ? AND subscriber_id = ?',
    scope.environmentId,
    subscriberId,
  );
  return row?.id ?? insertSubscriber(scope, subscriberId, {});
}

export function insertSubscriber(
  { sql, ids, environmentId, now }: Scope,
  subscriberId: string,
  profile: Profile,
  id = ids.objectId(),
): string {
  const { email, search, body } = profileColumns(subscriberId, profile);
  sql.run(
    `INSERT INTO subscribers
       (id, env, subscriber_id, email, search, version, created_at, updated_at, body)
     VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?)`,
    ...[id, environmentId, subscriberId, email, search, now, now, body],
  );
  return id;
}

/** Updates version and time of a subscriber after a change of its data in another table. */
export function touchSubscriber({ sql, now }: Scope, id: string): void {
  sql.run('UPDATE subscribers SET version = version + 1, updated_at = ? WHERE id = ?', now, id);
}

const profileColumns = (subscriberId: string, profile: Profile) => ({
  email: profile.email ?? null,
  search: searchText(subscriberId, profile),
  body: toJson(profile),
});

const searchText = (subscriberId: string, { firstName, lastName, email, phone }: Profile) =>
  `${subscriberId}\n${firstName ?? ''} ${lastName ?? ''}\n${email ?? ''}\n${phone ?? ''}`.toLowerCase();
