// Subscribers and their provider credentials
// (specification: Resources, Subscriber; Endpoints, Subscribers).

import { z } from 'zod';
import { asObject } from '../../core/objects.ts';
import { limits } from '../limits.ts';
import { allChannelProviders, channelProviders } from '../providers.ts';
import { checked, checksOfList, isTrue, parameter, withSecondStage } from '../rules/checked.ts';
import { isEmail, isLocale, isTimeZone, isZoneName } from '../rules/formats.ts';
import {
  hasAtMost,
  hasItems,
  isArray,
  isBoolean,
  isDefined,
  isInteger,
  isObject,
  isOneOf,
  isString,
  isText,
  nested,
  optional,
  type Rule,
  required,
  rule,
  sinceVersion,
} from '../rules/rules.ts';
import {
  cursorLimit,
  cursorPage,
  cursorsIfGiven,
  numberedPage,
  numberedPaging,
  pageSize,
  queryBoolean,
  sorting,
  textFilter,
} from './query.ts';
import {
  checkedName,
  emailAddress,
  filledList,
  jsonObject,
  localeTag,
  nonEmptyText,
  openEnum,
  textOrNull,
  timeZone,
} from './values.ts';

const text = z.string().optional();

const deviceTokens = z.array(z.string()).optional();
const channelCredentialFields = {
  webhookUrl: text,
  channel: text,
  deviceTokens,
  alertUid: text,
  title: text,
  imageUrl: text,
  state: text,
  externalUrl: text,
};

/** Credentials of a subscriber for a provider, in a response. */
const channelCredentials = z.looseObject(channelCredentialFields);

/** Credentials of a subscriber for a provider, in a request. */
export const channelCredentialsBody = z.strictObject(channelCredentialFields);

const channelSettings = z.looseObject({
  providerId: openEnum(allChannelProviders),
  integrationIdentifier: text,
  credentials: channelCredentials,
  _integrationId: z.string(),
});

export const subscriber = z.looseObject({
  _id: text,
  subscriberId: z.string(),
  firstName: textOrNull,
  lastName: textOrNull,
  email: textOrNull,
  phone: textOrNull,
  avatar: textOrNull,
  locale: textOrNull,
  timezone: textOrNull,
  channels: z.array(channelSettings).optional(),
  topics: z.array(z.string()).optional().meta({ deprecated: true }),
  isOnline: z.boolean().nullable().optional(),
  lastOnlineAt: textOrNull,
  __v: z.number().optional(),
  data: jsonObject.nullable().optional(),
  _organizationId: z.string(),
  _environmentId: z.string(),
  deleted: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Not in the specification; equal to `_id`. */
  id: text,
});

const providerId = openEnum(allChannelProviders);
const invalidProvider = 'providerId must be a valid provider ID';
const isProvider = sinceVersion(
  '3.17',
  isOneOf(allChannelProviders, invalidProvider),
  isOneOf(channelProviders, invalidProvider),
);

const credentialsBody = (...checks: Rule[]) =>
  z.strictObject({
    providerId: checked(providerId, required(isDefined(), isProvider)),
    integrationIdentifier: checkedName,
    credentials: checked(channelCredentialsBody, required(isDefined(), isObject, ...checks)),
  });

/** The service fails with 500 for another value, and makes a list of a text. */
const hasTokenList: Rule = (credentials, name) => {
  const tokens: unknown = asObject(credentials).deviceTokens ?? [];
  return Array.isArray(tokens) || typeof tokens === 'string'
    ? undefined
    : `${name}.deviceTokens must be an array`;
};

/**
 * Body of PATCH `/v1/subscribers/{subscriberId}/credentials`. Accepts unknown providers: `svc subscribers credentials
 * set` rejects them unless it is given --force-provider.
 */
export const setCredentialsBody = credentialsBody(hasTokenList);
export const replaceCredentialsBody = credentialsBody();

const isZone = (isValid: (text: string) => boolean) =>
  isText(isValid, (name) => `${name} must be a valid IANA time-zone`);

