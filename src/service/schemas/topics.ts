// Topics and their subscriptions (specification: Resources, Topic; Endpoints, Topics).

import { z } from 'zod';
import { limits } from '../limits.ts';
import { cursorPage } from './pages.ts';
import { cursorParameters } from './query.ts';
import { nonEmptyText } from './values.ts';

const tooLong = `longer than ${limits.topicText} characters`;

const optionalText = z.string().optional();
const optionalTextOrNull = z.string().nullable().optional();

export const topic = z.looseObject({
  _id: z.string(),
  key: z.string(),
  name: optionalText,
  createdAt: optionalText,
  updatedAt: optionalText,
});

export const topicPage = cursorPage(topic);

/** A subscription in version 1 of the routes. */
export const topicSubscriber = z.looseObject({
  topicKey: z.string(),
  externalSubscriberId: z.string(),
  _topicId: z.string(),
  _subscriberId: z.string(),
  _environmentId: z.string(),
  _organizationId: z.string(),
});

/** Query of GET `/v2/topics`. */
export const listTopicsQuery = z.strictObject({
  ...cursorParameters,
  key: z.string().optional(),
  name: z.string().optional(),
});

/** Body of PATCH `/v2/topics/{topicKey}`. */
export const renameTopicBody = z.strictObject({ name: nonEmptyText });

/** Body of POST `/v2/topics/{topicKey}/subscriptions`: 1 to 100 subscriber ids. */
export const subscribeBody = z.strictObject({
  subscriberIds: z
    .array(nonEmptyText)
    .min(1, 'no subscriber ids: at least 1 is needed')
    .max(
      limits.subscribersPerTopicRequest,
      `too many subscriber ids: at most ${limits.subscribersPerTopicRequest} in a request`,
    ),
});

export const topicSubscription = z.looseObject({
  _id: z.string(),
  topic: z.looseObject({ _id: z.string(), key: z.string(), name: optionalText }),
  subscriber: z.looseObject({
    _id: z.string(),
    subscriberId: z.string(),
    avatar: optionalTextOrNull,
    firstName: optionalTextOrNull,
    lastName: optionalTextOrNull,
    email: optionalTextOrNull,
  }),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export const subscriptionError = z.looseObject({
  subscriberId: z.string(),
  code: z.string(),
  message: z.string(),
});

/** Response of POST and DELETE `/v2/topics/{topicKey}/subscriptions`. */
export const subscribeResponse = z.looseObject({
  data: z.array(topicSubscription),
  meta: z.looseObject({ totalCount: z.number(), successful: z.number(), failed: z.number() }),
  errors: z.array(subscriptionError).optional(),
});

/** Body of POST `/v2/topics`. */
export const createTopicBody = z.strictObject({
  key: nonEmptyText.max(limits.topicText, tooLong),
  name: z.string().max(limits.topicText, tooLong).nullable().optional(),
});

/** A subscription in a listing. */
export const listedSubscription = topicSubscription.extend({ updatedAt: optionalText });
export const subscriptionPage = cursorPage(listedSubscription);

/** Query of GET `/v2/topics/{topicKey}/subscriptions`. `subscriberId` matches exactly. */
export const listTopicSubscriptionsQuery = z.strictObject({
  ...cursorParameters,
  subscriberId: z.string().optional(),
});

/** Query of GET `/v2/subscribers/{subscriberId}/subscriptions`. `key` matches exactly. */
export const listSubscriberTopicsQuery = z.strictObject({
  ...cursorParameters,
  key: z.string().optional(),
});

export { failIfExistsQuery } from './query.ts';
export { acknowledgement } from './values.ts';

export type Topic = z.output<typeof topic>;
export type SubscribeResponse = z.output<typeof subscribeResponse>;
export type ListedSubscription = z.output<typeof listedSubscription>;
