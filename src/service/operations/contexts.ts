// Contexts (specification: Endpoints, Contexts).
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

const schemas = () => import('../schemas/contexts.ts');

export const contexts = {
  listContexts: operation({
    method: 'GET',
    path: '/v2/contexts',
    summary: 'List contexts',
    section: 'Contexts',
    hasDataField: true,
    paging: { style: 'cursor', items: 'data', cap: limits.page.default },
    rate: { category: 'global', cost: 1 },
    schemas: async () => {
      const { listContextsQuery, contextPage } = await schemas();
      return { query: listContextsQuery, response: contextPage };
    },
  }),

  getContext: operation({
    method: 'GET',
    path: '/v2/contexts/{type}/{id}',
    summary: 'Retrieve a context',
    section: 'Contexts',
    rate: { category: 'global', cost: 1 },
    schemas: async () => {
      const { context } = await schemas();
      return { response: context };
    },
  }),
};
