// The subscriptions of the subscriber of a session to topics, since 3.13.
import { hasSameItems } from '../../core/objects.ts';
import { namesContexts } from '../../service/versions.ts';
import { subscriptionDetails } from '../api/subscription-items.ts';
import {
  findInTopic,
  getTopicSubscription,
  subscribe,
  updateTopicSubscription,
} from '../api/topic-subscriptions.ts';
import { requireTopic } from '../api/topics.ts';
import { badRequest, notFound } from '../http/http-error.ts';
import {
  findSubscriptions,
  findTopic,
  removeSubscription,
  type StoredSubscription,
} from '../store/topics.ts';
import type { AnyInboxCall, InboxHandlers } from './session-token.ts';

/** The service ignores the contexts of a session whose client makes identifiers without them. */
export const knownContexts = ({ request, contextKeys = [] }: AnyInboxCall): string[] =>
  namesContexts(request?.headers.get('novu-client-version') ?? '') ? contextKeys : [];

export const isOwn =
  ({ subscriber }: AnyInboxCall, contextKeys: readonly string[]) =>
  (subscription: StoredSubscription): boolean =>
    subscription.subscriber === subscriber.id &&
    hasSameItems(subscription.contextKeys, contextKeys);

const visible = <Call extends AnyInboxCall>(call: Call) => ({
  ...call,
  isVisible: isOwn(call, knownContexts(call)),
});

const toResponse = ({
  _id: id,
  identifier,
  name,
  preferences,
}: ReturnType<typeof updateTopicSubscription>) => ({ id, identifier, name, preferences });

export const subscriptionHandlers = {
  listOwnSubscriptions(call) {
    const { path, scope, subscriber } = call;
    const topic = findTopic(scope, path.topicKey);
    const all = topic ? findSubscriptions(scope, topic.id, 'subscriber', [subscriber.id]) : [];
    return all
      .filter(visible(call).isVisible)
      .map((subscription) => subscriptionDetails(scope, subscription));
  },
  createOwnSubscription(call) {
    const { path, body, scope, subscriber } = call;
    const { identifier, name, topic, preferences } = body;
    const { data, errors } = subscribe(
      scope,
      path.topicKey,
      [{ subscriberId: subscriber.subscriberId, identifier, name }],
      { name: topic?.name, preferences, contextKeys: knownContexts(call) },
    );
    const [created] = data;
    const [error] = errors;
    if (created && !error) return toResponse(created);
    // Not thrown, because the service keeps a topic that it has created.
    return badRequest(error?.message ?? 'Failed to create subscription');
  },
  getOwnSubscription: (call) => getTopicSubscription({ ...visible(call), filter: call.query }),
  updateOwnSubscription: (call) => toResponse(updateTopicSubscription(visible(call))),
  deleteOwnSubscription(call) {
    const { path, scope } = call;
    requireTopic(scope, path.topicKey);
    const subscription = findInTopic(visible(call));
    if (!subscription) throw notFound(`Subscription with identifier ${path.identifier} not found`);
    removeSubscription(scope, subscription.id);
    return { success: true };
  },
} satisfies Partial<InboxHandlers>;
