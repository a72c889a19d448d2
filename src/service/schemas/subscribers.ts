// Subscribers and their provider credentials
// (specification: Resources, Subscriber; Endpoints, Subscribers).

import { z } from 'zod';
import { limits } from '../limits.ts';
import { openEnum } from './open-enum.ts';
import { cursorPage, numberedPage } from './pages.ts';
import { channelProviders } from './providers.ts';
import { cursorParameters, queryBoolean, queryNumber } from './query.ts';
import { emailAddress, jsonObject, localeTag, nonEmptyText, timeZone } from './values.ts';

const text = z.string().optional();
const textOrNull = z.string().nullable().optional();

const channelCredentialFields = {
  webhookUrl: text,
  channel: text,
  deviceTokens: z.array(z.string()).optional(),
  alertUid: text,
  title: text,
  imageUrl: text,
  state: text,
  externalUrl: text,
};

/** Credentials of a subscriber for a provider, in a response. */
export const channelCredentials = z.looseObject(channelCredentialFields);

/** Credentials of a subscriber for a provider, in a request. */
export const channelCredentialsBody = z.strictObject(channelCredentialFields);

export const channelSettings = z.looseObject({
  providerId: openEnum(channelProviders),
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

/**
 * Body of PATCH `/v1/subscribers/{subscriberId}/credentials`, and an entry of `channels` in a bulk request.
 * Accepts unknown providers: `svc subscribers credentials set` rejects them unless it is given --force-provider.
 */
export const setCredentialsBody = z.strictObject({
  providerId: openEnum(channelProviders),
  integrationIdentifier: nonEmptyText.optional(),
  credentials: channelCredentialsBody,
});

/** One subscriber of a bulk request. Given fields overwrite the stored ones, even with null; absent fields are kept. */
export const subscriberRow = z.strictObject({
  subscriberId: nonEmptyText,
  firstName: textOrNull,
  lastName: textOrNull,
  email: emailAddress.nullable().optional(),
  phone: textOrNull,
  avatar: textOrNull,
  locale: localeTag.nullable().optional(),
  timezone: timeZone.nullable().optional(),
  data: jsonObject.nullable().optional(),
  channels: z.array(setCredentialsBody).nullable().optional(),
});

/** Body of POST `/v1/subscribers/bulk`: 1 to 500 subscribers. */
export const bulkSubscribersBody = z.strictObject({
  subscribers: z
    .array(subscriberRow)
    .min(1, 'no subscribers: at least 1 is needed')
    .max(
      limits.subscribersPerRequest,
      `too many subscribers: at most ${limits.subscribersPerRequest} in a request`,
    ),
});

const savedSubscriber = z.looseObject({ subscriberId: z.string() });

/** Response of POST `/v1/subscribers/bulk`. */
export const bulkSubscribersResponse = z.looseObject({
  updated: z.array(savedSubscriber),
  created: z.array(savedSubscriber),
  failed: z.array(z.looseObject({ message: text, subscriberId: text })),
});

export const subscriberPage = cursorPage(subscriber);

/** Query of GET `/v2/subscribers`. Every filter matches part of the text, in any letter case. */
export const listSubscribersQuery = z.strictObject({
  ...cursorParameters,
  subscriberId: text,
  email: text,
  phone: text,
  name: text,
});

/** Body of POST `/v2/subscribers`. */
export const createSubscriberBody = subscriberRow.omit({ channels: true });

/** Body of PATCH `/v2/subscribers/{subscriberId}`. Null clears a field; `data` is replaced as a whole. */
export const updateSubscriberBody = createSubscriberBody.omit({ subscriberId: true });

export const subscriberList = numberedPage(subscriber);

/** Query of GET `/v1/subscribers`. */
export const subscriberListQuery = z.strictObject({
  page: queryNumber({ min: 0 }).optional(),
  limit: queryNumber({ min: 1, max: 100 }).optional(),
});

/** Query of GET `/v1/subscribers/{subscriberId}`. */
export const includeTopicsQuery = z.strictObject({ includeTopics: queryBoolean().optional() });

/** Body of PATCH `/v1/subscribers/{subscriberId}/online-status`. */
export const onlineBody = z.strictObject({ isOnline: z.boolean() });

/** Body of PUT `/v1/subscribers/{subscriberId}`. */
export const subscriberFieldsBody = subscriberRow.omit({ subscriberId: true });

export { failIfExistsQuery } from './query.ts';
export { acknowledgement, emptyResponse } from './values.ts';

export type Subscriber = z.output<typeof subscriber>;
export type SubscriberRow = z.input<typeof subscriberRow>;
export type ChannelSettings = z.output<typeof channelSettings>;
export type ChannelCredentials = z.output<typeof channelCredentials>;
