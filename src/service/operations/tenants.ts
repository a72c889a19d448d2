// Tenants and workflow overrides, which older clients of the service call. The sandbox serves them.
import { serviceOperation } from '../operation.ts';

const schemas = () => import('../schemas/tenants.ts');

export const tenants = {
  listTenants: serviceOperation({
    method: 'GET',
    path: '/v1/tenants',
    summary: 'List tenants by page, newest first (deprecated)',
    section: 'Tenants',
    hasDataField: true,
    schemas: async () => {
      const { numberedQuery, tenantList } = await schemas();
      return { query: numberedQuery, response: tenantList };
    },
  }),

  getTenant: serviceOperation({
    method: 'GET',
    path: '/v1/tenants/{identifier}',
    summary: 'Retrieve a tenant (deprecated)',
    section: 'Tenants',
    schemas: async () => {
      const { tenant } = await schemas();
      return { response: tenant };
    },
  }),

  createTenant: serviceOperation({
    method: 'POST',
    path: '/v1/tenants',
    summary: 'Create a tenant (deprecated)',
    section: 'Tenants',
    success: 201,
    schemas: async () => {
      const { createTenantBody, tenant } = await schemas();
      return { body: createTenantBody, response: tenant };
    },
  }),

  updateTenant: serviceOperation({
    method: 'PATCH',
    path: '/v1/tenants/{identifier}',
    summary: 'Update the identifier, name or data of a tenant (deprecated)',
    section: 'Tenants',
    schemas: async () => {
      const { updateTenantBody, tenant } = await schemas();
      return { body: updateTenantBody, response: tenant };
    },
  }),

  deleteTenant: serviceOperation({
    method: 'DELETE',
    path: '/v1/tenants/{identifier}',
    summary: 'Delete a tenant (deprecated)',
    section: 'Tenants',
    success: 204,
    schemas: async () => {
      const { emptyResponse } = await schemas();
      return { response: emptyResponse };
    },
  }),

  listWorkflowOverrides: serviceOperation({
    method: 'GET',
    path: '/v1/workflow-overrides',
    summary: 'List the settings of workflows for tenants, by page (deprecated)',
    section: 'Tenants',
    hasDataField: true,
    schemas: async () => {
      const { numberedQuery, overrideList } = await schemas();
      return { query: numberedQuery, response: overrideList };
    },
  }),

  createWorkflowOverride: serviceOperation({
    method: 'POST',
    path: '/v1/workflow-overrides',
    summary: 'Create the settings of a workflow for a tenant (deprecated)',
    section: 'Tenants',
    success: 201,
    schemas: async () => {
      const { createOverrideBody, override } = await schemas();
      return { body: createOverrideBody, response: override };
    },
  }),

  getTenantWorkflowOverride: serviceOperation({
    method: 'GET',
    path: '/v1/workflow-overrides/workflows/{workflowId}/tenants/{tenantId}',
    summary: 'Find the settings of a workflow for a tenant (deprecated)',
    section: 'Tenants',
    schemas: async () => {
      const { override } = await schemas();
      return { response: override };
    },
  }),

  updateTenantWorkflowOverride: serviceOperation({
    method: 'PUT',
    path: '/v1/workflow-overrides/workflows/{workflowId}/tenants/{tenantId}',
    summary: 'Update the settings of a workflow for a tenant (deprecated)',
    section: 'Tenants',
    schemas: async () => {
      const { updateOverrideBody, override } = await schemas();
      return { body: updateOverrideBody, response: override };
    },
  }),

  getWorkflowOverride: serviceOperation({
    method: 'GET',
    path: '/v1/workflow-overrides/{overrideId}',
    summary: 'Retrieve the settings of a workflow for a tenant by their id (deprecated)',
    section: 'Tenants',
    schemas: async () => {
      const { override } = await schemas();
      return { response: override };
    },
  }),

  updateWorkflowOverride: serviceOperation({
    method: 'PUT',
    path: '/v1/workflow-overrides/{overrideId}',
    summary: 'Update the settings of a workflow for a tenant by their id (deprecated)',
    section: 'Tenants',
    schemas: async () => {
      const { updateOverrideBody, override } = await schemas();
      return { body: updateOverrideBody, response: override };
    },
  }),

  deleteWorkflowOverride: serviceOperation({
    method: 'DELETE',
    path: '/v1/workflow-overrides/{overrideId}',
    summary: 'Delete the settings of a workflow for a tenant (deprecated)',
    section: 'Tenants',
    schemas: async () => {
      const { isDeleted } = await schemas();
      return { response: isDeleted };
    },
  }),
};
