// Subscribers: listing, reading, creating, changing and deleting them, and their credentials.
import { limits } from '../../service/limits.ts';
import { isObjectId } from '../../service/rules/formats.ts';
import type { Subscriber } from '../../service/schemas/subscribers.ts';
import { badRequest, conflict, notFound } from '../http/http-error.ts';
import {
  credentialsBySubscriber,
  deleteCredentials,
  listCredentials,
  type StoredCredentials,
  saveCredentials,
} from '../store/credentials.ts';
import { activeIntegration } from '../store/integrations.ts';
import { cursorPage } from '../store/listing-pages.ts';
import type { Scope } from '../store/scope.ts';
import {
  findSubscriber,
  findSubscribers,
  insertSubscriber,
  mergeProfile,
  removeSubscriber,
  type StoredSubscriber,
  saveProfile,
  subscribers,
  touchSubscriber,
} from '../store/subscribers.ts';
import type { Condition } from '../store/table.ts';
import type { Call, Handler } from './handler.ts';
import { checkCursorQuery } from './parameters.ts';
import { subscriptionsPage } from './topic-subscriptions.ts';

const bodyText = (name: string) => `coalesce(json_extract(body, '$.${name}'), '')`;

const contains = (column: string, value: string | undefined): Condition => [
  `instr(lower(${column}), ?) > 0`,
  value?.toLowerCase() || undefined,
];

const orderColumns = {
  _id: 'id',
  subscriberId: 'subscriber_id',
  email: 'email',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  firstName: bodyText('firstName'),
  lastName: bodyText('lastName'),
  phone: bodyText('phone'),
};

/** Every filter matches part of the text, in any letter case. */
export const listSubscribers: Handler<'listSubscribers'> = ({ query, scope }) => {
  const { subscriberId, email, phone, name } = query;
  const fullName = `trim(${bodyText('firstName')} || ' ' || ${bodyText('lastName')})`;
  const where = [
    contains('subscriber_id', subscriberId),
    contains("coalesce(email, '')", email),
    contains(bodyText('phone'), phone),
    contains(fullName, name),
  ];
  const cursor = query.after ?? query.before;
  const isOne = query.after === undefined || query.before === undefined;
  // Later versions find no subscriber with such an id.
  if (scope.dialect.hasLiteralFilters && isOne && cursor !== undefined && !isObjectId(cursor))
    return { data: [], next: null, previous: null, totalCount: 0, totalCountCapped: false };
  const order = checkCursorQuery(query, orderColumns);
  const { rows, ...page } = cursorPage(scope, { table: subscribers, order, where }, query);
  const credentials = credentialsBySubscriber(
    scope,
    rows.map(({ id }) => id),
  );
  return {
    data: rows.map((row) => serializeSubscriberResource(scope, row, credentials(row.id))),
    ...page,
  };
};

export const getSubscriber: Handler<'getSubscriber'> = ({ path: { subscriberId }, scope }) =>
  read(scope, subscriberId);

/** Updates an existing subscriber; data that is not given is erased. */
export const createSubscriber: Handler<'createSubscriber'> = ({
  body,
  query: { failIfExists },
  scope,
}) => {
  const { subscriberId: untrimmedId, data, ...fields } = body;
  const subscriberId = untrimmedId.trim();
  const existing = findSubscriber(scope, subscriberId);
  if (existing && failIfExists)
    throw conflict(`Subscriber with id "${subscriberId}" already exists`);
  const { data: _, ...stored } = existing?.profile ?? {};
  const profile = { ...stored, ...fields, ...(data ? { data } : {}) };
  if (existing) saveProfile(scope, existing, profile);
  else insertSubscriber(scope, subscriberId, profile);
  return read(scope, subscriberId);
};

/** The response has the time of the last change before this one. */
export const updateSubscriber: Handler<'updateSubscriber'> = ({
  path: { subscriberId },
  body,
  scope,
}) => {
  const existing = findSubscriber(scope, subscriberId);
  if (!existing) throw notFound(`Subscriber ${subscriberId} was not found`);
  saveProfile(scope, existing, { ...existing.profile, ...body });
  return { ...read(scope, subscriberId), updatedAt: existing.updatedAt };
};

export const deleteSubscriber: Handler<'deleteSubscriber'> = ({
  path: { subscriberId },
  scope,
}) => {
  const existing = findSubscriber(scope, subscriberId);
  if (!existing) {
    const context = { externalSubscriberId: subscriberId };
    throw notFound('Subscriber was not found', { context });
  }
  removeSubscriber(scope, existing.id);
  return { acknowledged: true, status: 'deleted' };
};

export const listSubscriberTopics: Handler<'listSubscriberTopics'> = ({
  path: { subscriberId },
  query,
  scope,
}) => {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) throw notFound('Subscriber not found');
  const { key } = query;
  return subscriptionsPage(scope, query, [
    ['subscriber = ?', subscriber.id],
    [
      'topic IN (SELECT id FROM topics WHERE env = subscriptions.env AND key = ?)',
      key || undefined,
    ],
  ]);
};

