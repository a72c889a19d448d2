// Integrations (specification: Endpoints, Integrations).
import { operationsWith, schemasIn } from '../operation.ts';

const load = schemasIn(() => import('../schemas/integrations.ts'));

const { operation, serviceOperation } = operationsWith({
  section: 'Integrations',
  rate: { category: 'global', cost: 1 },
});

export const integrations = {
  updateIntegration: operation('PUT /v1/integrations/{integrationId}', {
    summary: 'Update an integration; given credentials replace all stored ones',
    schemas: load((s) => ({ body: s.updateIntegrationBody, response: s.integration })),
  }),

  deleteIntegration: operation('DELETE /v1/integrations/{integrationId}', {
    summary: 'Delete an integration permanently; returns the remaining integrations',
    schemas: load((s) => ({ response: s.integrationList })),
  }),

  listIntegrations: serviceOperation('GET /v1/integrations', {
    sdk: 'integrations.list',
    summary: 'List the integrations of all environments with their credentials',
    schemas: load((s) => ({ response: s.integrationList })),
  }),

  listActiveIntegrations: serviceOperation('GET /v1/integrations/active', {
    summary: 'List the active integrations of all environments with their credentials',
    schemas: load((s) => ({ response: s.integrationList })),
  }),

  getWebhookStatus: serviceOperation(
    'GET /v1/integrations/webhook/provider/{providerOrIntegrationId}/status',
    {
      summary: 'Show whether the service can read the delivery reports of a provider',
      schemas: load((s) => ({ response: s.webhookStatus })),
    },
  ),

  createIntegration: serviceOperation('POST /v1/integrations', {
    sdk: 'integrations.create',
    summary: 'Create an integration',
    schemas: load((s) => ({ body: s.createIntegrationBody, response: s.integration })),
  }),

  setPrimaryIntegration: serviceOperation('POST /v1/integrations/{integrationId}/set-primary', {
    summary:
      'Make an integration the primary one of its channel; activates it and clears its conditions',
    idempotent: () => true,
    schemas: load((s) => ({ response: s.integration })),
  }),
};
