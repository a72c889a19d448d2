// Subscriptions of subscribers to topics.
import { hasSameItems } from '../../core/objects.ts';
import { limits } from '../../service/limits.ts';
import type { GivenSubscription, SubscribeResponse } from '../../service/schemas/topics.ts';
import { HttpError, notFound } from '../http/http-error.ts';
import { ensureContexts } from '../store/contexts.ts';
import { cursorPage } from '../store/listing-pages.ts';
import type { Scope } from '../store/scope.ts';
import { toJson } from '../store/sql.ts';
import {
  findSubscriber,
  findSubscribers,
  type StoredSubscriber,
  subscribersById,
} from '../store/subscribers.ts';
import type { Condition } from '../store/table.ts';
import {
  defaultIdentifier,
  findSubscription,
  findSubscriptions,
  findTopic,
  hasSubscription,
  insertSubscription,
  insertTopic,
  renameStoredTopic,
  type StoredSubscription,
  type StoredTopic,
  subscriptions,
  takenIdentifiers,
  topicsById,
  updateSubscription,
} from '../store/topics.ts';
import type { Call, Handler } from './handler.ts';
import { checkCursorQuery } from './parameters.ts';
import {
  chooseWorkflows,
  serializeSubscription,
  subscribedItem,
  subscriptionDetails,
  toPreference,
} from './subscription-items.ts';
import { checkTopicKey, requireTopic } from './topics.ts';

export const subscribeToTopic: Handler<'subscribeToTopic'> = ({
  path: { topicKey },
  body,
  scope,
}) => {
  const requested = requestedSubscriptions(scope, body);
  const options = scope.dialect.hasNamedSubscriptions ? body : {};
  const { data, errors } = subscribe(scope, topicKey, requested, options);
  return subscriptionResponse(data, requested.length, errors);
};

type SubscribeOptions = Pick<Call<'subscribeToTopic'>['body'], 'name' | 'context'> & {
  preferences?: Choices;
  /** Of contexts that exist, instead of those in `context`. */
  contextKeys?: readonly string[] | undefined;
};

/**
 * Creates the topic first and keeps it, even if no subscriber can be subscribed. An unknown id that is repeated counts
 * each time.
 */
export function subscribe(
  scope: Scope,
  topicKey: string,
  requested: readonly GivenSubscription[],
  { name: topicName, preferences, context, contextKeys: ofSession }: SubscribeOptions,
): { data: SubscribeResponse['data']; errors: SubscriptionError[] } {
  const { dialect } = scope;
  const tooLong = requested.filter(
    ({ identifier = '' }) => identifier.length > limits.subscriptionIdentifier,
  );
  const errors: SubscriptionError[] = tooLong.map(({ subscriberId }) => ({
    subscriberId,
    code: 'INVALID_SUBSCRIPTION_IDENTIFIER',
    message: `Subscription identifier must not exceed ${limits.subscriptionIdentifier} characters.`,
  }));
  const valid = requested.filter((item) => !tooLong.includes(item));
  if (valid.length === 0) return { data: [], errors };
  const contextKeys = [...(ofSession ?? ensureContexts(scope, context))];
  const choices = chooseWorkflows(scope, preferences);
  const topic = ensureTopic(scope, topicKey, topicName);
  const subscribers = findSubscribers(
    scope,
    valid.map(({ subscriberId }) => subscriberId),
  );
  errors.push(
    ...valid
      .filter(({ subscriberId }) => !subscribers.has(String(subscriberId)))
      .map(({ subscriberId }) => subscriberNotFound(subscriberId)),
  );
  // Older versions look the subscribers up by an index, which sorts them.
  const uniqueIds = [...new Set(valid.map(({ subscriberId }) => String(subscriberId)))];
  const ordered = dialect.hasNamedSubscriptions ? uniqueIds : uniqueIds.sort();
  const wanted = ordered.flatMap((id) => {
    const subscriber = subscribers.get(id);
    const { identifier, name } = valid.find(({ subscriberId }) => subscriberId === id) ?? {};
    const own = identifier || defaultIdentifier(topicKey, id, contextKeys);
    return subscriber ? [{ subscriber, identifier: own, name }] : [];
  });
  const existing = findSubscriptions(
    scope,
    topic.id,
    'identifier',
    wanted.map(({ identifier }) => identifier),
  ).filter((subscription) => hasSameItems(subscription.contextKeys, contextKeys));
  const data = existing.map((subscription) =>
    subscribedItem(scope, topic, subscription, {
      subscriber: wanted.find(({ subscriber }) => subscriber.id === subscription.subscriber)
        ?.subscriber,
      workflows: choices?.map(({ workflow }) => workflow),
    }),
  );
  const problems = dialect.hasNamedSubscriptions ? findProblems(scope, topic, wanted) : undefined;
  for (const { subscriber, identifier, name } of wanted) {
    if (existing.some((subscription) => subscription.subscriber === subscriber.id)) continue;
    const error = problems?.(subscriber, identifier);
    if (error) {
      errors.push(error);
      continue;
    }
    const subscription = insertSubscription(scope, {
      topic: topic.id,
      subscriber: subscriber.id,
      identifier,
      name,
      contextKeys,
      ...(choices?.length ? { preferences: choices.map(toPreference) } : {}),
    });
    const item = subscribedItem(scope, topic, subscription, {
      subscriber,
      workflows: choices?.map(({ workflow }) => workflow),
    });
    // The service does not know its times yet.
    const times = dialect.hasNamedSubscriptions ? { createdAt: '', updatedAt: '' } : {};
    data.push({ ...item, ...times });
  }
  return { data, errors };
}

