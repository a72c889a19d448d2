// Subscribers, their provider credentials and preferences (specification: Endpoints, Subscribers).
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

const schemas = () => import('../schemas/subscribers.ts');
const preferenceSchemas = () => import('../schemas/preferences.ts');

export const subscribers = {
  setSubscriberCredentials: operation({
    method: 'PATCH',
    path: '/v1/subscribers/{subscriberId}/credentials',
    summary: 'Set the credentials of a provider for a subscriber; device tokens are appended',
    section: 'Subscribers',
    idempotent: () => true,
    rate: { category: 'configuration', cost: 1 },
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
    rate: { category: 'configuration', cost: 1 },
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
    rate: { category: 'configuration', cost: 1 },
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
    rate: { category: 'configuration', cost: 1 },
    schemas: async () => {
      const { updatePreferencesBody, preferences } = await preferenceSchemas();
      return { body: updatePreferencesBody, response: preferences };
    },
  }),
};