const profile = {
  firstName: checked(textOrNull, optional(isString())),
  lastName: checked(textOrNull, optional(isString())),
  email: checked(
    emailAddress.nullable().optional(),
    optional(isText(isEmail, (name) => `${name} must be an email`)),
  ),
  phone: checked(textOrNull, optional(isString())),
  avatar: checked(textOrNull, optional(isString())),
  locale: checked(
    localeTag.nullable().optional(),
    optional(isText(isLocale, (name) => `${name} must be locale`)),
  ),
  timezone: checked(
    timeZone.nullable().optional(),
    optional(sinceVersion('3.15', isZone(isTimeZone), isZone(isZoneName))),
  ),
  data: checked(jsonObject.nullable().optional(), optional(isObject)),
};

const idIsRequired = () => 'SubscriberId is required';
const isNotEmptyId = rule((id) => id !== undefined && id !== null && id !== '', idIsRequired);
const isNotBlankId = rule(
  (id) => (typeof id === 'string' ? id.trim() !== '' : id !== undefined && id !== null),
  idIsRequired,
);

/** The credentials of a subscriber for one provider, in the subscriber itself. */
const channelBody = z.strictObject({
  providerId,
  integrationIdentifier: nonEmptyText.optional(),
  credentials: checked(channelCredentialsBody, {
    ...nested({ webhookUrl: optional(isString()), deviceTokens: optional(isArray) }),
    isRequired: 'null',
  }),
});
const channels = z.array(channelBody).nullable().optional();

/** One subscriber of a bulk request. Given fields overwrite the stored ones, even with null; absent fields are kept. */
export const subscriberRow = z.strictObject({
  subscriberId: checked(nonEmptyText, required(isDefined(), isNotEmptyId, isString())),
  channels: checked(channels, checksOfList(optional(isArray), channelBody)),
  ...profile,
});

export const bulkSubscribersBody = withSecondStage(
  z.strictObject({
    subscribers: checked(
      filledList(subscriberRow, 'subscribers', limits.subscribersPerRequest),
      checksOfList(required(hasItems(), isArray), subscriberRow),
    ),
  }),
  'BulkCreateSubscribersCommand',
  { subscribers: required(hasAtMost(limits.subscribersPerRequest)) },
);

const savedSubscriber = z.looseObject({ subscriberId: z.string() });

export const bulkSubscribersResponse = z.looseObject({
  updated: z.array(savedSubscriber),
  created: z.array(savedSubscriber),
  failed: z.array(z.looseObject({ message: text, subscriberId: text })),
});

export const subscriberPage = cursorPage(subscriber);

/** Query of GET `/v2/subscribers`. Every filter matches part of the text, in any letter case. */
export const listSubscribersQuery = withSecondStage(
  z.strictObject({
    email: textFilter,
    name: textFilter,
    phone: textFilter,
    subscriberId: textFilter,
    ...cursorsIfGiven,
    ...sorting(),
    limit: cursorLimit,
  }),
  'ListSubscribersCommand',
  pageSize,
);

/** Body of POST `/v2/subscribers`. Blanks around the id are removed. */
export const createSubscriberBody = z.strictObject({
  subscriberId: checked(nonEmptyText, required(isDefined(), isNotBlankId, isString())),
  ...profile,
});

/** Body of PATCH `/v2/subscribers/{subscriberId}`. Null clears a field; `data` is replaced as a whole. */
export const updateSubscriberBody = z.strictObject(profile);

export const subscriberList = numberedPage(subscriber);

export const subscriberListQuery = z.strictObject(
  numberedPaging(limits.page.default, optional(isInteger)),
);

export const includeTopicsQuery = z.strictObject({
  includeTopics: parameter(queryBoolean().optional(), isTrue),
});

export const onlineBody = z.strictObject({
  isOnline: checked(z.boolean(), required(isDefined(), isBoolean)),
});

export const subscriberFieldsBody = z.strictObject({
  channels: checked(channels, optional(isArray)),
  ...profile,
});

export { failIfExistsQuery } from './query.ts';
export { acknowledgement, emptyResponse } from './values.ts';

export type Subscriber = z.output<typeof subscriber>;
export type SubscriberRow = z.input<typeof subscriberRow>;
export type ChannelSettings = z.output<typeof channelSettings>;
export type ChannelCredentials = z.output<typeof channelCredentials>;
