// Subscribers, their topics, preferences and inbox: the operations that the specification does not have.
import { limits } from '../../limits.ts';
import { serviceOperation } from '../../operation.ts';

const schemas = () => import('../../schemas/subscribers.ts');
const topicsSchemas = () => import('../../schemas/topics.ts');
const preferencesSchemas = () => import('../../schemas/preferences.ts');
const inboxSchemas = () => import('../../schemas/inbox.ts');

export const serviceSubscribers = {
  listSubscribers: serviceOperation({
    method: 'GET',
    path: '/v2/subscribers',
    summary: 'List subscribers, newest first',
    section: 'Subscribers',
    hasDataField: true,
    paging: { style: 'cursor', items: 'data', cap: limits.page.default },
    rate: { category: 'configuration', cost: 1 },
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
    rate: { category: 'configuration', cost: 1 },
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
    rate: { category: 'configuration', cost: 1 },
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
    rate: { category: 'configuration', cost: 1 },
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
    rate: { category: 'configuration', cost: 1 },
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
    rate: { category: 'configuration', cost: 1 },
    schemas: async () => {
      const { listSubscriberTopicsQuery, subscriptionPage } = await topicsSchemas();
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
    rate: { category: 'configuration', cost: 1 },
    schemas: async () => {
      const { updateManyPreferencesBody, updatedPreferences } = await preferencesSchemas();
      return { body: updateManyPreferencesBody, response: updatedPreferences };
    },
  }),

  replaceSubscriberCredentials: serviceOperation({
    method: 'PUT',
    path: '/v1/subscribers/{subscriberId}/credentials',
    summary: 'Replace the credentials of a provider for a subscriber',
    section: 'Subscribers',
    rate: { category: 'configuration', cost: 1 },
    schemas: async () => {
      const { replaceCredentialsBody, subscriber } = await schemas();
      return { body: replaceCredentialsBody, response: subscriber };
    },
  }),

  countInboxNotifications: serviceOperation({
    method: 'GET',
    path: '/v1/subscribers/{subscriberId}/notifications/unseen',
    summary: 'Count the unseen in-app notifications of a subscriber, up to a limit',
    section: 'Subscribers',
    rate: { category: 'configuration', cost: 1 },
    schemas: async () => {
      const { countQuery, notificationCount } = await inboxSchemas();
      return { query: countQuery, response: notificationCount };
    },
  }),

  setNotificationAction: serviceOperation({
    method: 'POST',
    path: '/v1/subscribers/{subscriberId}/messages/{messageId}/actions/{type}',
    summary: 'Set the status of the primary or secondary button of an in-app notification',
    section: 'Subscribers',
    success: 201,
    idempotent: () => true,
    rate: { category: 'configuration', cost: 1 },
    schemas: async () => {
      const { actionBody, markedMessage } = await inboxSchemas();
      return { body: actionBody, response: markedMessage };
    },
  }),

  setOnlineStatus: serviceOperation({
    method: 'PATCH',
    path: '/v1/subscribers/{subscriberId}/online-status',
    summary: 'Set whether a subscriber is online',
    section: 'Subscribers',
    idempotent: () => true,
    rate: { category: 'configuration', cost: 1 },
    schemas: async () => {
      const { onlineBody, subscriber } = await schemas();
      return { body: onlineBody, response: subscriber };
    },
  }),

  markAllInboxNotifications: serviceOperation({
    method: 'POST',
    path: '/v1/subscribers/{subscriberId}/messages/mark-all',
    summary: 'Mark all in-app notifications of a subscriber',
    section: 'Subscribers',
    success: 201,
    idempotent: () => true,
    rate: { category: 'configuration', cost: 1 },
    schemas: async () => {
      const { markAllBody, changedCount } = await inboxSchemas();
      return { body: markAllBody, response: changedCount };
    },
  }),
};
