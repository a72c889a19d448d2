// Connections of subscribers and contexts to channels, such as a workspace of Slack, and the endpoints in them, since 3.12.
import { z } from 'zod';
import { isObject } from '../../core/objects.ts';
import { addressMessage, isChannelAddress } from '../rules/channel-address.ts';
import { checked, parameter, toListOfGiven, withSecondStage } from '../rules/checked.ts';
import { eventContexts } from '../rules/event-contexts.ts';
import {
  areStrings,
  type Fields,
  isBoolean,
  isDefined,
  isOneOf,
  isString,
  optional,
  type Rule,
  required,
  text,
} from '../rules/rules.ts';
import { checkedLimit, cursorPage, cursors, queryList, sorting, textFilter } from './query.ts';
import {
  checkedName,
  jsonObject,
  nonEmptyText,
  openEnum,
  requiredName,
  textOrNull,
} from './values.ts';
import { allChannels, connectionModes, endpointTypes } from './vocabulary.ts';

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

const modeField = checked(
  z.enum(connectionModes).optional(),
  optional(isOneOf(connectionModes), isString()),
);

const channelsQuery = {
  subscriberId: textFilter,
  channel: checked(z.string().optional(), optional(isOneOf(allChannels))),
  providerId: textFilter,
  integrationIdentifier: textFilter,
  /** All contexts, in any order; an empty value means without contexts. */
  contextKeys: parameter(queryList(z.string()).optional(), toListOfGiven, optional(areStrings)),
  ...cursors,
  limit: checkedLimit,
  ...sorting(),
};

export const listConnectionsQuery = z.strictObject({ ...channelsQuery, connectionMode: modeField });

export const listEndpointsQuery = z.strictObject({
  ...channelsQuery,
  connectionIdentifier: textFilter,
});

const workspaceField = checked(z.looseObject({ id: nonEmptyText, name: z.string().optional() }), {
  ...required(isDefined()),
  fields: { id: required(isString(), isDefined()), name: text(), botUserId: text() },
});
const authField = checked(z.looseObject({ accessToken: nonEmptyText }), {
  ...required(isDefined()),
  fields: {
    accessToken: required(isString(), isDefined()),
    refreshToken: text(),
    expiresAt: text(),
    refreshTokenExpiresAt: text(),
  },
});
const contextsField = checked(jsonObject.optional(), optional(eventContexts));

/** Body of POST `/v1/channel-connections`. The service makes an identifier if it is absent. */
export const createConnectionBody = z.strictObject({
  identifier: checkedName,
  subscriberId: checkedName,
  connectionMode: modeField,
  context: contextsField,
  integrationIdentifier: requiredName,
  workspace: workspaceField,
  auth: authField,
});

/** Body of PATCH `/v1/channel-connections/{identifier}`. Both members replace the stored ones. */
export const updateConnectionBody = z.strictObject({ workspace: workspaceField, auth: authField });

const fitsItsType: Rule = (value, _name, { parent }) => {
  const { type } = parent as { type?: unknown };
  if (!type) return undefined;
  return isObject(value) && isChannelAddress(String(type), value)
    ? undefined
    : addressMessage(type);
};

const endpointFields: Fields = {
  identifier: text(),
  integrationIdentifier: required(isString(), isDefined()),
  connectionIdentifier: text(),
  subscriberId: required(isString(), isDefined()),
  createSubscriberIfMissing: optional(isBoolean),
  context: optional(eventContexts),
  type: required(isOneOf(endpointTypes), isDefined()),
  endpoint: required(fitsItsType, isDefined()),
};

/** Body of POST `/v1/channel-endpoints`. The service makes an identifier if it is absent. */
export const createEndpointBody = withSecondStage(
  z.strictObject({
    identifier: nonEmptyText.optional(),
    subscriberId: nonEmptyText,
    createSubscriberIfMissing: z.boolean().optional(),
    context: jsonObject.optional(),
    integrationIdentifier: nonEmptyText,
    connectionIdentifier: nonEmptyText.optional(),
    type: openEnum(endpointTypes),
    endpoint: jsonObject,
  }),
  'CreateChannelEndpointCommand',
  endpointFields,
);

/** Body of PATCH `/v1/channel-endpoints/{identifier}`. The address replaces the stored one. */
export const updateEndpointBody = z.strictObject({
  endpoint: checked(jsonObject, required(isDefined())),
});

export { emptyResponse } from './values.ts';

export type ChannelConnection = z.output<typeof connection>;
export type ChannelEndpoint = z.output<typeof endpoint>;
