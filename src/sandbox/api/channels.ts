// Connections of subscribers and contexts to channels, and the endpoints of subscribers in them, since 3.12.

import { personEndpoints, sendsToEndpoints, toolEndpoints } from '../../service/providers.ts';
import { addressMessage, isChannelAddress } from '../../service/rules/channel-address.ts';
import type { ChannelConnection, ChannelEndpoint } from '../../service/schemas/channels.ts';
import { badRequest, conflict, notFound } from '../http/http-error.ts';
import {
  type Connection,
  connections,
  endpoints,
  type InChannel,
  type StoredEndpoint,
} from '../store/channel-endpoints.ts';
import { ensureContexts } from '../store/contexts.ts';
import { listIntegrations, type StoredIntegration } from '../store/integrations.ts';
import { cursorPage } from '../store/listing-pages.ts';
import type { Scope } from '../store/scope.ts';
import { toJson } from '../store/sql.ts';
import { ensureSubscriber, findSubscriber } from '../store/subscribers.ts';
import {
  type Condition,
  type createRecordKind,
  isMember,
  type StoredRecord,
} from '../store/table.ts';
import type { Call, Handler } from './handler.ts';
import { checkCursorQuery } from './parameters.ts';

const times = ({ createdAt, updatedAt }: StoredRecord<object>) => ({ createdAt, updatedAt });
const inChannel = ({
  key,
  channel,
  providerId,
  integrationIdentifier,
}: StoredRecord<InChannel>) => ({ identifier: key, channel, providerId, integrationIdentifier });

const toConnection = (stored: StoredRecord<Connection>): ChannelConnection => ({
  ...inChannel(stored),
  subscriberId: stored.subscriberId ?? null,
  contextKeys: stored.contextKeys,
  workspace: stored.workspace,
  auth: { accessToken: stored.auth.accessToken },
  ...times(stored),
});

const toEndpoint = (stored: StoredEndpoint): ChannelEndpoint => ({
  ...inChannel(stored),
  connectionIdentifier: stored.connectionIdentifier ?? null,
  subscriberId: stored.subscriberId ?? null,
  contextKeys: stored.contextKeys,
  type: stored.type,
  endpoint: stored.endpoint,
  ...times(stored),
});

const orderColumns = { createdAt: 'created_at', updatedAt: 'updated_at' };

/** An empty value does not count. */
const isFilled = (member: string, value: string | undefined) =>
  isMember(member, value || undefined);

function conditions(query: Call<'listChannelConnections'>['query']): Condition[] {
  const keys = query.contextKeys && toJson([...query.contextKeys].filter(Boolean).sort());
  return [
    isFilled('channel', query.channel),
    isFilled('providerId', query.providerId),
    isFilled('integrationIdentifier', query.integrationIdentifier),
    ["json_extract(body, '$.contextKeys') = ?", keys],
  ];
}

const isShared: Condition = ["json_extract(body, '$.subscriberId') IS NULL"];

/** Without a mode, the connections of a subscriber and the shared ones. */
function ofSubscriber({
  subscriberId,
  connectionMode,
}: Call<'listChannelConnections'>['query']): Condition[] {
  if (!subscriberId) return [];
  const [isOwn, value] = isFilled('subscriberId', subscriberId);
  if (connectionMode === 'subscriber') return [[isOwn, value]];
  return connectionMode === 'shared' ? [isShared] : [[`(${isOwn} OR ${isShared[0]})`, value]];
}

export const listChannelConnections: Handler<'listChannelConnections'> = ({ query, scope }) => {
  const { rows, ...page } = connectionsPage(scope, query);
  return { data: rows.map(toConnection), ...page };
};

/** With an identifier, that connection alone. */
export const connectionsPage = (
  scope: Scope,
  query: Call<'listChannelConnections'>['query'],
  identifier?: string,
) =>
  readPage(scope, connections, 'channel-connection', query, [
    ['key = ?', identifier],
    ...ofSubscriber(query),
  ]);

export const listChannelEndpoints: Handler<'listChannelEndpoints'> = ({ query, scope }) => {
  const { rows, ...page } = endpointsPage(scope, query);
  return { data: rows.map(toEndpoint), ...page };
};

export const endpointsPage = (
  scope: Scope,
  query: Call<'listChannelEndpoints'>['query'],
  identifier?: string,
) =>
  readPage(scope, endpoints, 'channel-endpoint', query, [
    ['key = ?', identifier],
    isFilled('subscriberId', query.subscriberId),
    isFilled('connectionIdentifier', query.connectionIdentifier),
  ]);

function readPage<Body extends object>(
  scope: Scope,
  { table }: ReturnType<typeof createRecordKind<Body>>,
  kind: string,
  query: Call<'listChannelEndpoints'>['query'],
  more: Condition[],
) {
  const order = checkCursorQuery({ orderBy: 'createdAt', ...query }, orderColumns);
  const where: Condition[] = [['kind = ?', kind], ...conditions(query), ...more];
  return cursorPage(scope, { table, order, where }, query);
}

