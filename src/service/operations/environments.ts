// Environments (specification: Endpoints, Environments).
import { operation, serviceOperation } from '../operation.ts';

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

  getCurrentEnvironment: serviceOperation({
    method: 'GET',
    path: '/v1/environments/me',
    summary: 'Retrieve the environment of the API key, without its keys',
    section: 'Environments',
    rate: { category: 'global', cost: 1 },
    schemas: async () => {
      const { environment } = await schemas();
      return { response: environment };
    },
  }),

  listApiKeys: serviceOperation({
    method: 'GET',
    path: '/v1/environments/api-keys',
    summary: 'List the API keys of the environment of the API key',
    section: 'Environments',
    rate: { category: 'global', cost: 1 },
    schemas: async () => {
      const { apiKeyList } = await schemas();
      return { response: apiKeyList };
    },
  }),

  updateEnvironment: serviceOperation({
    method: 'PUT',
    path: '/v1/environments/{environmentId}',
    summary: 'Update the name, color or parent of an environment',
    section: 'Environments',
    rate: { category: 'global', cost: 1 },
    schemas: async () => {
      const { updateEnvironmentBody, environmentChange } = await schemas();
      return { body: updateEnvironmentBody, response: environmentChange };
    },
  }),

  deleteEnvironment: serviceOperation({
    method: 'DELETE',
    path: '/v1/environments/{environmentId}',
    summary: 'Delete an environment with everything in it',
    section: 'Environments',
    rate: { category: 'global', cost: 1 },
    schemas: async () => {
      const { deletedEnvironment } = await schemas();
      return { response: deletedEnvironment };
    },
  }),

  listEnvironmentTags: serviceOperation({
    method: 'GET',
    path: '/v2/environments/{environmentId}/tags',
    summary: 'List the tags of the workflows of an environment',
    section: 'Environments',
    rate: { category: 'global', cost: 1 },
    schemas: async () => {
      const { tagList } = await schemas();
      return { response: tagList };
    },
  }),
};
