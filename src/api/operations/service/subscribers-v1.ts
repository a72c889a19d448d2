// Subscribers in version 1 of the routes, which older clients of the service call. The sandbox serves them.
import { operation, smallBody } from '../../operation.ts';

const schemas = () => import('../../schemas/subscribers.ts');
const rate = { category: 'configuration', cost: 1 } as const;

export const listSubscribersV1 = operation({
  method: 'GET',
  path: '/v1/subscribers',
  summary: 'List subscribers by page, oldest first (deprecated)',
  section: 'Subscribers',
  source: 'service',
  success: 200,
  hasDataField: true,
  bodyLimit: smallBody,
  rate,
  schemas: async () => {
    const { subscriberListQuery, subscriberList } = await schemas();
    return { query: subscriberListQuery, response: subscriberList };
  },
});

export const getSubscriberV1 = operation({
  method: 'GET',
  path: '/v1/subscribers/{subscriberId}',
  summary: 'Retrieve a subscriber, with its topics if requested (deprecated)',
  section: 'Subscribers',
  source: 'service',
  success: 200,
  bodyLimit: smallBody,
  rate,
  schemas: async () => {
    const { includeTopicsQuery, subscriber } = await schemas();
    return { query: includeTopicsQuery, response: subscriber };
  },
});

export const createSubscriberV1 = operation({
  method: 'POST',
  path: '/v1/subscribers',
  summary: 'Create a subscriber, or update the given fields of an existing one (deprecated)',
  section: 'Subscribers',
  source: 'service',
  success: 201,
  idempotent: () => true,
  bodyLimit: smallBody,
  rate,
  schemas: async () => {
    const { subscriberRow, subscriber } = await schemas();
    return { body: subscriberRow, response: subscriber };
  },
});

export const updateSubscriberV1 = operation({
  method: 'PUT',
  path: '/v1/subscribers/{subscriberId}',
  summary: 'Update the given fields of a subscriber (deprecated)',
  section: 'Subscribers',
  source: 'service',
  success: 200,
  bodyLimit: smallBody,
  rate,
  schemas: async () => {
    const { subscriberFieldsBody, subscriber } = await schemas();
    return { body: subscriberFieldsBody, response: subscriber };
  },
});

export const deleteSubscriberV1 = operation({
  method: 'DELETE',
  path: '/v1/subscribers/{subscriberId}',
  summary: 'Delete a subscriber with its subscriptions and preferences (deprecated)',
  section: 'Subscribers',
  source: 'service',
  success: 200,
  bodyLimit: smallBody,
  rate,
  schemas: async () => {
    const { acknowledgement } = await schemas();
    return { response: acknowledgement };
  },
});
