// In-app notifications of a subscriber (specification: Endpoints, Subscribers).
import { operation, smallBody } from '../operation.ts';

const schemas = () => import('../schemas/inbox.ts');

export const listInboxNotifications = operation({
  method: 'GET',
  path: '/v1/subscribers/{subscriberId}/notifications/feed',
  summary: 'List the in-app notifications of a subscriber',
  section: 'Subscribers',
  source: 'specification',
  success: 200,
  hasDataField: true,
  paging: { style: 'page', items: 'data', cap: 100 },
  bodyLimit: smallBody,
  rate: { category: 'configuration', cost: 1 },
  schemas: async () => {
    const { feedQuery, feedPage } = await schemas();
    return { query: feedQuery, response: feedPage };
  },
});

export const markInboxNotifications = operation({
  method: 'POST',
  path: '/v1/subscribers/{subscriberId}/messages/mark-as',
  summary: 'Mark in-app notifications as read, seen, unread or unseen',
  section: 'Subscribers',
  source: 'specification',
  success: 201,
  batch: { items: 'messageId', count: 100, bytes: smallBody },
  idempotent: () => true,
  bodyLimit: smallBody,
  rate: { category: 'configuration', cost: 1 },
  schemas: async () => {
    const { markAsBody, messageList } = await schemas();
    return { body: markAsBody, response: messageList };
  },
});
