// Topics and their subscriptions (specification: Endpoints, Topics).
import { limits } from '../limits.ts';
import { operationsWith, schemasIn } from '../operation.ts';

const load = schemasIn(() => import('../schemas/topics.ts'));

const { operation, serviceOperation, operationSince } = operationsWith({ section: 'Topics' });
const subscriptionOperation = operationSince('3.12');

export const topics = {
  subscribeToTopic: operation('POST /v2/topics/{topicKey}/subscriptions', {
    sdk: 'topics.subscriptions.create',
    summary: 'Subscribe subscribers to a topic; creates the topic if it does not exist',
    hasDataField: true,
    batch: { items: 'subscriberIds', count: limits.subscribersPerTopicRequest, bytes: limits.body },
    idempotent: () => true,
    schemas: load((s) => ({ body: s.subscribeBody, response: s.subscribeResponse })),
  }),

  listTopics: operation('GET /v2/topics', {
    sdk: 'topics.list',
    summary: 'List topics',
    paging: { style: 'cursor', items: 'data', cap: limits.page.default },
    schemas: load((s) => ({ query: s.listTopicsQuery, response: s.topicPage })),
  }),

  getTopic: operation('GET /v2/topics/{topicKey}', {
    sdk: 'topics.get',
    summary: 'Retrieve a topic',
    schemas: load((s) => ({ response: s.topic })),
  }),

  renameTopic: operation('PATCH /v2/topics/{topicKey}', {
    sdk: 'topics.update',
    summary: 'Rename a topic',
    schemas: load((s) => ({ body: s.renameTopicBody, response: s.topic })),
  }),

  createTopic: serviceOperation('POST /v2/topics', {
    sdk: 'topics.create',
    summary: 'Create a topic; an existing topic gets the given name',
    idempotent: () => true,
    schemas: load((s) => ({
      query: s.failIfExistsQuery,
      body: s.createTopicBody,
      response: s.topic,
    })),
  }),

  deleteTopic: serviceOperation('DELETE /v2/topics/{topicKey}', {
    sdk: 'topics.delete',
    summary: 'Delete a topic and its subscriptions',
    schemas: load((s) => ({ response: s.acknowledgement })),
  }),

  listTopicSubscriptions: serviceOperation('GET /v2/topics/{topicKey}/subscriptions', {
    summary: 'List the subscribers of a topic',
    paging: { style: 'cursor', items: 'data', cap: limits.page.default },
    schemas: load((s) => ({ query: s.listTopicSubscriptionsQuery, response: s.subscriptionPage })),
  }),

  getTopicSubscription: subscriptionOperation(
    'GET /v2/topics/{topicKey}/subscriptions/{identifier}',
    {
      summary: 'Retrieve a subscription with its name and choices; empty if it does not exist',
      schemas: load((s) => ({ response: s.subscriptionDetails })),
    },
  ),

  updateTopicSubscription: subscriptionOperation(
    'PATCH /v2/topics/{topicKey}/subscriptions/{identifier}',
    {
      summary: 'Change the name of a subscription, or replace its choices',
      idempotent: () => true,
      schemas: load((s) => ({ body: s.updateSubscriptionBody, response: s.subscribedItem })),
    },
  ),

  getTopicSubscriber: serviceOperation('GET /v1/topics/{topicKey}/subscribers/{subscriberId}', {
    summary: 'Retrieve the subscription of a subscriber to a topic',
    schemas: load((s) => ({ response: s.topicSubscriber })),
  }),

  unsubscribeFromTopic: serviceOperation('DELETE /v2/topics/{topicKey}/subscriptions', {
    sdk: 'topics.subscriptions.delete',
    summary: 'Remove up to 100 subscribers from a topic',
    hasDataField: true,
    batch: { items: 'subscriberIds', count: limits.subscribersPerTopicRequest, bytes: limits.body },
    schemas: load((s) => ({ body: s.unsubscribeBody, response: s.subscribeResponse })),
  }),
};

// Topics in version 1 of the routes, which older clients of the service call. The sandbox serves them.

export const topicsV1 = {
  listTopicsV1: serviceOperation('GET /v1/topics', {
    summary: 'List topics by page, with the ids of their subscribers (deprecated)',
    deprecated: { by: 'GET /v2/topics' },
    hasDataField: true,
    schemas: load((s) => ({ query: s.listTopicsV1Query, response: s.topicListV1 })),
  }),

  getTopicV1: serviceOperation('GET /v1/topics/{topicKey}', {
    summary: 'Retrieve a topic with the ids of its subscribers (deprecated)',
    deprecated: { by: 'GET /v2/topics/{topicKey}' },
    schemas: load((s) => ({ response: s.topicV1 })),
  }),

  createTopicV1: serviceOperation('POST /v1/topics', {
    summary: 'Create a topic that does not exist (deprecated)',
    deprecated: { by: 'POST /v2/topics' },
    schemas: load((s) => ({ body: s.createTopicV1Body, response: s.createdTopicV1 })),
  }),

  renameTopicV1: serviceOperation('PATCH /v1/topics/{topicKey}', {
    summary: 'Rename a topic (deprecated)',
    deprecated: { by: 'PATCH /v2/topics/{topicKey}' },
    schemas: load((s) => ({ body: s.renameTopicV1Body, response: s.topicV1 })),
  }),

  deleteTopicV1: serviceOperation('DELETE /v1/topics/{topicKey}', {
    summary: 'Delete a topic without subscribers (deprecated)',
    deprecated: { by: 'DELETE /v2/topics/{topicKey}' },
    success: 204,
    schemas: load((s) => ({ response: s.emptyResponse })),
  }),

  addTopicSubscribers: serviceOperation('POST /v1/topics/{topicKey}/subscribers', {
    success: 200,
    summary:
      'Subscribe subscribers to a topic; creates the topic if it does not exist (deprecated)',
    deprecated: { by: 'POST /v2/topics/{topicKey}/subscriptions' },
    idempotent: () => true,
    schemas: load((s) => ({ body: s.topicSubscribersBody, response: s.addedTopicSubscribers })),
  }),

  removeTopicSubscribers: serviceOperation('POST /v1/topics/{topicKey}/subscribers/removal', {
    summary: 'Remove subscribers from a topic (deprecated)',
    deprecated: { by: 'DELETE /v2/topics/{topicKey}/subscriptions' },
    success: 204,
    idempotent: () => true,
    schemas: load((s) => ({ body: s.topicSubscribersBody, response: s.emptyResponse })),
  }),
};
