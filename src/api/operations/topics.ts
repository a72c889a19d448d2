// Topics and their subscriptions (specification: Endpoints, Topics).
import { operation, smallBody } from '../operation.ts';

const schemas = () => import('../schemas/topics.ts');

export const subscribeToTopic = operation({
  method: 'POST',
  path: '/v2/topics/{topicKey}/subscriptions',
  summary: 'Subscribe subscribers to a topic; creates the topic if it does not exist',
  section: 'Topics',
  source: 'specification',
  success: 201,
  hasDataField: true,
  batch: { items: 'subscriberIds', count: 100, bytes: smallBody },
  idempotent: () => true,
  bodyLimit: smallBody,
  rate: { category: 'configuration', cost: 1 },
  schemas: async () => {
    const { subscribeBody, subscribeResponse } = await schemas();
    return { body: subscribeBody, response: subscribeResponse };
  },
});

export const listTopics = operation({
  method: 'GET',
  path: '/v2/topics',
  summary: 'List topics',
  section: 'Topics',
  source: 'specification',
  success: 200,
  hasDataField: true,
  paging: { style: 'cursor', items: 'data', cap: 100 },
  bodyLimit: smallBody,
  rate: { category: 'configuration', cost: 1 },
  schemas: async () => {
    const { listTopicsQuery, topicPage } = await schemas();
    return { query: listTopicsQuery, response: topicPage };
  },
});

export const getTopic = operation({
  method: 'GET',
  path: '/v2/topics/{topicKey}',
  summary: 'Retrieve a topic',
  section: 'Topics',
  source: 'specification',
  success: 200,
  bodyLimit: smallBody,
  rate: { category: 'configuration', cost: 1 },
  schemas: async () => {
    const { topic } = await schemas();
    return { response: topic };
  },
});

export const renameTopic = operation({
  method: 'PATCH',
  path: '/v2/topics/{topicKey}',
  summary: 'Rename a topic',
  section: 'Topics',
  source: 'specification',
  success: 200,
  idempotent: () => true,
  bodyLimit: smallBody,
  rate: { category: 'configuration', cost: 1 },
  schemas: async () => {
    const { renameTopicBody, topic } = await schemas();
    return { body: renameTopicBody, response: topic };
  },
});
