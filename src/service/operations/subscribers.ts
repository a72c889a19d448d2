// Subscribers, their provider credentials, preferences and topics (specification: Endpoints, Subscribers).
import { limits } from '../limits.ts';
import { operation, schemasIn, serviceOperation } from '../operation.ts';

const load = schemasIn(() => import('../schemas/subscribers.ts'));
const loadPreferences = schemasIn(() => import('../schemas/preferences.ts'));
const loadTopics = schemasIn(() => import('../schemas/topics.ts'));

export const subscribers = {
  setSubscriberCredentials: operation({
    route: 'PATCH /v1/subscribers/{subscriberId}/credentials',
    sdk: 'subscribers.credentials.append',
    summary: 'Set the credentials of a provider for a subscriber; device tokens are appended',
    section: 'Subscribers',
    idempotent: () => true,
    schemas: load((s) => ({ body: s.setCredentialsBody, response: s.subscriber })),
  }),

  deleteSubscriberCredentials: operation({
    route: 'DELETE /v1/subscribers/{subscriberId}/credentials/{providerId}',
    summary: 'Remove the credentials of a provider from a subscriber permanently',
    section: 'Subscribers',
    success: 204,
    schemas: load((s) => ({ response: s.emptyResponse })),
  }),

  bulkCreateSubscribers: operation({
    route: 'POST /v1/subscribers/bulk',
    sdk: 'subscribers.createBulk',
    summary: 'Create or update up to 500 subscribers',
    section: 'Subscribers',
    success: 201,
    batch: { items: 'subscribers', count: limits.subscribersPerRequest, bytes: limits.body },
    idempotent: () => true,
    rate: { category: 'configuration', cost: 100 },
    schemas: load((s) => ({ body: s.bulkSubscribersBody, response: s.bulkSubscribersResponse })),
  }),

  getSubscriberPreferences: operation({
    route: 'GET /v2/subscribers/{subscriberId}/preferences',
    summary: 'Retrieve the global and per-workflow preferences of a subscriber',
    section: 'Subscribers',
    schemas: loadPreferences((s) => ({ query: s.getPreferencesQuery, response: s.preferences })),
  }),

  updateSubscriberPreferences: operation({
    route: 'PATCH /v2/subscribers/{subscriberId}/preferences',
    summary: 'Update the global or per-workflow preferences of a subscriber',
    section: 'Subscribers',
    idempotent: () => true,
    schemas: loadPreferences((s) => ({ body: s.updatePreferencesBody, response: s.preferences })),
  }),

  listSubscribers: serviceOperation({
    route: 'GET /v2/subscribers',
    sdk: 'subscribers.search',
    summary: 'List subscribers, newest first',
    section: 'Subscribers',
    hasDataField: true,
    paging: { style: 'cursor', items: 'data', cap: limits.page.default },
    schemas: load((s) => ({ query: s.listSubscribersQuery, response: s.subscriberPage })),
  }),

  getSubscriber: serviceOperation({
    route: 'GET /v2/subscribers/{subscriberId}',
    sdk: 'subscribers.retrieve',
    summary: 'Retrieve a subscriber',
    section: 'Subscribers',
    schemas: load((s) => ({ response: s.subscriber })),
  }),

  createSubscriber: serviceOperation({
    route: 'POST /v2/subscribers',
    sdk: 'subscribers.create',
    summary: 'Create or update a subscriber; without `data` in the body, stored data is erased',
    section: 'Subscribers',
    success: 201,
    idempotent: () => true,
    schemas: load((s) => ({
      query: s.failIfExistsQuery,
      body: s.createSubscriberBody,
      response: s.subscriber,
    })),
  }),

  updateSubscriber: serviceOperation({
    route: 'PATCH /v2/subscribers/{subscriberId}',
    sdk: 'subscribers.patch',
    summary: 'Update the given fields of a subscriber; null clears a field',
    section: 'Subscribers',
    idempotent: () => true,
    schemas: load((s) => ({ body: s.updateSubscriberBody, response: s.subscriber })),
  }),

  deleteSubscriber: serviceOperation({
    route: 'DELETE /v2/subscribers/{subscriberId}',
    sdk: 'subscribers.delete',
    summary: 'Delete a subscriber with its subscriptions and preferences',
    section: 'Subscribers',
    schemas: load((s) => ({ response: s.acknowledgement })),
  }),

  listSubscriberTopics: serviceOperation({
    route: 'GET /v2/subscribers/{subscriberId}/subscriptions',
    summary: 'List the topics of a subscriber',
    section: 'Subscribers',
    hasDataField: true,
    paging: { style: 'cursor', items: 'data', cap: limits.page.default },
    schemas: loadTopics((s) => ({
      query: s.listSubscriberTopicsQuery,
      response: s.subscriptionPage,
    })),
  }),

  updateManyPreferences: serviceOperation({
    route: 'PATCH /v2/subscribers/{subscriberId}/preferences/bulk',
    summary: 'Update the preferences of a subscriber for up to 100 workflows',
    section: 'Subscribers',
    batch: { items: 'preferences', count: limits.preferencesPerRequest, bytes: limits.body },
    idempotent: () => true,
    schemas: loadPreferences((s) => ({
      body: s.updateManyPreferencesBody,
      response: s.updatedPreferences,
    })),
  }),

  replaceSubscriberCredentials: serviceOperation({
    route: 'PUT /v1/subscribers/{subscriberId}/credentials',
    sdk: 'subscribers.credentials.update',
    summary: 'Replace the credentials of a provider for a subscriber',
    section: 'Subscribers',
    schemas: load((s) => ({ body: s.replaceCredentialsBody, response: s.subscriber })),
  }),

  setOnlineStatus: serviceOperation({
    route: 'PATCH /v1/subscribers/{subscriberId}/online-status',
    summary: 'Set whether a subscriber is online',
    section: 'Subscribers',
    idempotent: () => true,
    schemas: load((s) => ({ body: s.onlineBody, response: s.subscriber })),
  }),
};

