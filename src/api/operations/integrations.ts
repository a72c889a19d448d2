// Integrations (specification: Endpoints, Integrations).
import { operation, smallBody } from '../operation.ts';

const schemas = () => import('../schemas/integrations.ts');

export const updateIntegration = operation({
  method: 'PUT',
  path: '/v1/integrations/{integrationId}',
  summary: 'Update an integration; given credentials replace all stored ones',
  section: 'Integrations',
  source: 'specification',
  success: 200,
  bodyLimit: smallBody,
  rate: { category: 'global', cost: 1 },
  schemas: async () => {
    const { updateIntegrationBody, integration } = await schemas();
    return { body: updateIntegrationBody, response: integration };
  },
});

export const deleteIntegration = operation({
  method: 'DELETE',
  path: '/v1/integrations/{integrationId}',
  summary: 'Delete an integration permanently; returns the remaining integrations',
  section: 'Integrations',
  source: 'specification',
  success: 200,
  bodyLimit: smallBody,
  rate: { category: 'global', cost: 1 },
  schemas: async () => {
    const { integrationList } = await schemas();
    return { response: integrationList };
  },
});
