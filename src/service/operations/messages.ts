// Sent messages. The specification does not have them.
import { limits } from '../limits.ts';
import { serviceOperation } from '../operation.ts';

const schemas = () => import('../schemas/sent-messages.ts');

export const messages = {
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
};