// Subscribers in version 1 of the routes, which older clients of the service call. The sandbox serves them.

export const subscribersV1 = {
  listSubscribersV1: serviceOperation({
    route: 'GET /v1/subscribers',
    summary: 'List subscribers by page, oldest first (deprecated)',
    deprecated: { by: 'GET /v2/subscribers' },
    section: 'Subscribers',
    hasDataField: true,
    schemas: load((s) => ({ query: s.subscriberListQuery, response: s.subscriberList })),
  }),

  getSubscriberV1: serviceOperation({
    route: 'GET /v1/subscribers/{subscriberId}',
    summary: 'Retrieve a subscriber, with its topics if requested (deprecated)',
    deprecated: { by: 'GET /v2/subscribers/{subscriberId}' },
    section: 'Subscribers',
    schemas: load((s) => ({ query: s.includeTopicsQuery, response: s.subscriber })),
  }),

  createSubscriberV1: serviceOperation({
    route: 'POST /v1/subscribers',
    summary: 'Create a subscriber, or update the given fields of an existing one (deprecated)',
    deprecated: { by: 'POST /v2/subscribers' },
    section: 'Subscribers',
    success: 201,
    idempotent: () => true,
    schemas: load((s) => ({ body: s.subscriberRow, response: s.subscriber })),
  }),

  updateSubscriberV1: serviceOperation({
    route: 'PUT /v1/subscribers/{subscriberId}',
    summary: 'Update the given fields of a subscriber (deprecated)',
    deprecated: { by: 'PATCH /v2/subscribers/{subscriberId}' },
    section: 'Subscribers',
    schemas: load((s) => ({ body: s.subscriberFieldsBody, response: s.subscriber })),
  }),

  deleteSubscriberV1: serviceOperation({
    route: 'DELETE /v1/subscribers/{subscriberId}',
    summary: 'Delete a subscriber with its subscriptions and preferences (deprecated)',
    deprecated: { by: 'DELETE /v2/subscribers/{subscriberId}' },
    section: 'Subscribers',
    schemas: load((s) => ({ response: s.acknowledgement })),
  }),
};

// Preferences in version 1 of the routes, which older clients of the service call. The sandbox serves them.

export const preferencesV1 = {
  listPreferencesV1: serviceOperation({
    route: 'GET /v1/subscribers/{subscriberId}/preferences',
    summary: 'List the preferences of a subscriber for all workflows (deprecated)',
    deprecated: { by: 'GET /v2/subscribers/{subscriberId}/preferences' },
    section: 'Subscribers',
    schemas: loadPreferences((s) => ({
      query: s.inactiveChannelsQuery,
      response: s.preferencesV1,
    })),
  }),

  listPreferencesOfLevel: serviceOperation({
    route: 'GET /v1/subscribers/{subscriberId}/preferences/{parameter}',
    summary: 'List the preferences of a subscriber of one level: global or template (deprecated)',
    deprecated: { by: 'GET /v2/subscribers/{subscriberId}/preferences' },
    section: 'Subscribers',
    schemas: loadPreferences((s) => ({
      query: s.inactiveChannelsQuery,
      response: s.preferencesV1,
    })),
  }),

  updatePreferenceV1: serviceOperation({
    route: 'PATCH /v1/subscribers/{subscriberId}/preferences/{parameter}',
    summary: 'Update the preference of a subscriber for a workflow (deprecated)',
    deprecated: { by: 'PATCH /v2/subscribers/{subscriberId}/preferences' },
    section: 'Subscribers',
    idempotent: () => true,
    schemas: loadPreferences((s) => ({ body: s.updatePreferenceV1Body, response: s.preferenceV1 })),
  }),

  updateGlobalPreferenceV1: serviceOperation({
    route: 'PATCH /v1/subscribers/{subscriberId}/preferences',
    summary: 'Update the global preference of a subscriber (deprecated)',
    deprecated: { by: 'PATCH /v2/subscribers/{subscriberId}/preferences' },
    section: 'Subscribers',
    idempotent: () => true,
    schemas: loadPreferences((s) => ({
      body: s.updateGlobalPreferenceV1Body,
      response: s.globalPreferenceV1,
    })),
  }),
};
