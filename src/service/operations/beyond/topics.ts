// Topics: the operations that the specification does not have.
import { limits } from '../../limits.ts';
import { serviceOperation } from '../../operation.ts';

const schemas = () => import('../../schemas/topics.ts');

export const serviceTopics = {
  createTopic: serviceOperation({
    method: 'POST',
    path: '/v2/topics',
    summary: 'Create a topic; an existing topic gets the given name',
    section: 'Topics',
    success: 201,
    idempotent: () => true,
    rate: { category: 'configuration', cost: 1 },
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
    rate: { category: 'configuration', cost: 1 },
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
    rate: { category: 'configuration', cost: 1 },
    schemas: async () => {
      const { listTopicSubscriptionsQuery, subscriptionPage } = await schemas();
      return { query: listTopicSubscriptionsQuery, response: subscriptionPage };
    },
  }),

  getTopicSubscriber: serviceOperation({
    method: 'GET',
    path: '/v1/topics/{topicKey}/subscribers/{subscriberId}',
    summary: 'Retrieve the subscription of a subscriber to a topic',
    section: 'Topics',
    rate: { category: 'configuration', cost: 1 },
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
    rate: { category: 'configuration', cost: 1 },
    schemas: async () => {
      const { unsubscribeBody, subscribeResponse } = await schemas();
      return { body: unsubscribeBody, response: subscribeResponse };
    },
  }),
};
