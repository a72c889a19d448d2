// Contexts: the operations that the specification does not have.
import { operation, smallBody } from '../../operation.ts';

const schemas = () => import('../../schemas/contexts.ts');

export const createContext = operation({
  method: 'POST',
  path: '/v2/contexts',
  summary: 'Create a context',
  section: 'Contexts',
  source: 'service',
  success: 201,
  bodyLimit: smallBody,
  rate: { category: 'global', cost: 1 },
  schemas: async () => {
    const { createContextBody, context } = await schemas();
    return { body: createContextBody, response: context };
  },
});

export const updateContext = operation({
  method: 'PATCH',
  path: '/v2/contexts/{type}/{id}',
  summary: 'Replace the data of a context',
  section: 'Contexts',
  source: 'service',
  success: 200,
  idempotent: () => true,
  bodyLimit: smallBody,
  rate: { category: 'global', cost: 1 },
  schemas: async () => {
    const { updateContextBody, context } = await schemas();
    return { body: updateContextBody, response: context };
  },
});

export const deleteContext = operation({
  method: 'DELETE',
  path: '/v2/contexts/{type}/{id}',
  summary: 'Delete a context',
  section: 'Contexts',
  source: 'service',
  success: 204,
  bodyLimit: smallBody,
  rate: { category: 'global', cost: 1 },
  schemas: async () => {
    const { emptyResponse } = await schemas();
    return { response: emptyResponse };
  },
});
