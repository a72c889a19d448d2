// The columns of subscribers and of the topics of a subscriber.

import type { Column } from '../../output/result.ts';
import type { ChannelSettings, Subscriber } from '../../service/schemas/subscribers.ts';
import type { ListedSubscription } from '../../service/schemas/topics.ts';
import { identifierColumns } from '../shared/subscription-columns.ts';

export const subscriberColumns: readonly Column<Subscriber>[] = [
  { field: 'subscriberId', header: 'SUBSCRIBER', tone: () => 'strong' },
  { field: 'email', header: 'EMAIL' },
  { field: 'firstName', header: 'FIRST NAME', shrink: true, drop: 1 },
  { field: 'lastName', header: 'LAST NAME', shrink: true, drop: 1 },
  { field: 'phone', header: 'PHONE', drop: 2 },
  { field: 'locale', header: 'LOCALE', drop: 6 },
  { field: 'timezone', header: 'TIME ZONE', drop: 7 },
  { field: 'avatar', header: 'AVATAR', shrink: true, drop: 9 },
  { field: 'data', header: 'DATA', shrink: true, drop: 5 },
  { field: 'createdAt', header: 'CREATED', time: true, drop: 4 },
  { field: 'updatedAt', header: 'UPDATED', time: true, drop: 3 },
  { field: '_id', header: 'ID', drop: 10, tone: () => 'muted' },
];

export const subscriberId = (subscriber: Subscriber) => subscriber.subscriberId;

export const channelColumns: readonly Column<ChannelSettings>[] = [
  { field: 'providerId', header: 'PROVIDER', tone: () => 'strong' },
  { field: 'integrationIdentifier', header: 'INTEGRATION' },
  { field: 'credentials', header: 'CREDENTIALS', shrink: true },
];

export const subscribedTopicColumns: readonly Column<ListedSubscription>[] = [
  { field: 'topic.key', header: 'KEY', tone: () => 'strong' },
  { field: 'topic.name', header: 'NAME', shrink: true },
  { field: 'createdAt', header: 'SUBSCRIBED', time: true, drop: 1 },
  ...identifierColumns,
];