function read(scope: Scope, subscriberId: string) {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) throw notFound(`Subscriber: ${subscriberId} was not found`);
  return serializeSubscriberResource(scope, subscriber);
}

/** A subscriber that occurs twice is created and then updated. */
export const bulkCreateSubscribers: Handler<'bulkCreateSubscribers'> = ({ body, scope }) => {
  const created: { subscriberId: string }[] = [];
  const updated: { subscriberId: string }[] = [];
  const failed: { subscriberId: string; message: string }[] = [];
  const stored = new Map<string, Pick<StoredSubscriber, 'id' | 'profile'>>(
    findSubscribers(
      scope,
      body.subscribers.map(({ subscriberId }) => subscriberId),
    ),
  );
  for (const { subscriberId, channels, ...profile } of body.subscribers) {
    const resolvedChannels = (channels ?? []).map((channel) => ({
      ...channel,
      integration: activeIntegration(scope, channel.providerId, channel.integrationIdentifier),
    }));
    const unresolved = resolvedChannels.find(({ integration }) => !integration);
    if (unresolved) {
      const message = noActiveIntegrationMessage(scope, unresolved.providerId);
      failed.push({ subscriberId, message });
      continue;
    }
    const saved = mergeProfile(scope, subscriberId, profile, stored.get(subscriberId));
    stored.set(subscriberId, saved);
    for (const { integration, credentials } of resolvedChannels) {
      if (integration)
        checkTokens(scope, saveCredentials(scope, saved.id, integration, credentials));
    }
    (saved.created ? created : updated).push({ subscriberId });
  }
  return { created, updated, failed };
};

// Sets, replaces and deletes a subscriber's credentials for a provider. To write them requires an
// active integration of the provider.

export const noActiveIntegrationMessage = ({ environmentId }: Scope, providerId: string) =>
  `Subscribers environment (${environmentId}) do not have active ${providerId} integration.`;

export const setSubscriberCredentials: Handler<'setSubscriberCredentials'> = (call) =>
  writeCredentials(call, false);

export const replaceSubscriberCredentials: Handler<'replaceSubscriberCredentials'> = (call) =>
  writeCredentials(call, true);

function writeCredentials(
  {
    path: { subscriberId },
    body: { providerId, integrationIdentifier, credentials },
    scope,
  }: Pick<Call<'setSubscriberCredentials'>, 'path' | 'body' | 'scope'>,
  replacesTokens: boolean,
) {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) throw badRequest(`SubscriberId: ${subscriberId} not found`);
  const integration = activeIntegration(scope, providerId, integrationIdentifier || undefined);
  if (!integration) throw badRequest(noActiveIntegrationMessage(scope, providerId));
  const count = saveCredentials(scope, subscriber.id, integration, credentials, { replacesTokens });
  checkTokens(scope, count);
  touchSubscriber(scope, subscriber.id);
  return serializeSubscriber(scope, findSubscriber(scope, subscriberId) ?? subscriber);
}

/** An error undoes the request. */
export function checkTokens({ dialect }: Scope, currentCount: number): void {
  const limit = limits.deviceTokens;
  if (!dialect.hasLaterLimits || currentCount <= limit) return;
  throw badRequest(
    `Device tokens limit exceeded. Maximum allowed tokens per subscriber channel is ${limit}, but got ${currentCount} tokens.`,
    { context: { currentCount, limit } },
  );
}

export const deleteSubscriberCredentials: Handler<'deleteSubscriberCredentials'> = ({
  path: { subscriberId, providerId },
  scope,
}) => {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) throw notFound(`Subscriber '${subscriberId}' was not found`);
  deleteCredentials(scope, subscriber.id, providerId);
  touchSubscriber(scope, subscriber.id);
  return undefined;
};

// Serializes subscribers in the service's format.

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
    isOnline: profile.isOnline ?? false,
    __v: 0,
    id,
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
function serializeSubscriberResource(
  scope: Scope,
  { id, subscriberId, createdAt, updatedAt, profile }: StoredSubscriber,
  stored: readonly StoredCredentials[] = listCredentials(scope, id),
): Subscriber {
  return {
    _id: id,
    subscriberId,
    ...profile,
    ...(scope.dialect.showsTimes ? { lastOnlineAt: profile.lastOnlineAt ?? null } : {}),
    channels: serializeChannels(scope, stored),
    isOnline: profile.isOnline ?? false,
    deleted: false,
    createdAt,
    updatedAt,
    _environmentId: scope.environmentId,
    _organizationId: scope.organizationId,
  };
}

/** Returns the named profile fields, without those that were never set. Used by the inbox and the activity list. */
export function pickProfileFields<
  Name extends 'firstName' | 'lastName' | 'avatar' | 'email' | 'phone',
>(
  { profile }: Pick<StoredSubscriber, 'profile'>,
  names: readonly Name[],
): { [Key in Name]?: string | null } {
  const picked: { [Key in Name]?: string | null } = {};
  for (const name of names) {
    const value = profile[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}
