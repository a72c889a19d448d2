// Subscribers, their provider credentials, preferences and topics (specification: Endpoints, Subscribers).
import { limits } from '../limits.ts';
import { operationsWith, schemasIn } from '../operation.ts';

const load = schemasIn(() => import('../schemas/subscribers.ts'));
const loadPreferences = schemasIn(() => import('../schemas/preferences.ts'));
const loadTopics = schemasIn(() => import('../schemas/topics.ts'));

const credentialsPath = '/v1/subscribers/{subscriberId}/credentials';
const { operation, serviceOperation } = operationsWith({ section: 'Subscribers' });

export const subscribers = {
  setSubscriberCredentials: operation(`PATCH ${credentialsPath}`, {
    sdk: 'subscribers.credentials.append',
    summary: 'Set the credentials of a provider for a subscriber; device tokens are appended',
    schemas: load((s) => ({ body: s.setCredentialsBody, response: s.subscriber })),
  }),

  deleteSubscriberCredentials: operation(`DELETE ${credentialsPath}/{providerId}`, {
    summary: 'Remove the credentials of a provider from a subscriber permanently',
    success: 204,
    schemas: load((s) => ({ response: s.emptyResponse })),
  }),

  bulkCreateSubscribers: operation('POST /v1/subscribers/bulk', {
    sdk: 'subscribers.createBulk',
    summary: 'Create or update up to 500 subscribers',
    batch: { items: 'subscribers', count: limits.subscribersPerRequest, bytes: limits.body },
    idempotent: () => true,
    rate: { category: 'configuration', cost: 100 },
    schemas: load((s) => ({ body: s.bulkSubscribersBody, response: s.bulkSubscribersResponse })),
  }),

  getSubscriberPreferences: operation('GET /v2/subscribers/{subscriberId}/preferences', {
    summary: 'Retrieve the global and per-workflow preferences of a subscriber',
    schemas: loadPreferences((s) => ({ query: s.getPreferencesQuery, response: s.preferences })),
  }),

  updateSubscriberPreferences: operation('PATCH /v2/subscribers/{subscriberId}/preferences', {
    summary: 'Update the global or per-workflow preferences of a subscriber',
    schemas: loadPreferences((s) => ({ body: s.updatePreferencesBody, response: s.preferences })),
  }),

  listSubscribers: serviceOperation('GET /v2/subscribers', {
    sdk: 'subscribers.search',
    summary: 'List subscribers, newest first',
    paging: { style: 'cursor', items: 'data', cap: limits.page.default },
    schemas: load((s) => ({ query: s.listSubscribersQuery, response: s.subscriberPage })),
  }),

  getSubscriber: serviceOperation('GET /v2/subscribers/{subscriberId}', {
    sdk: 'subscribers.retrieve',
    summary: 'Retrieve a subscriber',
    schemas: load((s) => ({ response: s.subscriber })),
  }),

  createSubscriber: serviceOperation('POST /v2/subscribers', {
    sdk: 'subscribers.create',
    summary: 'Create or update a subscriber; without `data` in the body, stored data is erased',
    idempotent: () => true,
    schemas: load((s) => ({
      query: s.failIfExistsQuery,
      body: s.createSubscriberBody,
      response: s.subscriber,
    })),
  }),

  updateSubscriber: serviceOperation('PATCH /v2/subscribers/{subscriberId}', {
    sdk: 'subscribers.patch',
    summary: 'Update the given fields of a subscriber; null clears a field',
    schemas: load((s) => ({ body: s.updateSubscriberBody, response: s.subscriber })),
  }),

  deleteSubscriber: serviceOperation('DELETE /v2/subscribers/{subscriberId}', {
    sdk: 'subscribers.delete',
    summary: 'Delete a subscriber with its subscriptions and preferences',
    schemas: load((s) => ({ response: s.acknowledgement })),
  }),

  listSubscriberTopics: serviceOperation('GET /v2/subscribers/{subscriberId}/subscriptions', {
    summary: 'List the topics of a subscriber',
    paging: { style: 'cursor', items: 'data', cap: limits.page.default },
    schemas: loadTopics((s) => ({
      query: s.listSubscriberTopicsQuery,
      response: s.subscriptionPage,
    })),
  }),

  updateManyPreferences: serviceOperation('PATCH /v2/subscribers/{subscriberId}/preferences/bulk', {
    summary: 'Update the preferences of a subscriber for up to 100 workflows',
    batch: { items: 'preferences', count: limits.preferencesPerRequest, bytes: limits.body },
    schemas: loadPreferences((s) => ({
      body: s.updateManyPreferencesBody,
      response: s.updatedPreferences,
    })),
  }),

  replaceSubscriberCredentials: serviceOperation(`PUT ${credentialsPath}`, {
    sdk: 'subscribers.credentials.update',
    summary: 'Replace the credentials of a provider for a subscriber',
    schemas: load((s) => ({ body: s.replaceCredentialsBody, response: s.subscriber })),
  }),

  setOnlineStatus: serviceOperation('PATCH /v1/subscribers/{subscriberId}/online-status', {
    summary: 'Set whether a subscriber is online',
    schemas: load((s) => ({ body: s.onlineBody, response: s.subscriber })),
  }),
};

