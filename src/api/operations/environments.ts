// Environments (specification: Endpoints, Environments).
import { operation, smallBody } from '../operation.ts';

const schemas = () => import('../schemas/environments.ts');

export const createEnvironment = operation({
  method: 'POST',
  path: '/v1/environments',
  summary: 'Create an environment in the current organization',
  section: 'Environments',
  source: 'specification',
  success: 201,
  bodyLimit: smallBody,
  rate: { category: 'global', cost: 1 },
  schemas: async () => {
    const { createEnvironmentBody, environment } = await schemas();
    return { body: createEnvironmentBody, response: environment };
  },
});

export const listEnvironments = operation({
  method: 'GET',
  path: '/v1/environments',
  summary: 'List the environments of the current organization with their API keys',
  section: 'Environments',
  source: 'specification',
  success: 200,
  bodyLimit: smallBody,
  rate: { category: 'global', cost: 1 },
  schemas: async () => {
    const { environmentList } = await schemas();
    return { response: environmentList };
  },
});
