// Subscribers. The profile is stored as given, to distinguish null from absent.
import type { SubscriberRow } from '../../service/schemas/subscribers.ts';
import type { Scope } from './scope.ts';
import { toJson, toJsonList } from './sql.ts';
import { createTable, isOneOf } from './table.ts';

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

export const subscribers = createTable<StoredSubscriber>({
  name: 'subscribers',
  columns: {
    id: 'id',
    subscriberId: 'subscriber_id',
    version: 'version',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
    profile: 'body',
  },
  json: ['profile'],
  isComplete: true,
});

export const findSubscriber = (scope: Scope, subscriberId: string): StoredSubscriber | undefined =>
  subscribers.find(scope, 'subscriber_id = ?', subscriberId);

/** Returns the existing ones of these subscribers, by public id. */
export function findSubscribers(
  scope: Scope,
  subscriberIds: readonly string[],
): Map<string, StoredSubscriber> {
  const found = subscribers.all(scope, isOneOf('subscriber_id'), toJsonList(subscriberIds));
  return new Map(found.map((subscriber) => [subscriber.subscriberId, subscriber]));
}

/** Finds a subscriber by its internal id. */
export const subscriberById = (scope: Scope, id: string): StoredSubscriber | undefined =>
  subscribers.findAny(scope, 'id = ?', id);

/**
 * Returns subscribers keyed by internal id. The unary plus stops SQLite from using the index by environment,
 * which would read every subscriber.
 */
export function subscribersById(
  scope: Scope,
  ids: readonly string[],
): Map<string, StoredSubscriber> {
  const where = `+env = ? AND ${isOneOf('id')}`;
  const found = subscribers.allOfOrganization(scope, where, scope.environmentId, toJson(ids));
  return new Map(found.map((subscriber) => [subscriber.id, subscriber]));
}

/** Returns subscribers of the environment, oldest first. */
export const pageOfSubscribers = (
  scope: Scope,
  { limit, offset }: { limit: number; offset: number },
): StoredSubscriber[] =>
  subscribers.all(scope, 'true ORDER BY created_at, id LIMIT ? OFFSET ?', limit, offset);

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
  changes: Profile,
): { id: string; created: boolean } {
  const { id, created } = mergeProfile(
    scope,
    subscriberId,
    changes,
    findSubscriber(scope, subscriberId),
  );
  return { id, created };
}

/** The same with the existing subscriber, or undefined if it does not exist. Returns the profile as stored. */
export function mergeProfile(
  scope: Scope,
  subscriberId: string,
  changes: Profile,
  existing: Pick<StoredSubscriber, 'id' | 'profile'> | undefined,
): { id: string; profile: Profile; created: boolean } {
  if (!existing)
    return { id: insertSubscriber(scope, subscriberId, changes), profile: changes, created: true };
  const { id } = existing;
  const profile = { ...existing.profile, ...changes };
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
  scope: Scope,
  subscriberId: string,
  profile: Profile,
  id = scope.ids.objectId(),
): string {
  const times = { createdAt: scope.now, updatedAt: scope.now };
  const { email, search } = profileColumns(subscriberId, profile);
  subscribers.insert(scope, { id, subscriberId, version: 0, ...times, profile }, { email, search });
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
