// Writes of workflows, which the specification does not have.
import { limits } from '../../limits.ts';
import { serviceOperation } from '../../operation.ts';

const schemas = () => import('../../schemas/workflow-writes.ts');

export const serviceWorkflows = {
  createWorkflow: serviceOperation({
    method: 'POST',
    path: '/v2/workflows',
    summary: 'Create a workflow; a taken identifier gets a suffix',
    section: 'Workflows',
    success: 201,
    bodyLimit: limits.eventBody,
    rate: { category: 'configuration', cost: 1 },
    schemas: async () => {
      const { createWorkflowBody, workflow } = await schemas();
      return { body: createWorkflowBody, response: workflow };
    },
  }),

  updateWorkflow: serviceOperation({
    method: 'PUT',
    path: '/v2/workflows/{workflowId}',
    summary: 'Replace a workflow with its steps; resets what is left out',
    section: 'Workflows',
    bodyLimit: limits.eventBody,
    rate: { category: 'configuration', cost: 1 },
    schemas: async () => {
      const { updateWorkflowBody, workflow } = await schemas();
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
    rate: { category: 'configuration', cost: 1 },
    schemas: async () => {
      const { patchWorkflowBody, workflow } = await schemas();
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
    rate: { category: 'configuration', cost: 1 },
    schemas: async () => {
      const { emptyResponse } = await schemas();
      return { response: emptyResponse };
    },
  }),
};
