// Topics and their subscriptions (specification: Endpoints, Topics).
import { limits } from '../limits.ts';
import { laterOperation, operation, serviceOperation } from '../operation.ts';

const schemas = () => import('../schemas/topics.ts');

export const topics = {
  subscribeToTopic: operation({
    method: 'POST',
    path: '/v2/topics/{topicKey}/subscriptions',
    summary: 'Subscribe subscribers to a topic; creates the topic if it does not exist',
    section: 'Topics',
    success: 201,
    hasDataField: true,
    batch: { items: 'subscriberIds', count: limits.subscribersPerTopicRequest, bytes: limits.body },
    idempotent: () => true,
    schemas: async () => {
      const { subscribeBody, subscribeResponse } = await schemas();
      return { body: subscribeBody, response: subscribeResponse };
    },
  }),

  listTopics: operation({
    method: 'GET',
    path: '/v2/topics',
    summary: 'List topics',
    section: 'Topics',
    hasDataField: true,
    paging: { style: 'cursor', items: 'data', cap: limits.page.default },
    schemas: async () => {
      const { listTopicsQuery, topicPage } = await schemas();
      return { query: listTopicsQuery, response: topicPage };
    },
  }),

  getTopic: operation({
    method: 'GET',
    path: '/v2/topics/{topicKey}',
    summary: 'Retrieve a topic',
    section: 'Topics',
    schemas: async () => {
      const { topic } = await schemas();
      return { response: topic };
    },
  }),

  renameTopic: operation({
    method: 'PATCH',
    path: '/v2/topics/{topicKey}',
    summary: 'Rename a topic',
    section: 'Topics',
    idempotent: () => true,
    schemas: async () => {
      const { renameTopicBody, topic } = await schemas();
      return { body: renameTopicBody, response: topic };
    },
  }),

  createTopic: serviceOperation({
    method: 'POST',
    path: '/v2/topics',
    summary: 'Create a topic; an existing topic gets the given name',
    section: 'Topics',
    success: 201,
    idempotent: () => true,
    schemas: async () => {
      const { failIfExistsQuery, createTopicBody, topic } = await schemas();
      return { query: failIfExistsQuery, body: createTopicBody, response: topic };
    },
  }),

  deleteTopic: serviceOperation({
    method: 'DELETE',
    path: '/v2/topics/{topicKey}',
    summary: 'Delete a topic and its subscriptions',
    section: 'Topics',
    schemas: async () => {
      const { acknowledgement } = await schemas();
      return { response: acknowledgement };
    },
  }),

  listTopicSubscriptions: serviceOperation({
    method: 'GET',
    path: '/v2/topics/{topicKey}/subscriptions',
    summary: 'List the subscribers of a topic',
    section: 'Topics',
    hasDataField: true,
    paging: { style: 'cursor', items: 'data', cap: limits.page.default },
    schemas: async () => {
      const { listTopicSubscriptionsQuery, subscriptionPage } = await schemas();
      return { query: listTopicSubscriptionsQuery, response: subscriptionPage };
    },
  }),

  getTopicSubscription: laterOperation('3.12', {
    method: 'GET',
    path: '/v2/topics/{topicKey}/subscriptions/{identifier}',
    summary: 'Retrieve a subscription with its name and choices; empty if it does not exist',
    section: 'Topics',
    schemas: async () => {
      const { subscriptionDetails } = await schemas();
      return { response: subscriptionDetails };
    },
  }),

  getTopicSubscriber: serviceOperation({
    method: 'GET',
    path: '/v1/topics/{topicKey}/subscribers/{subscriberId}',
    summary: 'Retrieve the subscription of a subscriber to a topic',
    section: 'Topics',
    schemas: async () => {
      const { topicSubscriber } = await schemas();
      return { response: topicSubscriber };
    },
  }),

  unsubscribeFromTopic: serviceOperation({
    method: 'DELETE',
    path: '/v2/topics/{topicKey}/subscriptions',
    summary: 'Remove up to 100 subscribers from a topic',
    section: 'Topics',
    hasDataField: true,
    batch: { items: 'subscriberIds', count: limits.subscribersPerTopicRequest, bytes: limits.body },
    schemas: async () => {
      const { unsubscribeBody, subscribeResponse } = await schemas();
      return { body: unsubscribeBody, response: subscribeResponse };
    },
  }),
};
