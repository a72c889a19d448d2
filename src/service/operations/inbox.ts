// In-app notifications of a subscriber (specification: Endpoints, Subscribers).
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

const schemas = () => import('../schemas/inbox.ts');

export const inbox = {
  listInboxNotifications: operation({
    method: 'GET',
    path: '/v1/subscribers/{subscriberId}/notifications/feed',
    summary: 'List the in-app notifications of a subscriber',
    section: 'Subscribers',
    hasDataField: true,
    paging: { style: 'page', items: 'data', cap: limits.page.default },
    rate: { category: 'configuration', cost: 1 },
    schemas: async () => {
      const { feedQuery, feedPage } = await schemas();
      return { query: feedQuery, response: feedPage };
    },
  }),

  markInboxNotifications: operation({
    method: 'POST',
    path: '/v1/subscribers/{subscriberId}/messages/mark-as',
    summary: 'Mark in-app notifications as read, seen, unread or unseen',
    section: 'Subscribers',
    success: 201,
    batch: { items: 'messageId', count: 100, bytes: limits.body },
    idempotent: () => true,
    rate: { category: 'configuration', cost: 1 },
    schemas: async () => {
      const { markAsBody, messageList } = await schemas();
      return { body: markAsBody, response: messageList };
    },
  }),
};
