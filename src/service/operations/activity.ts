// The activity: triggered events with their jobs (specification: Endpoints, Events).
import { limits } from '../limits.ts';
import { operationsWith, schemasIn } from '../operation.ts';

const load = schemasIn(() => import('../schemas/activity.ts'));

const { operation, serviceOperation } = operationsWith({ section: 'Events' });

export const activity = {
  listActivity: operation('GET /v1/notifications', {
    summary: 'List triggered events with their jobs and execution details',
    paging: { style: 'page', items: 'data', cap: limits.page.activity, pinnedBy: 'before' },
    exactFilters: ['transactionId'],
    laterFilters: {
      subscriptionId: ['topics.subscriptionIdentifier', 'topics._topicSubscriptionId'],
    },
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ query: s.listActivityQuery, response: s.activityPage })),
  }),

  listExecutionDetails: serviceOperation('GET /v1/execution-details', {
    summary: 'List the execution details of a triggered event',
    schemas: load((s) => ({ query: s.executionDetailsQuery, response: s.executionDetailList })),
  }),

  // Before the operation with a parameter in this place.
  getActivityStats: serviceOperation('GET /v1/notifications/stats', {
    summary: 'Count the triggered events of the last week and month',
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ response: s.activityStats })),
  }),

  getActivity: serviceOperation('GET /v1/notifications/{notificationId}', {
    summary: 'Retrieve a triggered event with its jobs and execution details',
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ response: s.activityItem })),
  }),
};

// Sent messages. The specification does not have them.

const loadMessages = schemasIn(() => import('../schemas/message.ts'));

const { serviceOperation: messageOperation } = operationsWith({
  section: 'Messages',
  rate: { category: 'global', cost: 1 },
});

export const messages = {
  listMessages: messageOperation('GET /v1/messages', {
    summary: 'List sent messages of all channels, newest first',
    paging: { style: 'page', items: 'data', cap: limits.page.default },
    schemas: loadMessages((s) => ({ query: s.listMessagesQuery, response: s.sentMessagePage })),
  }),

  deleteMessage: messageOperation('DELETE /v1/messages/{messageId}', {
    summary: 'Delete a message',
    schemas: loadMessages((s) => ({ response: s.acknowledgement })),
  }),

  deleteTransactionMessages: messageOperation('DELETE /v1/messages/transaction/{transactionId}', {
    summary: 'Delete the messages of a transaction',
    success: 204,
    schemas: loadMessages((s) => ({ query: s.deleteMessagesQuery, response: s.emptyResponse })),
  }),
};
