// In-app notifications of a subscriber (specification: Endpoints, Subscribers).
import { limits } from '../limits.ts';
import { operationsWith, schemasIn } from '../operation.ts';

const load = schemasIn(() => import('../schemas/inbox.ts'));
const loadNotifications = schemasIn(() => import('../schemas/notifications.ts'));

const notificationsPath = '/v2/subscribers/{subscriberId}/notifications';
const notificationPath = `${notificationsPath}/{notificationId}` as const;
const messagesPath = '/v1/subscribers/{subscriberId}/messages';
/** The response is the changed notification. */
const change = {
  schemas: loadNotifications((s) => ({ query: s.contextsQuery, response: s.notification })),
} as const;
/** The same for all notifications that match. */
const changeAll = {
  success: 204,
  idempotent: () => true,
  schemas: loadNotifications((s) => ({ body: s.changeAllBody, response: s.emptyResponse })),
} as const;

const { operation, serviceOperation, operationSince } = operationsWith({ section: 'Subscribers' });
const notificationOperation = operationSince('3.15');

export const inbox = {
  listInboxNotifications: operation('GET /v1/subscribers/{subscriberId}/notifications/feed', {
    summary: 'List the in-app notifications of a subscriber',
    deprecated: { since: '3.15', by: 'GET /v2/subscribers/{subscriberId}/notifications' },
    paging: { style: 'page', items: 'data', cap: limits.page.default },
    schemas: load((s) => ({ query: s.feedQuery, response: s.feedPage })),
  }),

  markInboxNotifications: operation(`POST ${messagesPath}/mark-as`, {
    summary: 'Mark in-app notifications as read, seen, unread or unseen',
    deprecated: {
      since: '3.15',
      by: 'PATCH /v2/subscribers/{subscriberId}/notifications/{notificationId}/read',
    },
    batch: { items: 'messageId', count: 100, bytes: limits.body },
    idempotent: () => true,
    schemas: load((s) => ({ body: s.markAsBody, response: s.messageList })),
  }),

  markMessagesV1: serviceOperation(`POST ${messagesPath}/markAs`, {
    summary: 'Set whether notifications are read and seen (deprecated)',
    deprecated: {
      since: '3.15',
      by: 'PATCH /v2/subscribers/{subscriberId}/notifications/{notificationId}/read',
    },
    idempotent: () => true,
    schemas: load((s) => ({ body: s.markBody, response: s.messageList })),
  }),

  countInboxNotifications: serviceOperation(
    'GET /v1/subscribers/{subscriberId}/notifications/unseen',
    {
      summary: 'Count the unseen in-app notifications of a subscriber, up to a limit',
      deprecated: { since: '3.15', by: 'GET /v2/subscribers/{subscriberId}/notifications/count' },
      schemas: load((s) => ({ query: s.countQuery, response: s.notificationCount })),
    },
  ),

  setNotificationAction: serviceOperation(`POST ${messagesPath}/{messageId}/actions/{type}`, {
    summary: 'Set the status of the primary or secondary button of an in-app notification',
    deprecated: {
      since: '3.15',
      by: 'PATCH /v2/subscribers/{subscriberId}/notifications/{notificationId}/actions/{type}/complete',
    },
    idempotent: () => true,
    schemas: load((s) => ({ body: s.actionBody, response: s.markedMessage })),
  }),

  markAllInboxNotifications: serviceOperation(`POST ${messagesPath}/mark-all`, {
    summary: 'Mark all in-app notifications of a subscriber',
    deprecated: { since: '3.15', by: 'POST /v2/subscribers/{subscriberId}/notifications/read' },
    idempotent: () => true,
    schemas: load((s) => ({ body: s.markAllBody, response: s.changedCount })),
  }),

  listNotifications: notificationOperation(`GET ${notificationsPath}`, {
    summary: 'List the in-app notifications of a subscriber, also archived and snoozed ones',
    paging: { style: 'offset', items: 'data', cap: limits.page.default },
    schemas: loadNotifications((s) => ({
      query: s.listNotificationsQuery,
      response: s.notificationPage,
    })),
  }),

  countNotifications: notificationOperation(`GET ${notificationsPath}/count`, {
    summary: 'Count the in-app notifications of a subscriber that match filters',
    schemas: loadNotifications((s) => ({
      query: s.countNotificationsQuery,
      response: s.notificationCounts,
    })),
  }),

  readNotification: notificationOperation(`PATCH ${notificationPath}/read`, {
    ...change,
    summary: 'Mark an in-app notification as read',
  }),

  unreadNotification: notificationOperation(`PATCH ${notificationPath}/unread`, {
    ...change,
    summary: 'Mark an in-app notification as unread',
  }),

  archiveNotification: notificationOperation(`PATCH ${notificationPath}/archive`, {
    ...change,
    summary: 'Archive an in-app notification',
  }),

  unarchiveNotification: notificationOperation(`PATCH ${notificationPath}/unarchive`, {
    ...change,
    summary: 'Take an in-app notification out of the archive',
  }),

  snoozeNotification: notificationOperation(`PATCH ${notificationPath}/snooze`, {
    ...change,
    summary: 'Hide an in-app notification until a time',
    schemas: loadNotifications((s) => ({
      query: s.contextsQuery,
      body: s.snoozeBody,
      response: s.notification,
    })),
  }),

  unsnoozeNotification: notificationOperation(`PATCH ${notificationPath}/unsnooze`, {
    ...change,
    summary: 'Show a snoozed in-app notification again',
  }),

  completeNotificationAction: notificationOperation(
    `PATCH ${notificationPath}/actions/{type}/complete`,
    { ...change, summary: 'Complete the primary or secondary button of an in-app notification' },
  ),

  revertNotificationAction: notificationOperation(
    `PATCH ${notificationPath}/actions/{type}/revert`,
    {
      ...change,
      summary: 'Make the primary or secondary button of an in-app notification pending again',
    },
  ),

  deleteNotification: notificationOperation(`DELETE ${notificationPath}`, {
    summary: 'Delete an in-app notification',
    success: 204,
    schemas: loadNotifications((s) => ({ query: s.contextsQuery, response: s.emptyResponse })),
  }),

  seeNotifications: notificationOperation(`POST ${notificationsPath}/seen`, {
    ...changeAll,
    summary: 'Mark in-app notifications as seen, by their ids or all that match',
    schemas: loadNotifications((s) => ({ body: s.seenBody, response: s.emptyResponse })),
  }),

  readNotifications: notificationOperation(`POST ${notificationsPath}/read`, {
    ...changeAll,
    summary: 'Mark all in-app notifications that match as read',
  }),

  archiveNotifications: notificationOperation(`POST ${notificationsPath}/archive`, {
    ...changeAll,
    summary: 'Archive all in-app notifications that match',
  }),

  archiveReadNotifications: notificationOperation(`POST ${notificationsPath}/read-archive`, {
    ...changeAll,
    summary: 'Archive all read in-app notifications that match',
  }),

  deleteNotifications: notificationOperation(`POST ${notificationsPath}/delete`, {
    ...changeAll,
    summary: 'Delete all in-app notifications that match',
  }),
};