// Subscribers in version 1 of the routes, which older clients of the service call. The sandbox serves them.

export const subscribersV1 = {
  listSubscribersV1: serviceOperation('GET /v1/subscribers', {
    summary: 'List subscribers by page, oldest first (deprecated)',
    deprecated: { by: 'GET /v2/subscribers' },
    hasDataField: true,
    schemas: load((s) => ({ query: s.subscriberListQuery, response: s.subscriberList })),
  }),

  getSubscriberV1: serviceOperation('GET /v1/subscribers/{subscriberId}', {
    summary: 'Retrieve a subscriber, with its topics if requested (deprecated)',
    deprecated: { by: 'GET /v2/subscribers/{subscriberId}' },
    schemas: load((s) => ({ query: s.includeTopicsQuery, response: s.subscriber })),
  }),

  createSubscriberV1: serviceOperation('POST /v1/subscribers', {
    summary: 'Create a subscriber, or update the given fields of an existing one (deprecated)',
    deprecated: { by: 'POST /v2/subscribers' },
    idempotent: () => true,
    schemas: load((s) => ({ body: s.subscriberRow, response: s.subscriber })),
  }),

  updateSubscriberV1: serviceOperation('PUT /v1/subscribers/{subscriberId}', {
    summary: 'Update the given fields of a subscriber (deprecated)',
    deprecated: { by: 'PATCH /v2/subscribers/{subscriberId}' },
    schemas: load((s) => ({ body: s.subscriberFieldsBody, response: s.subscriber })),
  }),

  deleteSubscriberV1: serviceOperation('DELETE /v1/subscribers/{subscriberId}', {
    summary: 'Delete a subscriber with its subscriptions and preferences (deprecated)',
    deprecated: { by: 'DELETE /v2/subscribers/{subscriberId}' },
    schemas: load((s) => ({ response: s.acknowledgement })),
  }),
};

// Preferences in version 1 of the routes, which older clients of the service call. The sandbox serves them.

const preferencePath = '/v1/subscribers/{subscriberId}/preferences/{parameter}';

export const preferencesV1 = {
  listPreferencesV1: serviceOperation('GET /v1/subscribers/{subscriberId}/preferences', {
    summary: 'List the preferences of a subscriber for all workflows (deprecated)',
    deprecated: { by: 'GET /v2/subscribers/{subscriberId}/preferences' },
    schemas: loadPreferences((s) => ({
      query: s.inactiveChannelsQuery,
      response: s.preferencesV1,
    })),
  }),

  listPreferencesOfLevel: serviceOperation(`GET ${preferencePath}`, {
    summary: 'List the preferences of a subscriber of one level: global or template (deprecated)',
    deprecated: { by: 'GET /v2/subscribers/{subscriberId}/preferences' },
    schemas: loadPreferences((s) => ({
      query: s.inactiveChannelsQuery,
      response: s.preferencesV1,
    })),
  }),

  updatePreferenceV1: serviceOperation(`PATCH ${preferencePath}`, {
    summary: 'Update the preference of a subscriber for a workflow (deprecated)',
    deprecated: { by: 'PATCH /v2/subscribers/{subscriberId}/preferences' },
    schemas: loadPreferences((s) => ({ body: s.updatePreferenceV1Body, response: s.preferenceV1 })),
  }),

  updateGlobalPreferenceV1: serviceOperation('PATCH /v1/subscribers/{subscriberId}/preferences', {
    summary: 'Update the global preference of a subscriber (deprecated)',
    deprecated: { by: 'PATCH /v2/subscribers/{subscriberId}/preferences' },
    schemas: loadPreferences((s) => ({
      body: s.updateGlobalPreferenceV1Body,
      response: s.globalPreferenceV1,
    })),
  }),
};
