// Contexts (specification: Endpoints, Contexts).
import { limits } from '../limits.ts';
import { operationsWith, schemasIn } from '../operation.ts';

const load = schemasIn(() => import('../schemas/contexts.ts'));

const { operation, serviceOperation } = operationsWith({
  section: 'Contexts',
  rate: { category: 'global', cost: 1 },
});

export const contexts = {
  listContexts: operation('GET /v2/contexts', {
    summary: 'List contexts',
    paging: { style: 'cursor', items: 'data', cap: limits.page.default },
    schemas: load((s) => ({ query: s.listContextsQuery, response: s.contextPage })),
  }),

  getContext: operation('GET /v2/contexts/{type}/{id}', {
    summary: 'Retrieve a context',
    schemas: load((s) => ({ response: s.context })),
  }),

  createContext: serviceOperation('POST /v2/contexts', {
    summary: 'Create a context',
    schemas: load((s) => ({ body: s.createContextBody, response: s.context })),
  }),

  updateContext: serviceOperation('PATCH /v2/contexts/{type}/{id}', {
    summary: 'Replace the data of a context',
    schemas: load((s) => ({ body: s.updateContextBody, response: s.context })),
  }),

  deleteContext: serviceOperation('DELETE /v2/contexts/{type}/{id}', {
    summary: 'Delete a context',
    success: 204,
    schemas: load((s) => ({ response: s.emptyResponse })),
  }),
};

// Tenants and workflow overrides, which older clients of the service call. The sandbox serves them.

const overridePath = '/v1/workflow-overrides/workflows/{workflowId}/tenants/{tenantId}';
const { serviceOperation: tenantOperation } = operationsWith({ section: 'Tenants' });

export const tenants = {
  listTenants: tenantOperation('GET /v1/tenants', {
    summary: 'List tenants by page, newest first (deprecated)',
    hasDataField: true,
    schemas: load((s) => ({ query: s.numberedQuery, response: s.tenantList })),
  }),

  getTenant: tenantOperation('GET /v1/tenants/{identifier}', {
    summary: 'Retrieve a tenant (deprecated)',
    schemas: load((s) => ({ response: s.tenant })),
  }),

  createTenant: tenantOperation('POST /v1/tenants', {
    summary: 'Create a tenant (deprecated)',
    schemas: load((s) => ({ body: s.createTenantBody, response: s.tenant })),
  }),

  updateTenant: tenantOperation('PATCH /v1/tenants/{identifier}', {
    summary: 'Update the identifier, name or data of a tenant (deprecated)',
    idempotent: () => false,
    schemas: load((s) => ({ body: s.updateTenantBody, response: s.tenant })),
  }),

  deleteTenant: tenantOperation('DELETE /v1/tenants/{identifier}', {
    summary: 'Delete a tenant (deprecated)',
    success: 204,
    schemas: load((s) => ({ response: s.emptyResponse })),
  }),

  listWorkflowOverrides: tenantOperation('GET /v1/workflow-overrides', {
    summary: 'List the settings of workflows for tenants, by page (deprecated)',
    hasDataField: true,
    schemas: load((s) => ({ query: s.numberedQuery, response: s.overrideList })),
  }),

  createWorkflowOverride: tenantOperation('POST /v1/workflow-overrides', {
    summary: 'Create the settings of a workflow for a tenant (deprecated)',
    schemas: load((s) => ({ body: s.createOverrideBody, response: s.override })),
  }),

  getTenantWorkflowOverride: tenantOperation(`GET ${overridePath}`, {
    summary: 'Find the settings of a workflow for a tenant (deprecated)',
    schemas: load((s) => ({ response: s.override })),
  }),

  updateTenantWorkflowOverride: tenantOperation(`PUT ${overridePath}`, {
    summary: 'Update the settings of a workflow for a tenant (deprecated)',
    schemas: load((s) => ({ body: s.updateOverrideBody, response: s.override })),
  }),

  getWorkflowOverride: tenantOperation('GET /v1/workflow-overrides/{overrideId}', {
    summary: 'Retrieve the settings of a workflow for a tenant by their id (deprecated)',
    schemas: load((s) => ({ response: s.override })),
  }),

  updateWorkflowOverride: tenantOperation('PUT /v1/workflow-overrides/{overrideId}', {
    summary: 'Update the settings of a workflow for a tenant by their id (deprecated)',
    schemas: load((s) => ({ body: s.updateOverrideBody, response: s.override })),
  }),

  deleteWorkflowOverride: tenantOperation('DELETE /v1/workflow-overrides/{overrideId}', {
    summary: 'Delete the settings of a workflow for a tenant (deprecated)',
    schemas: load((s) => ({ response: s.isDeleted })),
  }),
};
