// Subscribers, their provider credentials, preferences and topics (specification: Endpoints, Subscribers).
import { limits } from '../limits.ts';
import { operation, serviceOperation } from '../operation.ts';

const schemas = () => import('../schemas/subscribers.ts');
const preferenceSchemas = () => import('../schemas/preferences.ts');
const topicSchemas = () => import('../schemas/topics.ts');

export const subscribers = {
  setSubscriberCredentials: operation({
    method: 'PATCH',
    path: '/v1/subscribers/{subscriberId}/credentials',
    summary: 'Set the credentials of a provider for a subscriber; device tokens are appended',
    section: 'Subscribers',
    idempotent: () => true,
    schemas: async () => {
      const { setCredentialsBody, subscriber } = await schemas();
      return { body: setCredentialsBody, response: subscriber };
    },
  }),

  deleteSubscriberCredentials: operation({
    method: 'DELETE',
    path: '/v1/subscribers/{subscriberId}/credentials/{providerId}',
    summary: 'Remove the credentials of a provider from a subscriber permanently',
    section: 'Subscribers',
    success: 204,
    schemas: async () => {
      const { emptyResponse } = await schemas();
      return { response: emptyResponse };
    },
  }),

  bulkCreateSubscribers: operation({
    method: 'POST',
    path: '/v1/subscribers/bulk',
    summary: 'Create or update up to 500 subscribers',
    section: 'Subscribers',
    success: 201,
    batch: { items: 'subscribers', count: limits.subscribersPerRequest, bytes: limits.body },
    idempotent: () => true,
    rate: { category: 'configuration', cost: 100 },
    schemas: async () => {
      const { bulkSubscribersBody, bulkSubscribersResponse } = await schemas();
      return { body: bulkSubscribersBody, response: bulkSubscribersResponse };
    },
  }),

  getSubscriberPreferences: operation({
    method: 'GET',
    path: '/v2/subscribers/{subscriberId}/preferences',
    summary: 'Retrieve the global and per-workflow preferences of a subscriber',
    section: 'Subscribers',
    schemas: async () => {
      const { getPreferencesQuery, preferences } = await preferenceSchemas();
      return { query: getPreferencesQuery, response: preferences };
    },
  }),

  updateSubscriberPreferences: operation({
    method: 'PATCH',
    path: '/v2/subscribers/{subscriberId}/preferences',
    summary: 'Update the global or per-workflow preferences of a subscriber',
    section: 'Subscribers',
    idempotent: () => true,
    schemas: async () => {
      const { updatePreferencesBody, preferences } = await preferenceSchemas();
      return { body: updatePreferencesBody, response: preferences };
    },
  }),

  listSubscribers: serviceOperation({
    method: 'GET',
    path: '/v2/subscribers',
    summary: 'List subscribers, newest first',
    section: 'Subscribers',
    hasDataField: true,
    paging: { style: 'cursor', items: 'data', cap: limits.page.default },
    schemas: async () => {
      const { listSubscribersQuery, subscriberPage } = await schemas();
      return { query: listSubscribersQuery, response: subscriberPage };
    },
  }),

  getSubscriber: serviceOperation({
    method: 'GET',
    path: '/v2/subscribers/{subscriberId}',
    summary: 'Retrieve a subscriber',
    section: 'Subscribers',
    schemas: async () => {
      const { subscriber } = await schemas();
      return { response: subscriber };
    },
  }),

  createSubscriber: serviceOperation({
    method: 'POST',
    path: '/v2/subscribers',
    summary: 'Create or update a subscriber; without `data` in the body, stored data is erased',
    section: 'Subscribers',
    success: 201,
    idempotent: () => true,
    schemas: async () => {
      const { failIfExistsQuery, createSubscriberBody, subscriber } = await schemas();
      return { query: failIfExistsQuery, body: createSubscriberBody, response: subscriber };
    },
  }),

  updateSubscriber: serviceOperation({
    method: 'PATCH',
    path: '/v2/subscribers/{subscriberId}',
    summary: 'Update the given fields of a subscriber; null clears a field',
    section: 'Subscribers',
    idempotent: () => true,
    schemas: async () => {
      const { updateSubscriberBody, subscriber } = await schemas();
      return { body: updateSubscriberBody, response: subscriber };
    },
  }),

  deleteSubscriber: serviceOperation({
    method: 'DELETE',
    path: '/v2/subscribers/{subscriberId}',
    summary: 'Delete a subscriber with its subscriptions and preferences',
    section: 'Subscribers',
    schemas: async () => {
      const { acknowledgement } = await schemas();
      return { response: acknowledgement };
    },
  }),

  listSubscriberTopics: serviceOperation({
    method: 'GET',
    path: '/v2/subscribers/{subscriberId}/subscriptions',
    summary: 'List the topics of a subscriber',
    section: 'Subscribers',
    hasDataField: true,
    paging: { style: 'cursor', items: 'data', cap: limits.page.default },
    schemas: async () => {
      const { listSubscriberTopicsQuery, subscriptionPage } = await topicSchemas();
      return { query: listSubscriberTopicsQuery, response: subscriptionPage };
    },
  }),

  updateManyPreferences: serviceOperation({
    method: 'PATCH',
    path: '/v2/subscribers/{subscriberId}/preferences/bulk',
    summary: 'Update the preferences of a subscriber for up to 100 workflows',
    section: 'Subscribers',
    batch: { items: 'preferences', count: limits.preferencesPerRequest, bytes: limits.body },
    idempotent: () => true,
    schemas: async () => {
      const { updateManyPreferencesBody, updatedPreferences } = await preferenceSchemas();
      return { body: updateManyPreferencesBody, response: updatedPreferences };
    },
  }),

  replaceSubscriberCredentials: serviceOperation({
    method: 'PUT',
    path: '/v1/subscribers/{subscriberId}/credentials',
    summary: 'Replace the credentials of a provider for a subscriber',
    section: 'Subscribers',
    schemas: async () => {
      const { replaceCredentialsBody, subscriber } = await schemas();
      return { body: replaceCredentialsBody, response: subscriber };
    },
  }),

  setOnlineStatus: serviceOperation({
    method: 'PATCH',
    path: '/v1/subscribers/{subscriberId}/online-status',
    summary: 'Set whether a subscriber is online',
    section: 'Subscribers',
    idempotent: () => true,
    schemas: async () => {
      const { onlineBody, subscriber } = await schemas();
      return { body: onlineBody, response: subscriber };
    },
  }),
};
