// Topics and their subscriptions (specification: Resources, Topic; Endpoints, Topics).

import { z } from 'zod';
import { limits } from '../limits.ts';
import {
  checked,
  isTrue,
  parameter,
  toDescending,
  toListOfGiven,
  withSecondStage,
} from '../rules/checked.ts';
import { eventContexts } from '../rules/event-contexts.ts';
import {
  type Fields,
  hasAtMost,
  hasItems,
  hasLength,
  inVersions,
  isArray,
  isDefined,
  isNotEmpty,
  isString,
  optional,
  type Rule,
  required,
  rule,
} from '../rules/rules.ts';
import type { Lifetime } from '../versions.ts';
import {
  checkedLimit,
  countedPage,
  cursorPage,
  cursors,
  cursorsIfGiven,
  pageAndSize,
  pageSize,
  queryBoolean,
  sorting,
  textFilter,
} from './query.ts';
import { filledList, nonEmptyText, requiredName, requiredText } from './values.ts';
import { orderDirections } from './vocabulary.ts';

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

export const listTopicsQuery = withSecondStage(
  z.strictObject({
    key: textFilter,
    name: textFilter,
    ...cursors,
    limit: checkedLimit,
    ...sorting('_id', 'key', 'name', 'createdAt', 'updatedAt'),
    orderDirection: parameter(z.enum(orderDirections).optional(), toDescending),
  }),
  'ListTopicsCommand',
  pageSize,
);

export const renameTopicBody = z.strictObject({
  name: checked(nonEmptyText, required(isNotEmpty, isString())),
});

/** Members of requests since this version; older ones accept any value and ignore it. */
export const named: Lifetime = { since: '3.12' };

const subscriberIds = (verb: string) => {
  const most = limits.subscribersPerTopicRequest;
  return {
    subscriberIds: checked(filledList(nonEmptyText, 'subscriber ids', most).optional(), {
      rules: [
        isDefined(),
        inVersions(named, areTexts),
        hasItems('At least one subscriber identifier is required'),
        hasAtMost(most, `Cannot ${verb} more than ${most} subscribers at once`),
        isArray,
      ],
      isRequired: { until: '3.12' },
    }),
  };
};

const areTexts = rule(
  (list) => !Array.isArray(list) || list.every((item) => typeof item === 'string'),
  (name) => `each value in ${name} must be a string`,
);

/** A list of 1 to 100 items. */
const subscriptionRules = (verb: string) => [
  hasItems('At least one subscription is required'),
  hasAtMost(
    limits.subscribersPerTopicRequest,
    `Cannot ${verb} more than ${limits.subscribersPerTopicRequest} subscriptions at once`,
  ),
  isArray,
];

/** A subscription in a request, since 3.12. A subscriber can have several in a topic, with different identifiers. */
export interface GivenSubscription {
  /** At most 512 characters; made from the topic, the subscriber and the contexts if absent. */
  identifier?: string | undefined;
  subscriberId: string;
  name?: string | undefined;
}

/** Whether the subscriber of a subscription gets the events of a workflow, or of the workflows of a filter. */
/** JSON logic over payload, subscriber, actor and context. `false` excludes the workflow. */
export const choiceCondition = z.union([z.record(z.string(), z.unknown()), z.boolean()]);
export type ChoiceCondition = z.infer<typeof choiceCondition>;

export const subscriptionChoice = z.strictObject({
  workflowId: nonEmptyText,
  filter: z
    .looseObject({
      workflowIds: z.array(z.string()).optional(),
      tags: z.array(z.string()).optional(),
    })
    .optional(),
  enabled: z.boolean().optional(),
  condition: choiceCondition.nullable().optional(),
});

/** The columns of a file of subscriptions that contain JSON. */
export const subscriptionCells = {
  contextKeys: z.array(z.string().regex(/^[^:]+:./)),
  preferences: z.array(subscriptionChoice),
};

const later = <T>(...rules: Rule[]) =>
  checked(z.custom<T>().optional(), { rules, versions: named });
/** A list of objects. */
const laterList = <T>(...rules: Rule[]) =>
  checked(z.custom<readonly T[]>().optional(), {
    rules,
    fields: {},
    isList: true,
    versions: named,
  });

export const subscribeBody = withSecondStage(
  z.strictObject({
    ...subscriberIds('subscribe'),
    subscriptions: laterList<GivenSubscription>(...subscriptionRules('subscribe')),
    name: later<string>(isString()),
    preferences: laterList<SubscriptionChoice>(isArray),
    context: later<Record<string, unknown>>(eventContexts),
  }),
  (body) => {
    const { subscriptions, subscriberIds: ids = [] } = body as Record<string, unknown[]>;
    const list = subscriptions ?? ids.map((subscriberId) => ({ subscriberId }));
    return [['CreateSubscriptionsCommand', subscriptionFields, { subscriptions: list }]];
  },
);
const subscriptionFields: Fields = {
  subscriptions: {
    ...required(...subscriptionRules('subscribe')),
    fields: {
      identifier: optional(isString()),
      subscriberId: required(isDefined(), isString()),
      name: optional(isString()),
    },
    isList: true,
    versions: named,
  },
};

