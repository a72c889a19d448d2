// Contexts (specification: Endpoints, Contexts).
import { limits } from '../limits.ts';
import { operation, serviceOperation } from '../operation.ts';

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

  createContext: serviceOperation({
    method: 'POST',
    path: '/v2/contexts',
    summary: 'Create a context',
    section: 'Contexts',
    success: 201,
    rate: { category: 'global', cost: 1 },
    schemas: async () => {
      const { createContextBody, context } = await schemas();
      return { body: createContextBody, response: context };
    },
  }),

  updateContext: serviceOperation({
    method: 'PATCH',
    path: '/v2/contexts/{type}/{id}',
    summary: 'Replace the data of a context',
    section: 'Contexts',
    idempotent: () => true,
    rate: { category: 'global', cost: 1 },
    schemas: async () => {
      const { updateContextBody, context } = await schemas();
      return { body: updateContextBody, response: context };
    },
  }),

  deleteContext: serviceOperation({
    method: 'DELETE',
    path: '/v2/contexts/{type}/{id}',
    summary: 'Delete a context',
    section: 'Contexts',
    success: 204,
    rate: { category: 'global', cost: 1 },
    schemas: async () => {
      const { emptyResponse } = await schemas();
      return { response: emptyResponse };
    },
  }),
};
