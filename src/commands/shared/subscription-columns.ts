// The columns by which the subscriptions of a subscriber in a topic differ, since server 3.12.
import type { Column } from '../../output/result.ts';
import type { ListedSubscription } from '../../service/schemas/topics.ts';

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
