// Contexts (specification: Endpoints, Contexts).
import { operation, smallBody } from '../operation.ts';

const schemas = () => import('../schemas/contexts.ts');

export const listContexts = operation({
  method: 'GET',
  path: '/v2/contexts',
  summary: 'List contexts',
  section: 'Contexts',
  source: 'specification',
  success: 200,
  hasDataField: true,
  paging: { style: 'cursor', items: 'data', cap: 100 },
  bodyLimit: smallBody,
  rate: { category: 'global', cost: 1 },
  schemas: async () => {
    const { listContextsQuery, contextPage } = await schemas();
    return { query: listContextsQuery, response: contextPage };
  },
});

export const getContext = operation({
  method: 'GET',
  path: '/v2/contexts/{type}/{id}',
  summary: 'Retrieve a context',
  section: 'Contexts',
  source: 'specification',
  success: 200,
  bodyLimit: smallBody,
  rate: { category: 'global', cost: 1 },
  schemas: async () => {
    const { context } = await schemas();
    return { response: context };
  },
});
