// In-app notifications of a subscriber (specification: Endpoints, Subscribers).
import { limits } from '../limits.ts';
import { laterOperation, operation, schemasIn, serviceOperation } from '../operation.ts';

const load = schemasIn(() => import('../schemas/inbox.ts'));
const loadNotifications = schemasIn(() => import('../schemas/notifications.ts'));

const notificationsPath = '/v2/subscribers/{subscriberId}/notifications';
const notificationPath = `${notificationsPath}/{notificationId}` as const;
const section = 'Subscribers';
/** The response is the changed notification. */
const change = {
  section,
  idempotent: () => true,
  schemas: loadNotifications((s) => ({ query: s.contextsQuery, response: s.notification })),
} as const;
/** The same for all notifications that match. */
const changeAll = {
  section,
  success: 204,
  idempotent: () => true,
  schemas: loadNotifications((s) => ({ body: s.changeAllBody, response: s.emptyResponse })),
} as const;

export const inbox = {
  listInboxNotifications: operation({
    route: 'GET /v1/subscribers/{subscriberId}/notifications/feed',
    summary: 'List the in-app notifications of a subscriber',
    deprecated: { since: '3.15', by: 'GET /v2/subscribers/{subscriberId}/notifications' },
    section: 'Subscribers',
    hasDataField: true,
    paging: { style: 'page', items: 'data', cap: limits.page.default },
    schemas: load((s) => ({ query: s.feedQuery, response: s.feedPage })),
  }),

  markInboxNotifications: operation({
    route: 'POST /v1/subscribers/{subscriberId}/messages/mark-as',
    summary: 'Mark in-app notifications as read, seen, unread or unseen',
    deprecated: {
      since: '3.15',
      by: 'PATCH /v2/subscribers/{subscriberId}/notifications/{notificationId}/read',
    },
    section: 'Subscribers',
    success: 201,
    batch: { items: 'messageId', count: 100, bytes: limits.body },
    idempotent: () => true,
    schemas: load((s) => ({ body: s.markAsBody, response: s.messageList })),
  }),

  markMessagesV1: serviceOperation({
    route: 'POST /v1/subscribers/{subscriberId}/messages/markAs',
    summary: 'Set whether notifications are read and seen (deprecated)',
    deprecated: {
      since: '3.15',
      by: 'PATCH /v2/subscribers/{subscriberId}/notifications/{notificationId}/read',
    },
    section: 'Subscribers',
    success: 201,
    idempotent: () => true,
    schemas: load((s) => ({ body: s.markBody, response: s.messageList })),
  }),

  countInboxNotifications: serviceOperation({
    route: 'GET /v1/subscribers/{subscriberId}/notifications/unseen',
    summary: 'Count the unseen in-app notifications of a subscriber, up to a limit',
    deprecated: { since: '3.15', by: 'GET /v2/subscribers/{subscriberId}/notifications/count' },
    section: 'Subscribers',
    schemas: load((s) => ({ query: s.countQuery, response: s.notificationCount })),
  }),

  setNotificationAction: serviceOperation({
    route: 'POST /v1/subscribers/{subscriberId}/messages/{messageId}/actions/{type}',
    summary: 'Set the status of the primary or secondary button of an in-app notification',
    deprecated: {
      since: '3.15',
      by: 'PATCH /v2/subscribers/{subscriberId}/notifications/{notificationId}/actions/{type}/complete',
    },
    section: 'Subscribers',
    success: 201,
    idempotent: () => true,
    schemas: load((s) => ({ body: s.actionBody, response: s.markedMessage })),
  }),

  markAllInboxNotifications: serviceOperation({
    route: 'POST /v1/subscribers/{subscriberId}/messages/mark-all',
    summary: 'Mark all in-app notifications of a subscriber',
    deprecated: { since: '3.15', by: 'POST /v2/subscribers/{subscriberId}/notifications/read' },
    section: 'Subscribers',
    success: 201,
    idempotent: () => true,
    schemas: load((s) => ({ body: s.markAllBody, response: s.changedCount })),
  }),

  listNotifications: laterOperation('3.15', {
    route: `GET ${notificationsPath}`,
    summary: 'List the in-app notifications of a subscriber, also archived and snoozed ones',
    section,
    hasDataField: true,
    paging: { style: 'offset', items: 'data', cap: limits.page.default },
    schemas: loadNotifications((s) => ({
      query: s.listNotificationsQuery,
      response: s.notificationPage,
    })),
  }),

  countNotifications: laterOperation('3.15', {
    route: `GET ${notificationsPath}/count`,
    summary: 'Count the in-app notifications of a subscriber that match filters',
    section,
    schemas: loadNotifications((s) => ({
      query: s.countNotificationsQuery,
      response: s.notificationCounts,
    })),
  }),

  readNotification: laterOperation('3.15', {
    ...change,
    route: `PATCH ${notificationPath}/read`,
    summary: 'Mark an in-app notification as read',
  }),

  unreadNotification: laterOperation('3.15', {
    ...change,
    route: `PATCH ${notificationPath}/unread`,
    summary: 'Mark an in-app notification as unread',
  }),

  archiveNotification: laterOperation('3.15', {
    ...change,
    route: `PATCH ${notificationPath}/archive`,
    summary: 'Archive an in-app notification',
  }),

  unarchiveNotification: laterOperation('3.15', {
    ...change,
    route: `PATCH ${notificationPath}/unarchive`,
    summary: 'Take an in-app notification out of the archive',
  }),

  snoozeNotification: laterOperation('3.15', {
    ...change,
    route: `PATCH ${notificationPath}/snooze`,
    summary: 'Hide an in-app notification until a time',
    schemas: loadNotifications((s) => ({
      query: s.contextsQuery,
      body: s.snoozeBody,
      response: s.notification,
    })),
  }),

  unsnoozeNotification: laterOperation('3.15', {
    ...change,
    route: `PATCH ${notificationPath}/unsnooze`,
    summary: 'Show a snoozed in-app notification again',
  }),

  completeNotificationAction: laterOperation('3.15', {
    ...change,
    route: `PATCH ${notificationPath}/actions/{type}/complete`,
    summary: 'Complete the primary or secondary button of an in-app notification',
  }),

  revertNotificationAction: laterOperation('3.15', {
    ...change,
    route: `PATCH ${notificationPath}/actions/{type}/revert`,
    summary: 'Make the primary or secondary button of an in-app notification pending again',
  }),

  deleteNotification: laterOperation('3.15', {
    route: `DELETE ${notificationPath}`,
    summary: 'Delete an in-app notification',
    section,
    success: 204,
    schemas: loadNotifications((s) => ({ query: s.contextsQuery, response: s.emptyResponse })),
  }),

  seeNotifications: laterOperation('3.15', {
    ...changeAll,
    route: `POST ${notificationsPath}/seen`,
    summary: 'Mark in-app notifications as seen, by their ids or all that match',
    schemas: loadNotifications((s) => ({ body: s.seenBody, response: s.emptyResponse })),
  }),

  readNotifications: laterOperation('3.15', {
    ...changeAll,
    route: `POST ${notificationsPath}/read`,
    summary: 'Mark all in-app notifications that match as read',
  }),

  archiveNotifications: laterOperation('3.15', {
    ...changeAll,
    route: `POST ${notificationsPath}/archive`,
    summary: 'Archive all in-app notifications that match',
  }),

  archiveReadNotifications: laterOperation('3.15', {
    ...changeAll,
    route: `POST ${notificationsPath}/read-archive`,
    summary: 'Archive all read in-app notifications that match',
  }),

  deleteNotifications: laterOperation('3.15', {
    ...changeAll,
    route: `POST ${notificationsPath}/delete`,
    summary: 'Delete all in-app notifications that match',
  }),
};
