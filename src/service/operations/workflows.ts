// Workflows and their steps (specification: Endpoints, Workflows).
import { limits } from '../limits.ts';
import { operationsWith, schemasIn } from '../operation.ts';

const load = schemasIn(() => import('../schemas/workflows.ts'));
const loadWrites = schemasIn(() => import('../schemas/workflow-writes.ts'));

const { operation, serviceOperation, operationSince } = operationsWith({ section: 'Workflows' });
const previewOperation = operationSince('3.15');

export const workflows = {
  listWorkflows: operation('GET /v2/workflows', {
    sdk: 'workflows.list',
    summary: 'List workflows',
    paging: { style: 'offset', items: 'workflows', cap: limits.page.default },
    arrayQuery: ['tags', 'status'],
    schemas: load((s) => ({ query: s.listWorkflowsQuery, response: s.workflowPage })),
  }),

  getWorkflow: operation('GET /v2/workflows/{workflowId}', {
    sdk: 'workflows.get',
    summary: 'Retrieve a workflow with its steps',
    schemas: load((s) => ({ query: s.getWorkflowQuery, response: s.workflow })),
  }),

  getWorkflowStep: operation('GET /v2/workflows/{workflowId}/steps/{stepId}', {
    summary: 'Retrieve one step of a workflow',
    schemas: load((s) => ({ response: s.workflowStep })),
  }),

  previewWorkflowStep: previewOperation('POST /v2/workflows/{workflowId}/step/{stepId}/preview', {
    summary: 'Render a step with sample data, as the service would send it',
    idempotent: () => true,
    bodyLimit: limits.eventBody,
    schemas: load((s) => ({ body: s.previewStepBody, response: s.stepPreview })),
  }),

  createWorkflow: serviceOperation('POST /v2/workflows', {
    summary: 'Create a workflow; a taken identifier gets a suffix',
    bodyLimit: limits.eventBody,
    schemas: loadWrites((s) => ({ body: s.createWorkflowBody, response: s.workflow })),
  }),

  updateWorkflow: serviceOperation('PUT /v2/workflows/{workflowId}', {
    summary: 'Replace a workflow with its steps; resets what is left out',
    bodyLimit: limits.eventBody,
    schemas: loadWrites((s) => ({ body: s.updateWorkflowBody, response: s.workflow })),
  }),

  patchWorkflow: serviceOperation('PATCH /v2/workflows/{workflowId}', {
    summary: 'Update single fields of a workflow, such as active, name and tags',
    bodyLimit: limits.eventBody,
    schemas: loadWrites((s) => ({ body: s.patchWorkflowBody, response: s.workflow })),
  }),

  deleteWorkflow: serviceOperation('DELETE /v2/workflows/{workflowId}', {
    summary: 'Delete a workflow',
    success: 204,
    bodyLimit: limits.eventBody,
    schemas: loadWrites((s) => ({ response: s.emptyResponse })),
  }),
};

// Workflows in version 1 of the routes, which older clients of the service call. The sandbox serves them.

const loadV1 = schemasIn(() => import('../schemas/workflows-v1.ts'));

export const workflowsV1 = {
  listWorkflowsV1: serviceOperation('GET /v1/workflows', {
    aliases: ['/v1/notification-templates'],
    summary: 'List the workflows that were not made in the current editor (deprecated)',
    deprecated: { by: 'GET /v2/workflows' },
    hasDataField: true,
    schemas: loadV1((s) => ({ query: s.workflowQueryV1, response: s.workflowListV1 })),
  }),

  getWorkflowV1: serviceOperation('GET /v1/workflows/{workflowId}', {
    aliases: ['/v1/notification-templates/{workflowId}'],
    summary: 'Retrieve a workflow (deprecated)',
    deprecated: { by: 'GET /v2/workflows/{workflowId}' },
    schemas: loadV1((s) => ({ response: s.workflowV1 })),
  }),

  createWorkflowV1: serviceOperation('POST /v1/workflows', {
    aliases: ['/v1/notification-templates'],
    summary: 'Create a workflow (deprecated)',
    deprecated: { by: 'POST /v2/workflows' },
    schemas: loadV1((s) => ({ body: s.createWorkflowV1Body, response: s.workflowV1 })),
  }),

  updateWorkflowV1: serviceOperation('PUT /v1/workflows/{workflowId}', {
    aliases: ['/v1/notification-templates/{workflowId}'],
    summary: 'Update the given fields of a workflow (deprecated)',
    deprecated: { by: 'PUT /v2/workflows/{workflowId}' },
    schemas: loadV1((s) => ({ body: s.updateWorkflowV1Body, response: s.workflowV1 })),
  }),

  setWorkflowStatus: serviceOperation('PUT /v1/workflows/{workflowId}/status', {
    aliases: ['/v1/notification-templates/{workflowId}/status'],
    summary: 'Activate or deactivate a workflow (deprecated)',
    deprecated: { by: 'PATCH /v2/workflows/{workflowId}' },
    schemas: loadV1((s) => ({ body: s.workflowStatusBody, response: s.workflowV1 })),
  }),

  deleteWorkflowV1: serviceOperation('DELETE /v1/workflows/{workflowId}', {
    aliases: ['/v1/notification-templates/{workflowId}'],
    summary: 'Delete a workflow (deprecated)',
    deprecated: { by: 'DELETE /v2/workflows/{workflowId}' },
    schemas: loadV1((s) => ({ response: s.isDeleted })),
  }),
};

// Workflows that code of an application defines, for the command line of the service. The sandbox serves these operations.

const { serviceOperation: bridgeOperation } = operationsWith({ section: 'Bridge' });

export const bridge = {
  syncBridge: bridgeOperation('POST /v1/bridge/sync', {
    summary: 'Read the workflows from the endpoint of an application',
    schemas: loadV1((s) => ({
      query: s.syncQuery,
      body: s.bridgeBody,
      response: s.syncedWorkflows,
    })),
  }),

  diffBridge: bridgeOperation('POST /v1/bridge/diff', {
    summary: 'Show the workflows of the endpoint beside the given ones',
    schemas: loadV1((s) => ({ body: s.bridgeBody, response: s.bridgeDifference })),
  }),

  validateBridge: bridgeOperation('POST /v1/bridge/validate', {
    summary: 'Check whether the endpoint of an application responds',
    schemas: loadV1((s) => ({ body: s.validateBody, response: s.bridgeHealth })),
  }),
};
