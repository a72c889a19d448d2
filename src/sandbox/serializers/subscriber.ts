// Serializes subscribers in the service's format.
import type { Subscriber } from '../../service/schemas/subscribers.ts';
import { listCredentials, type StoredCredentials } from '../store/credentials.ts';
import type { Scope } from '../store/scope.ts';
import type { StoredSubscriber } from '../store/subscribers.ts';

export function serializeSubscriber(
  scope: Scope,
  subscriber: StoredSubscriber,
  stored: readonly StoredCredentials[] = listCredentials(scope, subscriber.id),
): Subscriber {
  const { id, subscriberId, createdAt, updatedAt, profile } = subscriber;
  return {
    _id: id,
    _organizationId: scope.organizationId,
    _environmentId: scope.environmentId,
    subscriberId,
    ...profile,
    channels: serializeChannels(scope, stored),
    deleted: false,
    createdAt,
    updatedAt,
    // The service does not count versions.
    ...{ isOnline: profile.isOnline ?? false, __v: 0, id },
  };
}

/** The service leaves out empty credentials, which the specification requires. */
const serializeChannels = (scope: Scope, stored: readonly StoredCredentials[]) =>
  stored.map(({ providerId, integrationId, credentials }) => ({
    providerId,
    ...(scope.dialect.hasRequiredMembers || Object.keys(credentials).length > 0
      ? { credentials }
      : {}),
    _integrationId: integrationId,
  })) as NonNullable<Subscriber['channels']>;

/** In version 2 of the routes: without a version, and with one id. */
export function serializeSubscriberResource(
  scope: Scope,
  { id, subscriberId, createdAt, updatedAt, profile }: StoredSubscriber,
  stored: readonly StoredCredentials[] = listCredentials(scope, id),
): Subscriber {
  return {
    _id: id,
    subscriberId,
    ...profile,
    channels: serializeChannels(scope, stored),
    isOnline: profile.isOnline ?? false,
    deleted: false,
    createdAt,
    updatedAt,
    _environmentId: scope.environmentId,
    _organizationId: scope.organizationId,
  };
}

/** Returns the named profile fields, without those that are not set. Used by the inbox and the activity list. */
export function pickProfileFields<
  Name extends 'firstName' | 'lastName' | 'avatar' | 'email' | 'phone',
>(
  { profile }: Pick<StoredSubscriber, 'profile'>,
  names: readonly Name[],
): { [Key in Name]?: string } {
  const picked: { [Key in Name]?: string } = {};
  for (const name of names) {
    const value = profile[name];
    if (typeof value === 'string') picked[name] = value;
  }
  return picked;
}
