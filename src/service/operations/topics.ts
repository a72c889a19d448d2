// Topics and their subscriptions (specification: Endpoints, Topics).
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

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
    rate: { category: 'configuration', cost: 1 },
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
    rate: { category: 'configuration', cost: 1 },
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
    rate: { category: 'configuration', cost: 1 },
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
    rate: { category: 'configuration', cost: 1 },
    schemas: async () => {
      const { renameTopicBody, topic } = await schemas();
      return { body: renameTopicBody, response: topic };
    },
  }),
};
