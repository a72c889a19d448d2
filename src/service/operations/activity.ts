// The activity: triggered events with their jobs (specification: Endpoints, Events).
import { limits } from '../limits.ts';
import { operation, schemasIn, serviceOperation } from '../operation.ts';

const load = schemasIn(() => import('../schemas/activity.ts'));

export const activity = {
  listActivity: operation({
    route: 'GET /v1/notifications',
    summary: 'List triggered events with their jobs and execution details',
    section: 'Events',
    hasDataField: true,
    paging: { style: 'page', items: 'data', cap: limits.page.activity, pinnedBy: 'before' },
    exactFilters: ['transactionId'],
    laterFilters: {
      subscriptionId: ['topics.subscriptionIdentifier', 'topics._topicSubscriptionId'],
    },
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ query: s.listActivityQuery, response: s.activityPage })),
  }),

  listExecutionDetails: serviceOperation({
    route: 'GET /v1/execution-details',
    summary: 'List the execution details of a triggered event',
    section: 'Events',
    schemas: load((s) => ({ query: s.executionDetailsQuery, response: s.executionDetailList })),
  }),

  // Before the operation with a parameter in this place.
  getActivityStats: serviceOperation({
    route: 'GET /v1/notifications/stats',
    summary: 'Count the triggered events of the last week and month',
    section: 'Events',
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ response: s.activityStats })),
  }),

  getActivity: serviceOperation({
    route: 'GET /v1/notifications/{notificationId}',
    summary: 'Retrieve a triggered event with its jobs and execution details',
    section: 'Events',
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ response: s.activityItem })),
  }),
};

// Sent messages. The specification does not have them.

const loadMessages = schemasIn(() => import('../schemas/message.ts'));

export const messages = {
  listMessages: serviceOperation({
    route: 'GET /v1/messages',
    summary: 'List sent messages of all channels, newest first',
    section: 'Messages',
    hasDataField: true,
    paging: { style: 'page', items: 'data', cap: limits.page.default },
    rate: { category: 'global', cost: 1 },
    schemas: loadMessages((s) => ({ query: s.listMessagesQuery, response: s.sentMessagePage })),
  }),

  deleteMessage: serviceOperation({
    route: 'DELETE /v1/messages/{messageId}',
    summary: 'Delete a message',
    section: 'Messages',
    rate: { category: 'global', cost: 1 },
    schemas: loadMessages((s) => ({ response: s.acknowledgement })),
  }),

  deleteTransactionMessages: serviceOperation({
    route: 'DELETE /v1/messages/transaction/{transactionId}',
    summary: 'Delete the messages of a transaction',
    section: 'Messages',
    success: 204,
    rate: { category: 'global', cost: 1 },
    schemas: loadMessages((s) => ({ query: s.deleteMessagesQuery, response: s.emptyResponse })),
  }),
};
