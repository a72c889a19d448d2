// Integrations: the operations that the specification does not have.
import { operation, smallBody } from '../../operation.ts';

const schemas = () => import('../../schemas/integrations.ts');

export const listIntegrations = operation({
  method: 'GET',
  path: '/v1/integrations',
  summary: 'List the integrations of all environments with their credentials',
  section: 'Integrations',
  source: 'service',
  success: 200,
  bodyLimit: smallBody,
  rate: { category: 'global', cost: 1 },
  schemas: async () => {
    const { integrationList } = await schemas();
    return { response: integrationList };
  },
});

export const listActiveIntegrations = operation({
  method: 'GET',
  path: '/v1/integrations/active',
  summary: 'List the active integrations of all environments with their credentials',
  section: 'Integrations',
  source: 'service',
  success: 200,
  bodyLimit: smallBody,
  rate: { category: 'global', cost: 1 },
  schemas: async () => {
    const { integrationList } = await schemas();
    return { response: integrationList };
  },
});

export const createIntegration = operation({
  method: 'POST',
  path: '/v1/integrations',
  summary: 'Create an integration',
  section: 'Integrations',
  source: 'service',
  success: 201,
  bodyLimit: smallBody,
  rate: { category: 'global', cost: 1 },
  schemas: async () => {
    const { createIntegrationBody, integration } = await schemas();
    return { body: createIntegrationBody, response: integration };
  },
});

export const setPrimaryIntegration = operation({
  method: 'POST',
  path: '/v1/integrations/{integrationId}/set-primary',
  summary:
    'Make an integration the primary one of its channel; activates it and clears its conditions',
  section: 'Integrations',
  source: 'service',
  success: 201,
  idempotent: () => true,
  bodyLimit: smallBody,
  rate: { category: 'global', cost: 1 },
  schemas: async () => {
    const { integration } = await schemas();
    return { response: integration };
  },
});