type Choices = Parameters<typeof chooseWorkflows>[1];

export type SubscriptionError = NonNullable<SubscribeResponse['errors']>[number];

/** The members of a request that later versions read. */
function requestedSubscriptions(
  { dialect }: Scope,
  { subscriberIds = [], subscriptions }: Call<'subscribeToTopic'>['body'],
): readonly GivenSubscription[] {
  if (dialect.hasNamedSubscriptions && subscriptions) return subscriptions;
  return subscriberIds.map((subscriberId) => ({ subscriberId }));
}

function ensureTopic(scope: Scope, key: string, name: string | undefined): StoredTopic {
  const topic = findTopic(scope, key);
  if (topic && name) renameStoredTopic(scope, topic.id, name);
  if (topic) return name ? { ...topic, name } : topic;
  checkTopicKey(key);
  return insertTopic(scope, { key, ...(name ? { name } : {}) });
}

/** Returns what is wrong with a new subscription. */
function findProblems(
  scope: Scope,
  topic: StoredTopic,
  wanted: readonly { subscriber: StoredSubscriber; identifier: string }[],
): (subscriber: StoredSubscriber, identifier: string) => SubscriptionError | undefined {
  const ids = wanted.map(({ subscriber }) => subscriber.id);
  const own = findSubscriptions(scope, topic.id, 'subscriber', ids);
  const taken = new Set(
    takenIdentifiers(
      scope,
      wanted.map(({ identifier }) => identifier),
    ),
  );
  const most = limits.subscriptionsPerTopic;
  return ({ id, subscriberId }, identifier) => {
    if (own.filter(({ subscriber }) => subscriber === id).length >= most)
      return {
        subscriberId,
        code: 'SUBSCRIPTION_LIMIT_EXCEEDED',
        message: `Subscriber ${subscriberId} has reached the maximum allowed of ${most} subscriptions for topic "${topic.key}"`,
      };
    const isTaken = taken.has(identifier);
    taken.add(identifier);
    if (!isTaken) return undefined;
    return {
      subscriberId,
      code: 'SUBSCRIPTION_CREATE_FAILED',
      // As the database of the service reports it.
      message: `E11000 duplicate key error collection: novu.topicsubscribers index: _environmentId_1_identifier_1 dup key: { _environmentId: ${scope.environmentId}, identifier: "${identifier}" }`,
    };
  };
}

/** The response is an error if nothing succeeded. */
export function subscriptionResponse(
  data: SubscribeResponse['data'],
  totalCount: number,
  errors: SubscriptionError[],
): SubscribeResponse | HttpError {
  const response: SubscribeResponse = {
    data,
    meta: { totalCount, successful: data.length, failed: errors.length },
    ...(errors.length === 0 ? {} : { errors }),
  };
  if (data.length > 0 || errors.length === 0) return response;
  return new HttpError(400, 'Api Exception Raised with status 400', { context: { ...response } });
}

export const subscriberNotFound = (subscriberId: string): SubscriptionError => ({
  subscriberId,
  code: 'SUBSCRIBER_NOT_FOUND',
  message: `Subscriber with ID '${subscriberId}' could not be found.`,
});

