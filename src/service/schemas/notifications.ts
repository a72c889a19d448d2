// Notifications of a subscriber in version 2 of the routes, since 3.15.
import { z } from 'zod';
import { checked, parameter, readFields, toList } from '../rules/checked.ts';
import { areStrings, isArray, optional } from '../rules/rules.ts';
import {
  changeAllBody as inboxChangeAllBody,
  seenBody as inboxSeenBody,
  notificationCountQuery,
  notificationsQuery,
} from './inbox-client.ts';
import { queryList } from './query.ts';
import { jsonObject } from './values.ts';

const text = z.string().optional();
const textOrNull = z.string().nullable().optional();
const flag = z.boolean().optional();

export const notification = z.looseObject({
  id: z.string(),
  transactionId: text,
  subject: textOrNull,
  body: textOrNull,
  isRead: flag,
  isSeen: flag,
  isArchived: flag,
  isSnoozed: flag,
  createdAt: text,
  channelType: text,
  tags: z.array(z.string()).nullable().optional(),
  severity: text,
  data: jsonObject.nullable().optional(),
  workflow: z.looseObject({ identifier: text }).optional(),
});

export const notificationPage = z.looseObject({
  data: z.array(notification),
  hasMore: z.boolean().optional(),
});

/** The contexts of the notifications, each as `type:id`; absent: any. */
const contextKeys = parameter(
  queryList(z.string()).optional(),
  (value) => (value === undefined ? undefined : toList(value)),
  optional(areStrings),
);

/** Query of the requests that change one notification. */
export const contextsQuery = z.strictObject({ contextKeys });

const flagIfGiven = parameter(flag, (value) => (value === '' ? undefined : value === 'true'));

/** Query of GET `/v2/subscribers/{subscriberId}/notifications`. `createdGte` and `createdLte` are in milliseconds. */
export const listNotificationsQuery = z.strictObject({
  ...notificationsQuery.shape,
  tags: parameter(queryList(z.string()).optional(), (value) =>
    typeof value === 'string' ? [value] : value,
  ),
  read: flagIfGiven,
  archived: flagIfGiven,
  snoozed: flagIfGiven,
  seen: flagIfGiven,
  contextKeys,
});

export const countNotificationsQuery = z.strictObject({
  filters: checked(z.string(), readFields(notificationCountQuery).filters ?? optional()),
});

/** One count for each filter. */
export const notificationCounts = z.array(z.looseObject({ count: z.number() }));

export const snoozeBody = z.strictObject({ snoozeUntil: z.string() });

const contextsField = checked(z.array(z.string()).optional(), optional(areStrings, isArray));

/** Body of the requests that change all notifications with certain tags or data. */
export const changeAllBody = z.strictObject({
  ...inboxChangeAllBody.shape,
  contextKeys: contextsField,
});

export const seenBody = z.strictObject({ ...inboxSeenBody.shape, contextKeys: contextsField });

export { emptyResponse } from './values.ts';

export type Notification = z.output<typeof notification>;
