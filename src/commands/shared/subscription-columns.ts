// Identifiers, contexts and choices of the subscriptions of a subscriber in a topic, since server 3.12.
import { isObject } from '../../core/objects.ts';
import type { Column } from '../../output/result.ts';
import type {
  ListedSubscription,
  SubscriptionChoice,
  SubscriptionDetails,
} from '../../service/schemas/topics.ts';

/** Whether the service made the identifier, from the topic, the subscriber and the contexts. */
export function hasDefaultIdentifier(
  { identifier, subscriber }: Pick<ListedSubscription, 'identifier' | 'subscriber'>,
  topicKey: string,
): boolean {
  const made = `tk_${topicKey}:si_${subscriber.subscriberId}`;
  return identifier === undefined || identifier === made || identifier.startsWith(`${made}:ctx_`);
}

export const identifierColumns: readonly Column<ListedSubscription>[] = [
  {
    field: 'identifier',
    header: 'IDENTIFIER',
    optional: true,
    tableText: (item) =>
      hasDefaultIdentifier(item, item.topic.key) ? '' : (item.identifier ?? ''),
  },
  { field: 'contextKeys', header: 'CONTEXTS', optional: true, drop: 2 },
];

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
            ...(isObject(condition) ? { condition } : {}),
          },
        ]
      : [],
  );
