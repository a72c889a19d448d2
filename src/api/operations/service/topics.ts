// Topics: the operations that the specification does not have.
import { operation, smallBody } from '../../operation.ts';

const schemas = () => import('../../schemas/topics.ts');

export const createTopic = operation({
  method: 'POST',
  path: '/v2/topics',
  summary: 'Create a topic; an existing topic gets the given name',
  section: 'Topics',
  source: 'service',
  success: 201,
  idempotent: () => true,
  bodyLimit: smallBody,
  rate: { category: 'configuration', cost: 1 },
  schemas: async () => {
    const { failIfExistsQuery, createTopicBody, topic } = await schemas();
    return { query: failIfExistsQuery, body: createTopicBody, response: topic };
  },
});

export const deleteTopic = operation({
  method: 'DELETE',
  path: '/v2/topics/{topicKey}',
  summary: 'Delete a topic and its subscriptions',
  section: 'Topics',
  source: 'service',
  success: 200,
  bodyLimit: smallBody,
  rate: { category: 'configuration', cost: 1 },
  schemas: async () => {
    const { acknowledgement } = await schemas();
    return { response: acknowledgement };
  },
});

export const listTopicSubscriptions = operation({
  method: 'GET',
  path: '/v2/topics/{topicKey}/subscriptions',
  summary: 'List the subscribers of a topic',
  section: 'Topics',
  source: 'service',
  success: 200,
  hasDataField: true,
  paging: { style: 'cursor', items: 'data', cap: 100 },
  bodyLimit: smallBody,
  rate: { category: 'configuration', cost: 1 },
  schemas: async () => {
    const { listTopicSubscriptionsQuery, subscriptionPage } = await schemas();
    return { query: listTopicSubscriptionsQuery, response: subscriptionPage };
  },
});

export const unsubscribeFromTopic = operation({
  method: 'DELETE',
  path: '/v2/topics/{topicKey}/subscriptions',
  summary: 'Remove up to 100 subscribers from a topic',
  section: 'Topics',
  source: 'service',
  success: 200,
  hasDataField: true,
  batch: { items: 'subscriberIds', count: 100, bytes: smallBody },
  bodyLimit: smallBody,
  rate: { category: 'configuration', cost: 1 },
  schemas: async () => {
    const { subscribeBody, unsubscribeResponse } = await schemas();
    return { body: subscribeBody, response: unsubscribeResponse };
  },
});

export const getTopicSubscriber = operation({
  method: 'GET',
  path: '/v1/topics/{topicKey}/subscribers/{subscriberId}',
  summary: 'Retrieve the subscription of a subscriber to a topic',
  section: 'Topics',
  source: 'service',
  success: 200,
  bodyLimit: smallBody,
  rate: { category: 'configuration', cost: 1 },
  schemas: async () => {
    const { topicSubscriber } = await schemas();
    return { response: topicSubscriber };
  },
});
