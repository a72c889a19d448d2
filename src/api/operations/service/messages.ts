// Sent messages and single activity items, which the specification does not have.
import { operation, smallBody } from '../../operation.ts';

const schemas = () => import('../../schemas/sent-messages.ts');
const activitySchemas = () => import('../../schemas/activity.ts');

export const listMessages = operation({
  method: 'GET',
  path: '/v1/messages',
  summary: 'List sent messages of all channels, newest first',
  section: 'Messages',
  source: 'service',
  success: 200,
  hasDataField: true,
  paging: { style: 'page', items: 'data', cap: 100 },
  bodyLimit: smallBody,
  rate: { category: 'global', cost: 1 },
  schemas: async () => {
    const { listMessagesQuery, sentMessagePage } = await schemas();
    return { query: listMessagesQuery, response: sentMessagePage };
  },
});

export const deleteMessage = operation({
  method: 'DELETE',
  path: '/v1/messages/{messageId}',
  summary: 'Delete a message',
  section: 'Messages',
  source: 'service',
  success: 200,
  bodyLimit: smallBody,
  rate: { category: 'global', cost: 1 },
  schemas: async () => {
    const { acknowledgement } = await schemas();
    return { response: acknowledgement };
  },
});

export const deleteTransactionMessages = operation({
  method: 'DELETE',
  path: '/v1/messages/transaction/{transactionId}',
  summary: 'Delete the messages of a transaction',
  section: 'Messages',
  source: 'service',
  success: 204,
  bodyLimit: smallBody,
  rate: { category: 'global', cost: 1 },
  schemas: async () => {
    const { deleteMessagesQuery, emptyResponse } = await schemas();
    return { query: deleteMessagesQuery, response: emptyResponse };
  },
});

export const getActivity = operation({
  method: 'GET',
  path: '/v1/notifications/{notificationId}',
  summary: 'Retrieve a triggered event with its jobs and execution details',
  section: 'Events',
  source: 'service',
  success: 200,
  bodyLimit: smallBody,
  rate: { category: 'global', cost: 1 },
  schemas: async () => {
    const { activityItem } = await activitySchemas();
    return { response: activityItem };
  },
});