const connectionNotFound = (identifier: string, mark = "'") =>
  notFound(`Channel connection with identifier ${mark}${identifier}${mark} not found`);
const endpointNotFound = (identifier: string) =>
  notFound(`Channel endpoint with identifier '${identifier}' not found`);

export const getChannelConnection: Handler<'getChannelConnection'> = ({ path, scope }) =>
  toConnection(findConnection(scope, path.identifier));

function findConnection(scope: Scope, identifier: string): StoredRecord<Connection> {
  const stored = connections.findByKey(scope, identifier);
  if (stored) return stored;
  throw connectionNotFound(identifier);
}

export const getChannelEndpoint: Handler<'getChannelEndpoint'> = ({ path, scope }) =>
  toEndpoint(findEndpoint(scope, path.identifier));

function findEndpoint(scope: Scope, identifier: string): StoredEndpoint {
  const stored = endpoints.findByKey(scope, identifier);
  if (stored) return stored;
  throw endpointNotFound(identifier);
}

export const createChannelConnection: Handler<'createChannelConnection'> = ({ body, scope }) => {
  const { connectionMode, subscriberId, context } = body;
  checkUser(body);
  const integration = integrationOf(scope, body.integrationIdentifier);
  checkRotation(body.auth, integration);
  const contextKeys = ensureContexts(scope, context);
  if (subscriberId && !findSubscriber(scope, subscriberId))
    throw notFound(`Subscriber not found: ${subscriberId}`);
  checkIsOnly(scope, { ...fromIntegration(integration), subscriberId, contextKeys });
  const identifier = body.identifier ?? `chconn_${newSuffix(scope)}`;
  if (connections.findByKey(scope, identifier))
    throw conflict(takenIn(scope, `Channel connection with identifier "${identifier}"`));
  const stored = connections.insert(scope, identifier, {
    ...fromIntegration(integration),
    subscriberId: connectionMode === 'shared' ? undefined : subscriberId,
    contextKeys,
    ...storedMembers(body),
  });
  return toConnection(stored);
};

const takenIn = ({ environmentId }: Scope, thing: string) =>
  `${thing} already exists in environment "${environmentId}"`;

const newSuffix = ({ ids }: Scope) => ids.objectId().slice(-12);

/** The members that the service keeps. */
const storedMembers = ({
  workspace: { id, name, botUserId },
  auth,
}: Call<'updateChannelConnection'>['body']) => ({
  workspace: {
    id,
    ...(name === undefined ? {} : { name }),
    ...(botUserId === undefined ? {} : { botUserId }),
  },
  auth,
});

function checkUser({
  connectionMode,
  subscriberId,
  context,
}: Call<'createChannelConnection'>['body']) {
  if (connectionMode === 'shared') {
    if (!context) throw badRequest('context is required when connectionMode is "shared"');
  } else if (connectionMode === 'subscriber') {
    if (!subscriberId)
      throw badRequest('subscriberId is required when connectionMode is "subscriber"');
  } else if (!subscriberId && !context) {
    throw badRequest('Either subscriberId or context must be provided');
  }
}

function integrationOf(scope: Scope, identifier: string): StoredIntegration {
  const integration = listIntegrations(scope).find((other) => other.identifier === identifier);
  if (!integration) throw notFound(`Integration not found: ${identifier}`);
  return integration;
}

const fromIntegration = ({ identifier, providerId, channel }: StoredIntegration) => ({
  channel,
  providerId,
  integrationIdentifier: identifier,
});

/** The providers whose tokens the service can renew. */
const rotatingProviders = ['slack', 'webex-messaging'];

function checkRotation(auth: Record<string, unknown>, integration: StoredIntegration): void {
  if (!auth.refreshToken) return;
  const { providerId, identifier, credentials } = integration;
  if (!rotatingProviders.includes(providerId))
    throw badRequest(
      `Token rotation is not supported for provider "${providerId}". Remove refreshToken from the connection auth.`,
    );
  if (!credentials?.clientId || !credentials.secretKey)
    throw badRequest(
      `Integration "${identifier}" must have clientId and secretKey configured to store a rotating refresh token.`,
    );
}

/** One connection exists for an integration, a subscriber and contexts. */
function checkIsOnly(scope: Scope, wanted: InChannel): void {
  const keys = toJson(wanted.contextKeys);
  const { integrationIdentifier, subscriberId } = wanted;
  const other = connections
    .where(scope, { integrationIdentifier, subscriberId })
    .find((stored) => stored.subscriberId === subscriberId && toJson(stored.contextKeys) === keys);
  if (!other) return;
  const subscriber = wanted.subscriberId
    ? `subscriberId "${wanted.subscriberId}"`
    : 'no subscriberId';
  const context =
    wanted.contextKeys.length > 0 ? `context [${wanted.contextKeys.join(', ')}]` : 'no context';
  throw conflict(
    `A channel connection already exists for integration "${wanted.integrationIdentifier}" with ${subscriber} and ${context}. Connection ID: ${other.key}`,
  );
}

