// Environments: the operations that the specification does not have.
import { operation, smallBody } from '../../operation.ts';

const schemas = () => import('../../schemas/environments.ts');

export const updateEnvironment = operation({
  method: 'PUT',
  path: '/v1/environments/{environmentId}',
  summary: 'Update the name, color or parent of an environment',
  section: 'Environments',
  source: 'service',
  success: 200,
  bodyLimit: smallBody,
  rate: { category: 'global', cost: 1 },
  schemas: async () => {
    const { updateEnvironmentBody, environmentChange } = await schemas();
    return { body: updateEnvironmentBody, response: environmentChange };
  },
});

export const deleteEnvironment = operation({
  method: 'DELETE',
  path: '/v1/environments/{environmentId}',
  summary: 'Delete an environment with everything in it',
  section: 'Environments',
  source: 'service',
  success: 200,
  bodyLimit: smallBody,
  rate: { category: 'global', cost: 1 },
  schemas: async () => {
    const { deletedEnvironment } = await schemas();
    return { response: deletedEnvironment };
  },
});

export const listEnvironmentTags = operation({
  method: 'GET',
  path: '/v2/environments/{environmentId}/tags',
  summary: 'List the tags of the workflows of an environment',
  section: 'Environments',
  source: 'service',
  success: 200,
  bodyLimit: smallBody,
  rate: { category: 'global', cost: 1 },
  schemas: async () => {
    const { tagList } = await schemas();
    return { response: tagList };
  },
});