export const unsubscribeBody = z.strictObject({
  ...subscriberIds('unsubscribe'),
  subscriptions: later<readonly (string | Partial<GivenSubscription>)[]>(
    ...subscriptionRules('unsubscribe'),
  ),
});

/** Body of PATCH `/v2/topics/{topicKey}/subscriptions/{identifier}`. The preferences replace all. */
export const updateSubscriptionBody = z.strictObject({
  name: later<string>(isString()),
  preferences: laterList<SubscriptionChoice>(isArray),
});

const subscribedPerson = z.looseObject({
  _id: z.string(),
  subscriberId: z.string(),
  avatar: optionalTextOrNull,
  firstName: optionalTextOrNull,
  lastName: optionalTextOrNull,
  email: optionalTextOrNull,
});

const topicSubscription = z.looseObject({
  _id: z.string(),
  topic: z.looseObject({ _id: z.string(), key: z.string(), name: optionalText }),
  subscriber: subscribedPerson,
  /** Since 3.12. */
  identifier: optionalText,
  name: optionalTextOrNull,
  contextKeys: z.array(z.string()).optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

const storedChoice = z.looseObject({
  workflow: z.looseObject({ identifier: optionalText }).nullable().optional(),
  enabled: z.boolean().optional(),
  condition: z.unknown().optional(),
});

export const subscriptionDetails = z
  .looseObject({
    identifier: z.string(),
    name: optionalTextOrNull,
    preferences: z.array(storedChoice).optional(),
    contextKeys: z.array(z.string()).optional(),
  })
  .optional();

const subscriptionError = z.looseObject({
  subscriberId: z.string(),
  code: z.string(),
  message: z.string(),
});

export const subscribedItem = topicSubscription.extend({
  /** Null if the identifier belongs to the subscription of another subscriber. */
  subscriber: subscribedPerson.nullable(),
  preferences: z.array(storedChoice).optional(),
});

export const subscribeResponse = z.looseObject({
  data: z.array(subscribedItem),
  meta: z.looseObject({ totalCount: z.number(), successful: z.number(), failed: z.number() }),
  errors: z.array(subscriptionError).optional(),
});

export const createTopicBody = z.strictObject({
  key: checked(
    nonEmptyText.max(limits.topicText, tooLong),
    required(hasLength(1, limits.topicText), isNotEmpty, isString()),
  ),
  name: checked(
    z.string().max(limits.topicText, tooLong).nullable().optional(),
    optional(hasLength(0, limits.topicText), isString()),
  ),
});

/** A subscription in a listing. */
const listedSubscription = topicSubscription.extend({ updatedAt: optionalText });
export const subscriptionPage = cursorPage(listedSubscription);

const subscriptionPaging = {
  orderDirection: parameter(z.enum(orderDirections).optional(), toDescending),
  includeCursor: parameter(queryBoolean().optional(), isTrue),
  limit: checkedLimit,
};

/** Since 3.13. An empty value means without contexts. */
const contextKeys = parameter(z.array(z.string()).optional(), (value) => toListOfGiven(value, ''));

/** Query of GET `/v2/topics/{topicKey}/subscriptions`. `subscriberId` matches exactly. */
export const listTopicSubscriptionsQuery = z.strictObject({
  contextKeys,
  ...cursorsIfGiven,
  orderBy: textFilter,
  subscriberId: textFilter,
  ...subscriptionPaging,
});

/** Query of GET `/v2/subscribers/{subscriberId}/subscriptions`. `key` matches exactly. */
export const listSubscriberTopicsQuery = z.strictObject({
  contextKeys,
  ...cursorsIfGiven,
  orderBy: textFilter,
  key: textFilter,
  ...subscriptionPaging,
});

export { failIfExistsQuery } from './query.ts';
export { acknowledgement, emptyResponse } from './values.ts';

export type Topic = z.output<typeof topic>;
export type SubscribeResponse = z.output<typeof subscribeResponse>;
export type SubscriptionChoice = z.output<typeof subscriptionChoice>;
export type SubscriptionDetails = z.output<typeof subscriptionDetails>;
export type ListedSubscription = z.output<typeof listedSubscription>;

/** A topic in version 1 of the routes, with the ids of its subscribers. */
export const topicV1 = z.looseObject({
  _id: z.string(),
  key: z.string(),
  name: optionalText,
  subscribers: z.array(z.string()),
});

/** Query of GET `/v1/topics`. The key and the name match exactly. */
export const listTopicsV1Query = z.strictObject({
  ...pageAndSize,
  key: textFilter,
  name: textFilter,
});

export const topicListV1 = countedPage(topicV1);

export const createTopicV1Body = z.strictObject({ key: requiredName, name: requiredText });

export const createdTopicV1 = z.looseObject({ _id: z.string(), key: z.string() });

export const renameTopicV1Body = createTopicV1Body.pick({ name: true });

export const topicSubscribersBody = z.strictObject({
  subscribers: checked(z.array(z.string()), required(isDefined(), isArray)),
});

export const addedTopicSubscribers = z.looseObject({
  succeeded: z.array(z.string()),
  failed: z.looseObject({ notFound: z.array(z.string()) }).optional(),
});
