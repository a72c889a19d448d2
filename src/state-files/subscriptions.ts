// The subscriptions of topics as requests and state files have them. Since server 3.12, each has an identifier, contexts, a
// name and choices of workflows.
import type { Service } from '../app/context.ts';
import { ifFound } from '../core/errors.ts';
import { isObject } from '../core/objects.ts';
import type {
  ListedSubscription,
  SubscriptionChoice,
  SubscriptionDetails,
} from '../service/schemas/topics.ts';

export interface TopicSubscription {
  subscriberId: string;
  /** Absent if the service makes it. */
  identifier?: string;
  name?: string;
  contextKeys?: readonly string[];
  preferences?: readonly SubscriptionChoice[];
}

/** The members of a listed subscription that `readSubscription` needs. */
export type SubscriptionReference = Pick<ListedSubscription, 'identifier' | 'contextKeys'> & {
  subscriber: Pick<ListedSubscription['subscriber'], 'subscriberId'>;
};

/** A server that has identifiers shows the name and the choices of a subscription only if it is requested alone. */
export async function readSubscription(
  client: Service['client'],
  topicKey: string,
  item: SubscriptionReference,
): Promise<TopicSubscription> {
  const { subscriberId } = item.subscriber;
  const { identifier, contextKeys = [] } = item;
  if (identifier === undefined) return { subscriberId };
  const path = { topicKey, identifier };
  // Undefined if it was removed in the meantime.
  const details = await ifFound(client.call('getTopicSubscription', { path }));
  const preferences = choicesOf(details?.preferences);
  return {
    subscriberId,
    ...(hasDefaultIdentifier(item, topicKey) ? {} : { identifier }),
    ...(details?.name ? { name: details.name } : {}),
    ...(contextKeys.length > 0 ? { contextKeys } : {}),
    ...(preferences.length > 0 ? { preferences } : {}),
  };
}

/** Whether the service made the identifier, from the topic, the subscriber and the contexts. */
export function hasDefaultIdentifier(
  { identifier, subscriber }: SubscriptionReference,
  topicKey: string,
): boolean {
  const made = `tk_${topicKey}:si_${subscriber.subscriberId}`;
  return identifier === undefined || identifier === made || identifier.startsWith(`${made}:ctx_`);
}

/** The choices of a subscription as requests have them. Names the workflow by its identifier, as in other environments. */
export const choicesOf = (
  preferences: NonNullable<SubscriptionDetails>['preferences'] = [],
): SubscriptionChoice[] =>
  preferences.flatMap(({ workflow, enabled, condition }) =>
    workflow?.identifier
      ? [
          {
            workflowId: workflow.identifier,
            ...(enabled === undefined ? {} : { enabled }),
            ...(isObject(condition) || typeof condition === 'boolean' ? { condition } : {}),
          },
        ]
      : [],
  );
