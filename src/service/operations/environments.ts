// Environments (specification: Endpoints, Environments).
import { operation } from '../operation.ts';

const schemas = () => import('../schemas/environments.ts');

export const environments = {
  createEnvironment: operation({
    method: 'POST',
    path: '/v1/environments',
    summary: 'Create an environment in the current organization',
    section: 'Environments',
    success: 201,
    rate: { category: 'global', cost: 1 },
    schemas: async () => {
      const { createEnvironmentBody, environment } = await schemas();
      return { body: createEnvironmentBody, response: environment };
    },
  }),

  listEnvironments: operation({
    method: 'GET',
    path: '/v1/environments',
    summary: 'List the environments of the current organization with their API keys',
    section: 'Environments',
    rate: { category: 'global', cost: 1 },
    schemas: async () => {
      const { environmentList } = await schemas();
      return { response: environmentList };
    },
  }),
};
