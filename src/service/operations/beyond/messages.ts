// Sent messages and single activity items, which the specification does not have.
import { limits } from '../../limits.ts';
import { serviceOperation } from '../../operation.ts';

const schemas = () => import('../../schemas/sent-messages.ts');
const activitySchemas = () => import('../../schemas/activity.ts');

export const serviceMessages = {
  listMessages: serviceOperation({
    method: 'GET',
    path: '/v1/messages',
    summary: 'List sent messages of all channels, newest first',
    section: 'Messages',
    hasDataField: true,
    paging: { style: 'page', items: 'data', cap: limits.page.default },
    rate: { category: 'global', cost: 1 },
    schemas: async () => {
      const { listMessagesQuery, sentMessagePage } = await schemas();
      return { query: listMessagesQuery, response: sentMessagePage };
    },
  }),

  deleteMessage: serviceOperation({
    method: 'DELETE',
    path: '/v1/messages/{messageId}',
    summary: 'Delete a message',
    section: 'Messages',
    rate: { category: 'global', cost: 1 },
    schemas: async () => {
      const { acknowledgement } = await schemas();
      return { response: acknowledgement };
    },
  }),

  deleteTransactionMessages: serviceOperation({
    method: 'DELETE',
    path: '/v1/messages/transaction/{transactionId}',
    summary: 'Delete the messages of a transaction',
    section: 'Messages',
    success: 204,
    rate: { category: 'global', cost: 1 },
    schemas: async () => {
      const { deleteMessagesQuery, emptyResponse } = await schemas();
      return { query: deleteMessagesQuery, response: emptyResponse };
    },
  }),

  // Before the operation with a parameter in this place.
  getActivityStats: serviceOperation({
    method: 'GET',
    path: '/v1/notifications/stats',
    summary: 'Count the triggered events of the last week and month',
    section: 'Events',
    rate: { category: 'global', cost: 1 },
    schemas: async () => {
      const { activityStats } = await activitySchemas();
      return { response: activityStats };
    },
  }),

  getActivity: serviceOperation({
    method: 'GET',
    path: '/v1/notifications/{notificationId}',
    summary: 'Retrieve a triggered event with its jobs and execution details',
    section: 'Events',
    rate: { category: 'global', cost: 1 },
    schemas: async () => {
      const { activityItem } = await activitySchemas();
      return { response: activityItem };
    },
  }),
};
