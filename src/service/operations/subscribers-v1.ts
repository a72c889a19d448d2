// Subscribers in version 1 of the routes, which older clients of the service call. The sandbox serves them.
import { serviceOperation } from '../operation.ts';

const schemas = () => import('../schemas/subscribers.ts');

export const subscribersV1 = {
  listSubscribersV1: serviceOperation({
    method: 'GET',
    path: '/v1/subscribers',
    summary: 'List subscribers by page, oldest first (deprecated)',
    section: 'Subscribers',
    hasDataField: true,
    schemas: async () => {
      const { subscriberListQuery, subscriberList } = await schemas();
      return { query: subscriberListQuery, response: subscriberList };
    },
  }),

  getSubscriberV1: serviceOperation({
    method: 'GET',
    path: '/v1/subscribers/{subscriberId}',
    summary: 'Retrieve a subscriber, with its topics if requested (deprecated)',
    section: 'Subscribers',
    schemas: async () => {
      const { includeTopicsQuery, subscriber } = await schemas();
      return { query: includeTopicsQuery, response: subscriber };
    },
  }),

  createSubscriberV1: serviceOperation({
    method: 'POST',
    path: '/v1/subscribers',
    summary: 'Create a subscriber, or update the given fields of an existing one (deprecated)',
    section: 'Subscribers',
    success: 201,
    idempotent: () => true,
    schemas: async () => {
      const { subscriberRow, subscriber } = await schemas();
      return { body: subscriberRow, response: subscriber };
    },
  }),

  updateSubscriberV1: serviceOperation({
    method: 'PUT',
    path: '/v1/subscribers/{subscriberId}',
    summary: 'Update the given fields of a subscriber (deprecated)',
    section: 'Subscribers',
    schemas: async () => {
      const { subscriberFieldsBody, subscriber } = await schemas();
      return { body: subscriberFieldsBody, response: subscriber };
    },
  }),

  deleteSubscriberV1: serviceOperation({
    method: 'DELETE',
    path: '/v1/subscribers/{subscriberId}',
    summary: 'Delete a subscriber with its subscriptions and preferences (deprecated)',
    section: 'Subscribers',
    schemas: async () => {
      const { acknowledgement } = await schemas();
      return { response: acknowledgement };
    },
  }),
};
