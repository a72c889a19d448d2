// Topics in version 1 of the routes, which older clients of the service call. The sandbox serves them.
import { serviceOperation } from '../operation.ts';

const schemas = () => import('../schemas/topics.ts');

export const topicsV1 = {
  listTopicsV1: serviceOperation({
    method: 'GET',
    path: '/v1/topics',
    summary: 'List topics by page, with the ids of their subscribers (deprecated)',
    section: 'Topics',
    hasDataField: true,
    schemas: async () => {
      const { listTopicsV1Query, topicListV1 } = await schemas();
      return { query: listTopicsV1Query, response: topicListV1 };
    },
  }),

  getTopicV1: serviceOperation({
    method: 'GET',
    path: '/v1/topics/{topicKey}',
    summary: 'Retrieve a topic with the ids of its subscribers (deprecated)',
    section: 'Topics',
    schemas: async () => {
      const { topicV1 } = await schemas();
      return { response: topicV1 };
    },
  }),

  createTopicV1: serviceOperation({
    method: 'POST',
    path: '/v1/topics',
    summary: 'Create a topic that does not exist (deprecated)',
    section: 'Topics',
    success: 201,
    schemas: async () => {
      const { createTopicV1Body, createdTopicV1 } = await schemas();
      return { body: createTopicV1Body, response: createdTopicV1 };
    },
  }),

  renameTopicV1: serviceOperation({
    method: 'PATCH',
    path: '/v1/topics/{topicKey}',
    summary: 'Rename a topic (deprecated)',
    section: 'Topics',
    idempotent: () => true,
    schemas: async () => {
      const { renameTopicV1Body, topicV1 } = await schemas();
      return { body: renameTopicV1Body, response: topicV1 };
    },
  }),

  deleteTopicV1: serviceOperation({
    method: 'DELETE',
    path: '/v1/topics/{topicKey}',
    summary: 'Delete a topic without subscribers (deprecated)',
    section: 'Topics',
    success: 204,
    schemas: async () => {
      const { emptyResponse } = await schemas();
      return { response: emptyResponse };
    },
  }),

  addTopicSubscribers: serviceOperation({
    method: 'POST',
    path: '/v1/topics/{topicKey}/subscribers',
    summary:
      'Subscribe subscribers to a topic; creates the topic if it does not exist (deprecated)',
    section: 'Topics',
    idempotent: () => true,
    schemas: async () => {
      const { topicSubscribersBody, addedTopicSubscribers } = await schemas();
      return { body: topicSubscribersBody, response: addedTopicSubscribers };
    },
  }),

  removeTopicSubscribers: serviceOperation({
    method: 'POST',
    path: '/v1/topics/{topicKey}/subscribers/removal',
    summary: 'Remove subscribers from a topic (deprecated)',
    section: 'Topics',
    success: 204,
    idempotent: () => true,
    schemas: async () => {
      const { topicSubscribersBody, emptyResponse } = await schemas();
      return { body: topicSubscribersBody, response: emptyResponse };
    },
  }),
};
