// Integrations (specification: Endpoints, Integrations).
import { operation, schemasIn, serviceOperation } from '../operation.ts';

const load = schemasIn(() => import('../schemas/integrations.ts'));

export const integrations = {
  updateIntegration: operation({
    route: 'PUT /v1/integrations/{integrationId}',
    summary: 'Update an integration; given credentials replace all stored ones',
    section: 'Integrations',
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ body: s.updateIntegrationBody, response: s.integration })),
  }),

  deleteIntegration: operation({
    route: 'DELETE /v1/integrations/{integrationId}',
    summary: 'Delete an integration permanently; returns the remaining integrations',
    section: 'Integrations',
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ response: s.integrationList })),
  }),

  listIntegrations: serviceOperation({
    route: 'GET /v1/integrations',
    sdk: 'integrations.list',
    summary: 'List the integrations of all environments with their credentials',
    section: 'Integrations',
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ response: s.integrationList })),
  }),

  listActiveIntegrations: serviceOperation({
    route: 'GET /v1/integrations/active',
    summary: 'List the active integrations of all environments with their credentials',
    section: 'Integrations',
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ response: s.integrationList })),
  }),

  getWebhookStatus: serviceOperation({
    route: 'GET /v1/integrations/webhook/provider/{providerOrIntegrationId}/status',
    summary: 'Show whether the service can read the delivery reports of a provider',
    section: 'Integrations',
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ response: s.webhookStatus })),
  }),

  createIntegration: serviceOperation({
    route: 'POST /v1/integrations',
    sdk: 'integrations.create',
    summary: 'Create an integration',
    section: 'Integrations',
    success: 201,
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ body: s.createIntegrationBody, response: s.integration })),
  }),

  setPrimaryIntegration: serviceOperation({
    route: 'POST /v1/integrations/{integrationId}/set-primary',
    summary:
      'Make an integration the primary one of its channel; activates it and clears its conditions',
    section: 'Integrations',
    success: 201,
    idempotent: () => true,
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ response: s.integration })),
  }),
};
