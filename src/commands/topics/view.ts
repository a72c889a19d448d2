import type { Column } from '../../output/result.ts';
import type { ListedSubscription, Topic } from '../../service/schemas/topics.ts';
import { identifierColumns } from '../shared/subscription-columns.ts';

export const topicColumns: readonly Column<Topic>[] = [
  { field: 'key', header: 'KEY', tone: () => 'strong' },
  { field: 'name', header: 'NAME', shrink: true },
  { field: 'createdAt', header: 'CREATED', time: true, drop: 2 },
  { field: 'updatedAt', header: 'UPDATED', time: true, drop: 1 },
  { field: '_id', header: 'ID', drop: 3, tone: () => 'muted' },
];

/** On a terminal, with the number of subscriptions. */
export const countedTopicColumns: readonly Column<Topic & { members?: string }>[] = [
  ...topicColumns.slice(0, 2),
  { field: 'members', header: 'MEMBERS', right: true, optional: true },
  ...topicColumns.slice(2),
];

export const topicId = ({ key }: Topic) => key;

export const topicSubscriberColumns: readonly Column<ListedSubscription>[] = [
  { field: 'subscriber.subscriberId', header: 'SUBSCRIBER', tone: () => 'strong' },
  { field: 'subscriber.email', header: 'EMAIL', drop: 2 },
  { field: 'subscriber.firstName', header: 'FIRST NAME', shrink: true, drop: 3 },
  { field: 'subscriber.lastName', header: 'LAST NAME', shrink: true, drop: 3 },
  { field: 'createdAt', header: 'SUBSCRIBED', time: true, drop: 1 },
  ...identifierColumns,
];
