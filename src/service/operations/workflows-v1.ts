// Workflows in version 1 of the routes, which older clients of the service call. The sandbox serves them.
import { serviceOperation } from '../operation.ts';

const schemas = () => import('../schemas/workflows-v1.ts');

export const workflowsV1 = {
  listWorkflowsV1: serviceOperation({
    method: 'GET',
    path: '/v1/workflows',
    aliases: ['/v1/notification-templates'],
    summary: 'List the workflows that were not made in the current editor (deprecated)',
    section: 'Workflows',
    hasDataField: true,
    schemas: async () => {
      const { workflowQueryV1, workflowListV1 } = await schemas();
      return { query: workflowQueryV1, response: workflowListV1 };
    },
  }),

  getWorkflowV1: serviceOperation({
    method: 'GET',
    path: '/v1/workflows/{workflowId}',
    aliases: ['/v1/notification-templates/{workflowId}'],
    summary: 'Retrieve a workflow (deprecated)',
    section: 'Workflows',
    schemas: async () => {
      const { workflowV1 } = await schemas();
      return { response: workflowV1 };
    },
  }),

  createWorkflowV1: serviceOperation({
    method: 'POST',
    path: '/v1/workflows',
    aliases: ['/v1/notification-templates'],
    summary: 'Create a workflow (deprecated)',
    section: 'Workflows',
    success: 201,
    schemas: async () => {
      const { createWorkflowV1Body, workflowV1 } = await schemas();
      return { body: createWorkflowV1Body, response: workflowV1 };
    },
  }),

  updateWorkflowV1: serviceOperation({
    method: 'PUT',
    path: '/v1/workflows/{workflowId}',
    aliases: ['/v1/notification-templates/{workflowId}'],
    summary: 'Update the given fields of a workflow (deprecated)',
    section: 'Workflows',
    schemas: async () => {
      const { updateWorkflowV1Body, workflowV1 } = await schemas();
      return { body: updateWorkflowV1Body, response: workflowV1 };
    },
  }),

  setWorkflowStatus: serviceOperation({
    method: 'PUT',
    path: '/v1/workflows/{workflowId}/status',
    aliases: ['/v1/notification-templates/{workflowId}/status'],
    summary: 'Activate or deactivate a workflow (deprecated)',
    section: 'Workflows',
    schemas: async () => {
      const { workflowStatusBody, workflowV1 } = await schemas();
      return { body: workflowStatusBody, response: workflowV1 };
    },
  }),

  deleteWorkflowV1: serviceOperation({
    method: 'DELETE',
    path: '/v1/workflows/{workflowId}',
    aliases: ['/v1/notification-templates/{workflowId}'],
    summary: 'Delete a workflow (deprecated)',
    section: 'Workflows',
    schemas: async () => {
      const { isDeleted } = await schemas();
      return { response: isDeleted };
    },
  }),
};
