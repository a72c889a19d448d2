import { serializeSubscriberResource } from '../serializers/subscriber.ts';
import { credentialsBySubscriber, saveCredentials } from '../store/credentials.ts';
import { cursorPage } from '../store/cursor-page.ts';
import { activeIntegration } from '../store/integrations.ts';
import type { Scope } from '../store/scope.ts';
import {
  findSubscriber,
  findSubscribers,
  fromSubscriberRow,
  insertSubscriber,
  mergeProfile,
  removeSubscriber,
  type StoredRow,
  type StoredSubscriber,
  saveProfile,
  subscriberColumns,
} from '../store/subscribers.ts';
import { conflict, notFound } from '../values/http-error.ts';
import { noActiveIntegrationMessage } from './credentials.ts';
import { checkCursorQuery } from './cursor-check.ts';
import type { Handler } from './handler.ts';
import { subscriptionsPage } from './topic-subscriptions.ts';

const bodyText = (name: string) => `coalesce(json_extract(body, '$.${name}'), '')`;

const contains = (column: string, value: string | undefined) =>
  value ? [{ text: `instr(lower(${column}), ?) > 0`, value: value.toLowerCase() }] : [];

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
    ...contains('subscriber_id', subscriberId),
    ...contains("coalesce(email, '')", email),
    ...contains(bodyText('phone'), phone),
    ...contains(fullName, name),
  ];
  const order = checkCursorQuery(query, orderColumns);
  const listing = { table: 'subscribers' as const, columns: subscriberColumns, order, where };
  const { rows, ...page } = cursorPage<StoredRow>(scope, listing, query);
  const credentials = credentialsBySubscriber(
    scope,
    rows.map(({ id }) => id),
  );
  return {
    data: rows.map((row) =>
      serializeSubscriberResource(scope, fromSubscriberRow(row), credentials(row.id)),
    ),
    ...page,
  };
};

export const getSubscriber: Handler<'getSubscriber'> = ({ path: { subscriberId }, scope }) => {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) throw notFound(`Subscriber: ${subscriberId} was not found`);
  return serializeSubscriberResource(scope, subscriber);
};

/** Updates an existing subscriber; data that is not given is erased. */
export const createSubscriber: Handler<'createSubscriber'> = ({
  body,
  query: { failIfExists },
  scope,
}) => {
  const { subscriberId: given, data, ...fields } = body;
  const subscriberId = given.trim();
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
  const inTopic = {
    text: 'topic IN (SELECT id FROM topics WHERE env = subscriptions.env AND key = ?)',
  };
  return subscriptionsPage(scope, query, [
    { text: 'subscriber = ?', value: subscriber.id },
    ...(key ? [{ ...inTopic, value: key }] : []),
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
      if (integration) saveCredentials(scope, saved.id, integration, credentials);
    }
    (saved.created ? created : updated).push({ subscriberId });
  }
  return { created, updated, failed };
};