interface InTopic {
  path: { topicKey: string; identifier: string };
  scope: Scope;
  /** Leaves out the subscriptions that an inbox client does not see. */
  isVisible?: (subscription: StoredSubscription) => boolean;
}

export function findInTopic({ path, scope, isVisible = () => true }: InTopic) {
  const topic = findTopic(scope, path.topicKey);
  return (
    topic && findSubscriptions(scope, topic.id, 'identifier', [path.identifier]).find(isVisible)
  );
}

/** An unknown topic or identifier has no subscription, which is not an error. */
export function getTopicSubscription(
  call: InTopic & { filter?: Parameters<typeof subscriptionDetails>[2] },
) {
  const subscription = findInTopic(call);
  return subscription && subscriptionDetails(call.scope, subscription, call.filter);
}

export function updateTopicSubscription(
  call: InTopic & { body: { name?: string | undefined; preferences?: Choices } },
) {
  const { scope, path, body } = call;
  const topic = requireTopic(scope, path.topicKey);
  const current = findInTopic(call);
  if (!current)
    throw notFound(
      `Subscription with identifier ${path.identifier} not found for topic ${path.topicKey}`,
    );
  const choices = chooseWorkflows(scope, body.preferences);
  const changed = updateSubscription(scope, {
    ...current,
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(choices ? { preferences: choices.map(toPreference) } : {}),
  });
  return subscribedItem(scope, topic, changed, {
    subscriber: subscribersById(scope, [changed.subscriber]).get(changed.subscriber),
    workflows: choices?.map(({ workflow }) => workflow),
  });
}

export const listTopicSubscriptions: Handler<'listTopicSubscriptions'> = ({
  path: { topicKey },
  query,
  scope,
}) => {
  const topic = requireTopic(scope, topicKey);
  const { subscriberId } = query;
  const subscriber = subscriberId ? (findSubscriber(scope, subscriberId)?.id ?? '') : undefined;
  return subscriptionsPage(scope, query, [
    ['topic = ?', topic.id],
    ['subscriber = ?', subscriber],
    contextCondition(scope, query),
  ]);
};

export const getTopicSubscriber: Handler<'getTopicSubscriber'> = ({
  path: { topicKey, subscriberId },
  scope,
}) => {
  const topic = findTopic(scope, topicKey);
  const subscriber = findSubscriber(scope, subscriberId);
  const isSubscribed = topic && subscriber && findSubscription(scope, topic.id, subscriber.id);
  const { environmentId, organizationId } = scope;
  if (!isSubscribed) {
    throw notFound(
      `Subscriber ${subscriberId} not found for topic ${topicKey} in the environment ${environmentId}`,
    );
  }
  return {
    topicKey,
    externalSubscriberId: subscriberId,
    _topicId: topic.id,
    _subscriberId: subscriber.id,
    _environmentId: environmentId,
    _organizationId: organizationId,
  };
};

/** An empty filter means without contexts. */
export const contextCondition = (
  { dialect }: Scope,
  { contextKeys }: { contextKeys?: readonly string[] | undefined },
): Condition => [
  `(SELECT json_group_array(value) FROM (SELECT value FROM json_each(body, '$.contextKeys') ORDER BY value)) = ?`,
  dialect.hasNamedSubscriptions && contextKeys ? toJson(contextKeys.toSorted()) : undefined,
];

type PageQuery = Parameters<typeof cursorPage>[2] & Parameters<typeof checkCursorQuery>[0];

/** Returns one page of the subscriptions that match all conditions. */
export function subscriptionsPage(scope: Scope, query: PageQuery, where: readonly Condition[]) {
  const { after, before } = query;
  // With both cursors, older versions look the second one up first.
  if (!scope.dialect.hasNamedSubscriptions && after && before && !hasSubscription(scope, before))
    return { data: [], next: null, previous: null, totalCount: 0, totalCountCapped: false };
  const order = checkCursorQuery(query, { createdAt: 'created_at', updatedAt: 'updated_at' });
  const { rows, ...page } = cursorPage(scope, { table: subscriptions, order, where }, query);
  const topics = topicsById(scope, [...new Set(rows.map(({ topic }) => topic))]);
  const subscribers = subscribersById(scope, [...new Set(rows.map((row) => row.subscriber))]);
  const data = rows.flatMap((row) => {
    const topic = topics.get(row.topic);
    const subscriber = subscribers.get(row.subscriber);
    return topic && subscriber ? [serializeSubscription(scope, row, topic, subscriber)] : [];
  });
  return { data, ...page };
}
