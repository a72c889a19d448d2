// The subscriptions of the subscriber of a session to topics, since 3.13.
import { hasSameItems } from '../../core/objects.ts';
import { namesContexts } from '../../service/versions.ts';
import { subscriptionDetails } from '../api/subscription-items.ts';
import { changeSubscription, findInTopic, subscribe } from '../api/topic-subscriptions.ts';
import { requireTopic } from '../api/topics.ts';
import { badRequest, notFound } from '../http/http-error.ts';
import {
  findSubscriptions,
  findTopic,
  removeSubscription,
  type StoredSubscription,
} from '../store/topics.ts';
import type { AnyInboxCall, InboxHandlers } from './session-token.ts';

/** Undefined for a client that makes identifiers without contexts: the service ignores those of its session. */
export const knownContexts = ({ request, contextKeys }: AnyInboxCall): string[] | undefined =>
  contextKeys?.length && !namesContexts(request?.headers.get('novu-client-version') ?? null)
    ? undefined
    : contextKeys;

/** Undefined contexts stand for any. */
export const isOwn =
  ({ subscriber }: AnyInboxCall, contextKeys: readonly string[] | undefined) =>
  (subscription: StoredSubscription): boolean =>
    subscription.subscriber === subscriber.id &&
    (!contextKeys || hasSameItems(subscription.contextKeys, contextKeys));

const isVisible = (call: AnyInboxCall) => isOwn(call, knownContexts(call) ?? []);

const toResponse = ({
  _id: id,
  identifier,
  name,
  preferences,
}: ReturnType<typeof changeSubscription>) => ({ id, identifier, name, preferences });

export const subscriptionHandlers = {
  listOwnSubscriptions(call) {
    const { path, scope, subscriber } = call;
    const topic = findTopic(scope, path.topicKey);
    const all = topic ? findSubscriptions(scope, topic.id, 'subscriber', [subscriber.id]) : [];
    return all
      .filter(isVisible(call))
      .map((subscription) => subscriptionDetails(scope, subscription));
  },
  createOwnSubscription(call) {
    const { path, body, scope, subscriber } = call;
    const { identifier, name, topic, preferences } = body;
    const { data, errors } = subscribe(
      scope,
      path.topicKey,
      [{ subscriberId: subscriber.subscriberId, identifier, name }],
      { name: topic?.name, preferences, contextKeys: knownContexts(call) ?? [] },
    );
    const [created] = data;
    const [error] = errors;
    if (created && !error) return toResponse(created);
    // Not thrown, because the service keeps a topic that it has created.
    return badRequest(error?.message ?? 'Failed to create subscription');
  },
  /** An unknown topic or identifier has no subscription, which is not an error. */
  getOwnSubscription(call) {
    const { path, scope, query } = call;
    const subscription = findInTopic(scope, path, isOwn(call, knownContexts(call)));
    return subscription && subscriptionDetails(scope, subscription, query);
  },
  updateOwnSubscription: (call) =>
    toResponse(changeSubscription(call.scope, call.path, call.body, isVisible(call))),
  deleteOwnSubscription(call) {
    const { path, scope } = call;
    requireTopic(scope, path.topicKey);
    const subscription = findInTopic(scope, path, isVisible(call));
    if (!subscription) throw notFound(`Subscription with identifier ${path.identifier} not found`);
    removeSubscription(scope, subscription.id);
    return { success: true };
  },
} satisfies Partial<InboxHandlers>;
