// Contexts: the operations that the specification does not have.
import { serviceOperation } from '../../operation.ts';

const schemas = () => import('../../schemas/contexts.ts');

export const serviceContexts = {
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