export const updateChannelConnection: Handler<'updateChannelConnection'> = ({
  path: { identifier },
  body,
  scope,
}) => {
  const stored = connections.findByKey(scope, identifier);
  if (!stored) throw connectionNotFound(identifier, '"');
  if (body.auth.refreshToken)
    checkRotation(body.auth, integrationOf(scope, stored.integrationIdentifier));
  return toConnection(connections.update(scope, { ...stored, ...storedMembers(body) }));
};

export const deleteChannelConnection: Handler<'deleteChannelConnection'> = ({ path, scope }) => {
  connections.remove(scope, findConnection(scope, path.identifier).id);
  return undefined;
};

export const createChannelEndpoint: Handler<'createChannelEndpoint'> = ({ body, scope }) => {
  const { subscriberId, createSubscriberIfMissing, type, endpoint } = body;
  const integration = integrationOf(scope, body.integrationIdentifier);
  const contextKeys = ensureContexts(scope, body.context);
  if (!findSubscriber(scope, subscriberId)) {
    if (!createSubscriberIfMissing)
      throw notFound(
        `Subscriber not found: ${subscriberId}. Pass createSubscriberIfMissing: true to create it, or provision it via POST /v1/subscribers.`,
      );
    ensureSubscriber(scope, subscriberId);
  }
  const identifier = body.identifier ?? `chendp_${newSuffix(scope)}`;
  if (endpoints.findByKey(scope, identifier))
    throw conflict(takenIn(scope, `Channel endpoint with identifier "${identifier}"`));
  const connectionIdentifier = connectionFor(scope, body, integration, contextKeys);
  checkIsNew(scope, body);
  const stored = endpoints.insert(scope, identifier, {
    ...fromIntegration(integration),
    connectionIdentifier,
    subscriberId,
    contextKeys,
    type,
    endpoint,
  });
  return toEndpoint(stored);
};

/** Whatever their contexts, so that a tool does not get an alert twice, and a person is one subscriber. */
function checkIsNew(
  scope: Scope,
  { subscriberId, integrationIdentifier, type, endpoint }: Call<'createChannelEndpoint'>['body'],
): void {
  const tool = toolEndpoints[type];
  if (tool && !tool.isRepeatable) {
    if (endpoints.where(scope, { subscriberId, integrationIdentifier, type }).length > 0)
      throw conflict(
        `${tool.name} endpoint already exists for subscriber "${subscriberId}" on integration "${integrationIdentifier}"`,
      );
  } else if (personEndpoints.includes(type)) {
    // The service answers with 500.
    const userId = String(endpoint.userId);
    if (
      endpoints.where(scope, { integrationIdentifier, type, 'endpoint.userId': userId }).length > 0
    )
      throw conflict(
        `User "${userId}" already has an endpoint on integration "${integrationIdentifier}"`,
      );
  }
}

function connectionFor(
  scope: Scope,
  { type, connectionIdentifier }: Call<'createChannelEndpoint'>['body'],
  { identifier, providerId, credentials }: StoredIntegration,
  contextKeys: string[],
): string | undefined {
  const requires = (provider: string) =>
    badRequest(
      `Channel endpoint type "${type}" requires ${/^[AEIOU]/.test(provider) ? 'an' : 'a'} ${provider} integration`,
    );
  const tool = toolEndpoints[type];
  if (tool) {
    if (providerId !== tool.providerId) throw requires(tool.name);
    if (!sendsToEndpoints(providerId, credentials))
      throw badRequest(
        `${type} endpoints require the ${tool.name} integration to use dynamic routingMode`,
      );
    return undefined;
  }
  const isWebex = type === 'webex_room' || type === 'webex_person';
  if (isWebex && providerId !== 'webex-messaging') throw requires('Webex Messaging');
  if (isWebex && !connectionIdentifier)
    throw badRequest(`Channel endpoint type "${type}" requires a connectionIdentifier`);
  if (!connectionIdentifier) return undefined;
  const connection = connections.findByKey(scope, connectionIdentifier);
  if (connection?.integrationIdentifier !== identifier)
    throw notFound(`Channel connection not found: ${connectionIdentifier}`);
  if (isWebex && toJson(connection.contextKeys) !== toJson(contextKeys))
    throw badRequest(
      `Webex endpoint context must match channel connection "${connectionIdentifier}" context`,
    );
  return connectionIdentifier;
}

export const updateChannelEndpoint: Handler<'updateChannelEndpoint'> = ({
  path: { identifier },
  body: { endpoint },
  scope,
}) => {
  const stored = endpoints.findByKey(scope, identifier);
  if (!stored)
    throw notFound(
      `Channel endpoint with identifier "${identifier}" not found in environment "${scope.environmentId}"`,
    );
  if (!isChannelAddress(stored.type, endpoint)) throw badRequest(addressMessage(stored.type));
  return toEndpoint(endpoints.update(scope, { ...stored, endpoint }));
};

export const deleteChannelEndpoint: Handler<'deleteChannelEndpoint'> = ({ path, scope }) => {
  endpoints.remove(scope, findEndpoint(scope, path.identifier).id);
  return undefined;
};
