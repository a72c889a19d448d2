// Identifiers and contexts of subscriptions, by which several of a subscriber in a topic differ, since server 3.12.
import type { Column } from '../../output/result.ts';
import type { ListedSubscription } from '../../service/schemas/topics.ts';
import { hasDefaultIdentifier } from '../../state-files/subscriptions.ts';

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
