// The activity listing: triggered events with their jobs (specification: Endpoints, Events).
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

const schemas = () => import('../schemas/activity.ts');

export const activity = {
  listActivity: operation({
    method: 'GET',
    path: '/v1/notifications',
    summary: 'List triggered events with their jobs and execution details',
    section: 'Events',
    hasDataField: true,
    paging: { style: 'page', items: 'data', cap: limits.page.activity, pinnedBy: 'before' },
    rate: { category: 'global', cost: 1 },
    schemas: async () => {
      const { listActivityQuery, activityPage } = await schemas();
      return { query: listActivityQuery, response: activityPage };
    },
  }),
};
