// Resolves the recipients of an event: reads `to`, expands topics and removes duplicates.
import { hasSameItems } from '../../core/objects.ts';
import { type Recipient, recipients } from '../../service/schemas/events.ts';
import type { SubscriberRow } from '../../service/schemas/subscribers.ts';
import { saveCredentials } from '../store/credentials.ts';
import { activeIntegration } from '../store/integrations.ts';
import type { NotificationTopic } from '../store/notifications.ts';
import type { Scope } from '../store/scope.ts';
import { ensureSubscriber, upsertSubscriber } from '../store/subscribers.ts';
import { findTopic, type StoredSubscription, subscriptionsOf } from '../store/topics.ts';

export interface ResolvedRecipient {
  subscriberId: string;
  /** Subscriber fields in the event. */
  definition?: SubscriberRow;
  /** Topics through which the event reaches the subscriber. */
  topics: NotificationTopic[];
}

/** Returns `invalid` for a single recipient without an id, and errors for other invalid values. */
export function readRecipients(
  to: unknown,
): { all: Recipient[] } | { invalid: true } | { errors: string[] } {
  if (isMissing(to)) return { invalid: true };
  const result = recipients.safeParse(to);
  if (result.success) return { all: [result.data].flat() };
  return {
    errors: result.error.issues.map(
      ({ path, message }) => `${['to', ...path].join('.')} ${message}`,
    ),
  };
}

/** Returns the recipients that can be read, and leaves out the others. */
export const readableRecipients = (to: unknown): Recipient[] =>
  [to].flat().flatMap((entry) => {
    const result = isMissing(entry) ? undefined : recipients.safeParse(entry);
    return result?.success ? [result.data].flat() : [];
  });

function isMissing(to: unknown): boolean {
  if (to === undefined || to === null) return true;
  if (typeof to === 'string') return to.trim() === '';
  if (typeof to !== 'object' || Array.isArray(to)) return false;
  const id: unknown =
    Reflect.get(to, 'type') === 'Topic'
      ? Reflect.get(to, 'topicKey')
      : Reflect.get(to, 'subscriberId');
  return id === undefined || id === null || (typeof id === 'string' && id.trim() === '');
}

/**
 * Ignores unknown topics. Excludes the actor from topics, but not from direct recipients. All topics of the event
 * exclude the subscribers that one of them excludes.
 */
export function resolveRecipients(
  scope: Scope,
  all: readonly Recipient[],
  { actor, contextKeys }: { actor: string | undefined; contextKeys: readonly string[] },
): ResolvedRecipient[] {
  const resolved = new Map<string, ResolvedRecipient>();
  const direct = new Set<string>();
  const excluded = all.flatMap((recipient) =>
    typeof recipient === 'object' && 'topicKey' in recipient ? (recipient.exclude ?? []) : [],
  );
  if (actor !== undefined) excluded.push(actor);
  const addRecipient = (subscriberId: string): ResolvedRecipient => {
    const existing = resolved.get(subscriberId);
    if (existing) return existing;
    const added: ResolvedRecipient = { subscriberId, topics: [] };
    resolved.set(subscriberId, added);
    return added;
  };
  for (const recipient of all) {
    if (typeof recipient === 'string') {
      direct.add(addRecipient(recipient).subscriberId);
    } else if (!('topicKey' in recipient)) {
      const added = addRecipient(recipient.subscriberId);
      direct.add(added.subscriberId);
      added.definition = { ...added.definition, ...recipient };
    } else {
      const topic = findTopic(scope, recipient.topicKey);
      if (!topic) continue;
      const reached = { _topicId: topic.id, topicKey: recipient.topicKey };
      for (const subscription of subscriptionsOf(scope, topic.id)) {
        const { subscriberId, identifier: subscriptionIdentifier } = subscription;
        if (excluded.includes(subscriberId) || !isReached(scope, subscription, contextKeys))
          continue;
        const { topics } = addRecipient(subscriberId);
        const { hasNamedSubscriptions } = scope.dialect;
        const isKnown = topics.some(
          ({ _topicId, _topicSubscriptionId }) =>
            _topicId === topic.id &&
            (!hasNamedSubscriptions || _topicSubscriptionId === subscription.id),
        );
        const named = { _topicSubscriptionId: subscription.id, subscriptionIdentifier };
        if (!isKnown) topics.push({ ...reached, ...(hasNamedSubscriptions ? named : {}) });
      }
    }
  }
  // Topics are not noted for a subscriber whom the event also names.
  return [...resolved.values()].map((recipient) =>
    direct.has(recipient.subscriberId) ? { ...recipient, topics: [] } : recipient,
  );
}

/** Later versions take the subscriptions whose contexts are those of the event. */
const isReached = (
  { dialect }: Scope,
  subscription: StoredSubscription,
  contextKeys: readonly string[],
): boolean => !dialect.hasNamedSubscriptions || hasSameItems(subscription.contextKeys, contextKeys);

/** Creates or updates the subscriber and returns its internal id. */
export function saveRecipient(
  scope: Scope,
  { subscriberId, definition }: ResolvedRecipient,
): string {
  if (!definition) return ensureSubscriber(scope, subscriberId);
  const { subscriberId: _, channels, ...profile } = definition;
  const { id } = upsertSubscriber(scope, subscriberId, profile);
  for (const { providerId, integrationIdentifier, credentials } of channels ?? []) {
    const integration = activeIntegration(scope, providerId, integrationIdentifier);
    if (integration) saveCredentials(scope, id, integration, credentials);
  }
  return id;
}

/** Creates or updates the subscriber that is the event's actor and returns its subscriber id. */
export function saveActor(
  scope: Scope,
  actor: string | SubscriberRow | undefined,
): string | undefined {
  if (actor === undefined) return undefined;
  const recipient: ResolvedRecipient =
    typeof actor === 'string'
      ? { subscriberId: actor, topics: [] }
      : { subscriberId: actor.subscriberId, definition: actor, topics: [] };
  saveRecipient(scope, recipient);
  return recipient.subscriberId;
}
