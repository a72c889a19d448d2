// Workflows that code of an application defines, for the command line of the service. The sandbox serves these operations.
import { serviceOperation } from '../operation.ts';

const schemas = () => import('../schemas/bridge.ts');

export const bridge = {
  syncBridge: serviceOperation({
    method: 'POST',
    path: '/v1/bridge/sync',
    summary: 'Read the workflows from the endpoint of an application',
    section: 'Bridge',
    success: 201,
    schemas: async () => {
      const { syncQuery, bridgeBody, syncedWorkflows } = await schemas();
      return { query: syncQuery, body: bridgeBody, response: syncedWorkflows };
    },
  }),

  diffBridge: serviceOperation({
    method: 'POST',
    path: '/v1/bridge/diff',
    summary: 'Show the workflows of the endpoint beside the given ones',
    section: 'Bridge',
    success: 201,
    schemas: async () => {
      const { bridgeBody, bridgeDifference } = await schemas();
      return { body: bridgeBody, response: bridgeDifference };
    },
  }),

  validateBridge: serviceOperation({
    method: 'POST',
    path: '/v1/bridge/validate',
    summary: 'Check whether the endpoint of an application responds',
    section: 'Bridge',
    success: 201,
    schemas: async () => {
      const { validateBody, bridgeHealth } = await schemas();
      return { body: validateBody, response: bridgeHealth };
    },
  }),
};
