// Who an event goes to: reads `to`, fans topics out, and keeps every subscriber once.
import { type Recipient, recipients } from '../../api/schemas/events.ts';
import type { SubscriberRow } from '../../api/schemas/subscribers.ts';
import { saveCredentials } from '../store/credentials.ts';
import { activeIntegration } from '../store/integrations.ts';
import type { Scope } from '../store/scope.ts';
import { ensureSubscriber, upsertSubscriber } from '../store/subscribers.ts';
import { findTopic, topicSubscribers } from '../store/topics.ts';

export interface Addressee {
  subscriberId: string;
  /** What the event says about the subscriber. */
  definition?: SubscriberRow;
  /** Topics that the subscriber is reached through. */
  topics: { _topicId: string; topicKey: string }[];
}

/** A single recipient that names nobody is `invalid`; everything else that is wrong is an error. */
export function readRecipients(
  to: unknown,
): { all: Recipient[] } | { invalid: true } | { errors: string[] } {
  if (namesNobody(to)) return { invalid: true };
  const result = recipients.safeParse(to);
  if (result.success) return { all: [result.data].flat() };
  return {
    errors: result.error.issues.map(
      ({ path, message }) => `${['to', ...path].join('.')} ${message}`,
    ),
  };
}

function namesNobody(to: unknown): boolean {
  if (to === undefined || to === null) return true;
  if (typeof to === 'string') return to.trim() === '';
  if (typeof to !== 'object' || Array.isArray(to)) return false;
  const id: unknown =
    Reflect.get(to, 'type') === 'Topic'
      ? Reflect.get(to, 'topicKey')
      : Reflect.get(to, 'subscriberId');
  return id === undefined || id === null || (typeof id === 'string' && id.trim() === '');
}

/** Topics that do not exist are passed over. The actor is left out of topics only. */
export function addressees(
  scope: Scope,
  all: readonly Recipient[],
  actor: string | undefined,
): Addressee[] {
  const found = new Map<string, Addressee>();
  const reach = (subscriberId: string): Addressee => {
    const known = found.get(subscriberId);
    if (known) return known;
    const added: Addressee = { subscriberId, topics: [] };
    found.set(subscriberId, added);
    return added;
  };
  for (const recipient of all) {
    if (typeof recipient === 'string') {
      reach(recipient);
    } else if (!('topicKey' in recipient)) {
      const addressee = reach(recipient.subscriberId);
      addressee.definition = { ...addressee.definition, ...recipient };
    } else {
      const topic = findTopic(scope, recipient.topicKey);
      const leftOut = [...(recipient.exclude ?? []), ...(actor === undefined ? [] : [actor])];
      for (const subscriberId of topic ? topicSubscribers(scope, topic.id, leftOut) : []) {
        reach(subscriberId).topics.push({
          _topicId: topic?.id ?? '',
          topicKey: recipient.topicKey,
        });
      }
    }
  }
  return [...found.values()];
}

/** Creates or updates the subscriber; gives the internal id. */
export function saveAddressee(scope: Scope, { subscriberId, definition }: Addressee): string {
  if (!definition) return ensureSubscriber(scope, subscriberId);
  const { subscriberId: _, channels = [], ...profile } = definition;
  const { id } = upsertSubscriber(scope, subscriberId, profile);
  for (const { providerId, integrationIdentifier, credentials } of channels) {
    const integration = activeIntegration(scope, providerId, integrationIdentifier);
    if (integration) saveCredentials(scope, id, integration, credentials);
  }
  return id;
}

/** The subscriber id of an event's actor, who is created or updated too. */
export function actorId(
  scope: Scope,
  actor: string | SubscriberRow | undefined,
): string | undefined {
  if (actor === undefined) return undefined;
  const addressee: Addressee =
    typeof actor === 'string'
      ? { subscriberId: actor, topics: [] }
      : { subscriberId: actor.subscriberId, definition: actor, topics: [] };
  saveAddressee(scope, addressee);
  return addressee.subscriberId;
}
