// Contexts (specification: Endpoints, Contexts).
import { limits } from '../limits.ts';
import { operation, schemasIn, serviceOperation } from '../operation.ts';

const load = schemasIn(() => import('../schemas/contexts.ts'));

export const contexts = {
  listContexts: operation({
    route: 'GET /v2/contexts',
    summary: 'List contexts',
    section: 'Contexts',
    hasDataField: true,
    paging: { style: 'cursor', items: 'data', cap: limits.page.default },
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ query: s.listContextsQuery, response: s.contextPage })),
  }),

  getContext: operation({
    route: 'GET /v2/contexts/{type}/{id}',
    summary: 'Retrieve a context',
    section: 'Contexts',
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ response: s.context })),
  }),

  createContext: serviceOperation({
    route: 'POST /v2/contexts',
    summary: 'Create a context',
    section: 'Contexts',
    success: 201,
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ body: s.createContextBody, response: s.context })),
  }),

  updateContext: serviceOperation({
    route: 'PATCH /v2/contexts/{type}/{id}',
    summary: 'Replace the data of a context',
    section: 'Contexts',
    idempotent: () => true,
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ body: s.updateContextBody, response: s.context })),
  }),

  deleteContext: serviceOperation({
    route: 'DELETE /v2/contexts/{type}/{id}',
    summary: 'Delete a context',
    section: 'Contexts',
    success: 204,
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ response: s.emptyResponse })),
  }),
};

// Tenants and workflow overrides, which older clients of the service call. The sandbox serves them.

export const tenants = {
  listTenants: serviceOperation({
    route: 'GET /v1/tenants',
    summary: 'List tenants by page, newest first (deprecated)',
    section: 'Tenants',
    hasDataField: true,
    schemas: load((s) => ({ query: s.numberedQuery, response: s.tenantList })),
  }),

  getTenant: serviceOperation({
    route: 'GET /v1/tenants/{identifier}',
    summary: 'Retrieve a tenant (deprecated)',
    section: 'Tenants',
    schemas: load((s) => ({ response: s.tenant })),
  }),

  createTenant: serviceOperation({
    route: 'POST /v1/tenants',
    summary: 'Create a tenant (deprecated)',
    section: 'Tenants',
    success: 201,
    schemas: load((s) => ({ body: s.createTenantBody, response: s.tenant })),
  }),

  updateTenant: serviceOperation({
    route: 'PATCH /v1/tenants/{identifier}',
    summary: 'Update the identifier, name or data of a tenant (deprecated)',
    section: 'Tenants',
    schemas: load((s) => ({ body: s.updateTenantBody, response: s.tenant })),
  }),

  deleteTenant: serviceOperation({
    route: 'DELETE /v1/tenants/{identifier}',
    summary: 'Delete a tenant (deprecated)',
    section: 'Tenants',
    success: 204,
    schemas: load((s) => ({ response: s.emptyResponse })),
  }),

  listWorkflowOverrides: serviceOperation({
    route: 'GET /v1/workflow-overrides',
    summary: 'List the settings of workflows for tenants, by page (deprecated)',
    section: 'Tenants',
    hasDataField: true,
    schemas: load((s) => ({ query: s.numberedQuery, response: s.overrideList })),
  }),

  createWorkflowOverride: serviceOperation({
    route: 'POST /v1/workflow-overrides',
    summary: 'Create the settings of a workflow for a tenant (deprecated)',
    section: 'Tenants',
    success: 201,
    schemas: load((s) => ({ body: s.createOverrideBody, response: s.override })),
  }),

  getTenantWorkflowOverride: serviceOperation({
    route: 'GET /v1/workflow-overrides/workflows/{workflowId}/tenants/{tenantId}',
    summary: 'Find the settings of a workflow for a tenant (deprecated)',
    section: 'Tenants',
    schemas: load((s) => ({ response: s.override })),
  }),

  updateTenantWorkflowOverride: serviceOperation({
    route: 'PUT /v1/workflow-overrides/workflows/{workflowId}/tenants/{tenantId}',
    summary: 'Update the settings of a workflow for a tenant (deprecated)',
    section: 'Tenants',
    schemas: load((s) => ({ body: s.updateOverrideBody, response: s.override })),
  }),

  getWorkflowOverride: serviceOperation({
    route: 'GET /v1/workflow-overrides/{overrideId}',
    summary: 'Retrieve the settings of a workflow for a tenant by their id (deprecated)',
    section: 'Tenants',
    schemas: load((s) => ({ response: s.override })),
  }),

  updateWorkflowOverride: serviceOperation({
    route: 'PUT /v1/workflow-overrides/{overrideId}',
    summary: 'Update the settings of a workflow for a tenant by their id (deprecated)',
    section: 'Tenants',
    schemas: load((s) => ({ body: s.updateOverrideBody, response: s.override })),
  }),

  deleteWorkflowOverride: serviceOperation({
    route: 'DELETE /v1/workflow-overrides/{overrideId}',
    summary: 'Delete the settings of a workflow for a tenant (deprecated)',
    section: 'Tenants',
    schemas: load((s) => ({ response: s.isDeleted })),
  }),
};
