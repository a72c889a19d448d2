// In-app notifications of a subscriber (specification: Endpoints, Subscribers).
import { limits } from '../limits.ts';
import { operation, schemasIn, serviceOperation } from '../operation.ts';

const load = schemasIn(() => import('../schemas/inbox.ts'));

export const inbox = {
  listInboxNotifications: operation({
    method: 'GET',
    path: '/v1/subscribers/{subscriberId}/notifications/feed',
    summary: 'List the in-app notifications of a subscriber',
    section: 'Subscribers',
    hasDataField: true,
    paging: { style: 'page', items: 'data', cap: limits.page.default },
    schemas: load((s) => ({ query: s.feedQuery, response: s.feedPage })),
  }),

  markInboxNotifications: operation({
    method: 'POST',
    path: '/v1/subscribers/{subscriberId}/messages/mark-as',
    summary: 'Mark in-app notifications as read, seen, unread or unseen',
    section: 'Subscribers',
    success: 201,
    batch: { items: 'messageId', count: 100, bytes: limits.body },
    idempotent: () => true,
    schemas: load((s) => ({ body: s.markAsBody, response: s.messageList })),
  }),

  markMessagesV1: serviceOperation({
    method: 'POST',
    path: '/v1/subscribers/{subscriberId}/messages/markAs',
    summary: 'Set whether notifications are read and seen (deprecated)',
    section: 'Subscribers',
    success: 201,
    idempotent: () => true,
    schemas: load((s) => ({ body: s.markBody, response: s.messageList })),
  }),

  countInboxNotifications: serviceOperation({
    method: 'GET',
    path: '/v1/subscribers/{subscriberId}/notifications/unseen',
    summary: 'Count the unseen in-app notifications of a subscriber, up to a limit',
    section: 'Subscribers',
    schemas: load((s) => ({ query: s.countQuery, response: s.notificationCount })),
  }),

  setNotificationAction: serviceOperation({
    method: 'POST',
    path: '/v1/subscribers/{subscriberId}/messages/{messageId}/actions/{type}',
    summary: 'Set the status of the primary or secondary button of an in-app notification',
    section: 'Subscribers',
    success: 201,
    idempotent: () => true,
    schemas: load((s) => ({ body: s.actionBody, response: s.markedMessage })),
  }),

  markAllInboxNotifications: serviceOperation({
    method: 'POST',
    path: '/v1/subscribers/{subscriberId}/messages/mark-all',
    summary: 'Mark all in-app notifications of a subscriber',
    section: 'Subscribers',
    success: 201,
    idempotent: () => true,
    schemas: load((s) => ({ body: s.markAllBody, response: s.changedCount })),
  }),
};
