// Integrations (specification: Endpoints, Integrations).
import { operation } from '../operation.ts';

const schemas = () => import('../schemas/integrations.ts');

export const integrations = {
  updateIntegration: operation({
    method: 'PUT',
    path: '/v1/integrations/{integrationId}',
    summary: 'Update an integration; given credentials replace all stored ones',
    section: 'Integrations',
    rate: { category: 'global', cost: 1 },
    schemas: async () => {
      const { updateIntegrationBody, integration } = await schemas();
      return { body: updateIntegrationBody, response: integration };
    },
  }),

  deleteIntegration: operation({
    method: 'DELETE',
    path: '/v1/integrations/{integrationId}',
    summary: 'Delete an integration permanently; returns the remaining integrations',
    section: 'Integrations',
    rate: { category: 'global', cost: 1 },
    schemas: async () => {
      const { integrationList } = await schemas();
      return { response: integrationList };
    },
  }),
};
