// Connections of subscribers and contexts to channels, such as a workspace of Slack, and the endpoints in them, since 3.12.
import { z } from 'zod';
import { checked } from '../rules/checked.ts';
import { isDefined, isObject, isString, required, text } from '../rules/rules.ts';
import { cursorLimit, cursorPage, cursors, sorting, textFilter } from './query.ts';
import { checkedFlag, jsonObject, nonEmptyText, openEnum, textOrNull } from './values.ts';
import { connectionModes, endpointTypes } from './vocabulary.ts';

const channelItem = z.looseObject({
  identifier: z.string(),
  channel: textOrNull,
  providerId: textOrNull,
  integrationIdentifier: textOrNull,
  /** Null for a connection that several subscribers share. */
  subscriberId: textOrNull,
  contextKeys: z.array(z.string()).optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
});

const workspace = z.looseObject({ id: z.string(), name: textOrNull });

export const connection = channelItem.extend({
  workspace: workspace.optional(),
  /** The service shows the tokens. */
  auth: jsonObject.optional(),
});

export const endpoint = channelItem.extend({
  connectionIdentifier: textOrNull,
  type: openEnum(endpointTypes).optional(),
  endpoint: jsonObject.optional(),
});

export const connectionPage = cursorPage(connection);
export const endpointPage = cursorPage(endpoint);

const channelsQuery = {
  subscriberId: textFilter,
  channel: textFilter,
  providerId: textFilter,
  integrationIdentifier: textFilter,
  contextKeys: z.array(z.string()).optional(),
  ...cursors,
  limit: cursorLimit,
  ...sorting(),
};

/** Query of GET `/v1/channel-connections`. */
export const listConnectionsQuery = z.strictObject({
  ...channelsQuery,
  connectionMode: z.enum(connectionModes).optional(),
});

/** Query of GET `/v1/channel-endpoints`. */
export const listEndpointsQuery = z.strictObject({
  ...channelsQuery,
  connectionIdentifier: textFilter,
});

const givenWorkspace = checked(
  z.looseObject({ id: nonEmptyText, name: z.string().optional() }),
  required(isDefined(), isObject),
);
const givenAuth = checked(
  z.looseObject({ accessToken: nonEmptyText }),
  required(isDefined(), isObject),
);
const requiredText = checked(nonEmptyText, required(isDefined(), isString()));
const optionalText = checked(nonEmptyText.optional(), text());

/** Body of POST `/v1/channel-connections`. The service makes an identifier if it is absent. */
export const createConnectionBody = z.strictObject({
  identifier: optionalText,
  subscriberId: optionalText,
  connectionMode: z.enum(connectionModes).optional(),
  context: jsonObject.optional(),
  integrationIdentifier: requiredText,
  workspace: givenWorkspace,
  auth: givenAuth,
});

/** Body of PATCH `/v1/channel-connections/{identifier}`. Both members replace the stored ones. */
export const updateConnectionBody = z.strictObject({ workspace: givenWorkspace, auth: givenAuth });

const address = checked(jsonObject, required(isDefined(), isObject));

/** Body of POST `/v1/channel-endpoints`. The service makes an identifier if it is absent. */
export const createEndpointBody = z.strictObject({
  identifier: optionalText,
  subscriberId: requiredText,
  createSubscriberIfMissing: checkedFlag,
  context: jsonObject.optional(),
  integrationIdentifier: requiredText,
  connectionIdentifier: optionalText,
  type: openEnum(endpointTypes),
  endpoint: address,
});

/** Body of PATCH `/v1/channel-endpoints/{identifier}`. The address replaces the stored one. */
export const updateEndpointBody = z.strictObject({ endpoint: address });

export { emptyResponse } from './values.ts';

export type ChannelConnection = z.output<typeof connection>;
export type ChannelEndpoint = z.output<typeof endpoint>;
