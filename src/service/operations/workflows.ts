// Workflows and their steps (specification: Endpoints, Workflows).
import { limits } from '../limits.ts';
import { operation, serviceOperation } from '../operation.ts';

const schemas = () => import('../schemas/workflows.ts');
const writeSchemas = () => import('../schemas/workflow-writes.ts');

export const workflows = {
  listWorkflows: operation({
    method: 'GET',
    path: '/v2/workflows',
    summary: 'List workflows',
    section: 'Workflows',
    paging: { style: 'offset', items: 'workflows', cap: limits.page.default },
    arrayQuery: ['tags', 'status'],
    schemas: async () => {
      const { listWorkflowsQuery, workflowPage } = await schemas();
      return { query: listWorkflowsQuery, response: workflowPage };
    },
  }),

  getWorkflow: operation({
    method: 'GET',
    path: '/v2/workflows/{workflowId}',
    summary: 'Retrieve a workflow with its steps',
    section: 'Workflows',
    schemas: async () => {
      const { getWorkflowQuery, workflow } = await schemas();
      return { query: getWorkflowQuery, response: workflow };
    },
  }),

  getWorkflowStep: operation({
    method: 'GET',
    path: '/v2/workflows/{workflowId}/steps/{stepId}',
    summary: 'Retrieve one step of a workflow',
    section: 'Workflows',
    schemas: async () => {
      const { workflowStep } = await schemas();
      return { response: workflowStep };
    },
  }),

  createWorkflow: serviceOperation({
    method: 'POST',
    path: '/v2/workflows',
    summary: 'Create a workflow; a taken identifier gets a suffix',
    section: 'Workflows',
    success: 201,
    bodyLimit: limits.eventBody,
    schemas: async () => {
      const { createWorkflowBody, workflow } = await writeSchemas();
      return { body: createWorkflowBody, response: workflow };
    },
  }),

  updateWorkflow: serviceOperation({
    method: 'PUT',
    path: '/v2/workflows/{workflowId}',
    summary: 'Replace a workflow with its steps; resets what is left out',
    section: 'Workflows',
    bodyLimit: limits.eventBody,
    schemas: async () => {
      const { updateWorkflowBody, workflow } = await writeSchemas();
      return { body: updateWorkflowBody, response: workflow };
    },
  }),

  patchWorkflow: serviceOperation({
    method: 'PATCH',
    path: '/v2/workflows/{workflowId}',
    summary: 'Update single fields of a workflow, such as active, name and tags',
    section: 'Workflows',
    idempotent: () => true,
    bodyLimit: limits.eventBody,
    schemas: async () => {
      const { patchWorkflowBody, workflow } = await writeSchemas();
      return { body: patchWorkflowBody, response: workflow };
    },
  }),

  deleteWorkflow: serviceOperation({
    method: 'DELETE',
    path: '/v2/workflows/{workflowId}',
    summary: 'Delete a workflow',
    section: 'Workflows',
    success: 204,
    bodyLimit: limits.eventBody,
    schemas: async () => {
      const { emptyResponse } = await writeSchemas();
      return { response: emptyResponse };
    },
  }),
};
