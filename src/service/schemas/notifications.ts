// Notifications of a subscriber in version 2 of the routes, since 3.15.
import { z } from 'zod';
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

/** Query of GET `/v2/subscribers/{subscriberId}/notifications`. `createdGte` is in milliseconds. */
export const listNotificationsQuery = z.strictObject({
  limit: z.number().optional(),
  offset: z.number().optional(),
  read: flag,
  seen: flag,
  archived: flag,
  snoozed: flag,
  severity: z.array(z.string()).optional(),
  tags: z.array(z.string()).optional(),
  createdGte: z.number().optional(),
});

/** Query of GET `…/notifications/count`: a JSON array of filters. */
export const countNotificationsQuery = z.strictObject({ filters: z.string() });

/** One count for each filter. */
export const notificationCounts = z.array(z.looseObject({ count: z.number() }));

/** Body of PATCH `…/notifications/{notificationId}/snooze`: an ISO time at least 60 seconds ahead. */
export const snoozeBody = z.strictObject({ snoozeUntil: z.string() });

export { emptyResponse } from './values.ts';

export type Notification = z.output<typeof notification>;
