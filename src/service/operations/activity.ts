// The activity: triggered events with their jobs (specification: Endpoints, Events).
import { limits } from '../limits.ts';
import { operation, serviceOperation } from '../operation.ts';

const schemas = () => import('../schemas/activity.ts');

export const activity = {
  listActivity: operation({
    method: 'GET',
    path: '/v1/notifications',
    summary: 'List triggered events with their jobs and execution details',
    section: 'Events',
    hasDataField: true,
    paging: { style: 'page', items: 'data', cap: limits.page.activity, pinnedBy: 'before' },
    exactFilters: ['transactionId'],
    rate: { category: 'global', cost: 1 },
    schemas: async () => {
      const { listActivityQuery, activityPage } = await schemas();
      return { query: listActivityQuery, response: activityPage };
    },
  }),

  listExecutionDetails: serviceOperation({
    method: 'GET',
    path: '/v1/execution-details',
    summary: 'List the execution details of a triggered event',
    section: 'Events',
    schemas: async () => {
      const { executionDetailsQuery, executionDetailList } = await schemas();
      return { query: executionDetailsQuery, response: executionDetailList };
    },
  }),

  // Before the operation with a parameter in this place.
  getActivityStats: serviceOperation({
    method: 'GET',
    path: '/v1/notifications/stats',
    summary: 'Count the triggered events of the last week and month',
    section: 'Events',
    rate: { category: 'global', cost: 1 },
    schemas: async () => {
      const { activityStats } = await schemas();
      return { response: activityStats };
    },
  }),

  getActivity: serviceOperation({
    method: 'GET',
    path: '/v1/notifications/{notificationId}',
    summary: 'Retrieve a triggered event with its jobs and execution details',
    section: 'Events',
    rate: { category: 'global', cost: 1 },
    schemas: async () => {
      const { activityItem } = await schemas();
      return { response: activityItem };
    },
  }),
};
