// Environments (specification: Endpoints, Environments).
import { laterOperation, operation, schemasIn, serviceOperation } from '../operation.ts';

const load = schemasIn(() => import('../schemas/environments.ts'));
const loadWorkflows = schemasIn(() => import('../schemas/workflows.ts'));
const loadVariables = schemasIn(() => import('../schemas/environment-variables.ts'));

export const environments = {
  createEnvironment: operation({
    route: 'POST /v1/environments',
    summary: 'Create an environment in the current organization',
    section: 'Environments',
    success: 201,
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ body: s.createEnvironmentBody, response: s.environment })),
  }),

  listEnvironments: operation({
    route: 'GET /v1/environments',
    summary: 'List the environments of the current organization with their API keys',
    section: 'Environments',
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ response: s.environmentList })),
  }),

  getCurrentEnvironment: serviceOperation({
    route: 'GET /v1/environments/me',
    summary: 'Retrieve the environment of the API key, without its keys',
    section: 'Environments',
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ response: s.environment })),
  }),

  listApiKeys: serviceOperation({
    route: 'GET /v1/environments/api-keys',
    summary: 'List the API keys of the environment of the API key',
    section: 'Environments',
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ response: s.apiKeyList })),
  }),

  updateEnvironment: serviceOperation({
    route: 'PUT /v1/environments/{environmentId}',
    summary: 'Update the name, color or parent of an environment',
    section: 'Environments',
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ body: s.updateEnvironmentBody, response: s.environmentChange })),
  }),

  deleteEnvironment: serviceOperation({
    route: 'DELETE /v1/environments/{environmentId}',
    summary: 'Delete an environment with everything in it',
    section: 'Environments',
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ response: s.deletedEnvironment })),
  }),

  listEnvironmentTags: serviceOperation({
    route: 'GET /v2/environments/{environmentId}/tags',
    summary: 'List the tags of the workflows of an environment',
    section: 'Environments',
    rate: { category: 'global', cost: 1 },
    schemas: load((s) => ({ response: s.tagList })),
  }),

  listEnvironmentVariables: laterOperation('3.15', {
    route: 'GET /v1/environment-variables',
    summary: 'List the variables of the organization with their values; secrets are masked',
    section: 'Environments',
    rate: { category: 'global', cost: 1 },
    schemas: loadVariables((s) => ({ query: s.listVariablesQuery, response: s.variableList })),
  }),

  createEnvironmentVariable: laterOperation('3.15', {
    route: 'POST /v1/environment-variables',
    summary: 'Create a variable with its values',
    section: 'Environments',
    rate: { category: 'global', cost: 1 },
    schemas: loadVariables((s) => ({ body: s.createVariableBody, response: s.variable })),
  }),

  getEnvironmentVariable: laterOperation('3.15', {
    route: 'GET /v1/environment-variables/{variableKey}',
    summary: 'Retrieve a variable with its values; secrets are masked',
    section: 'Environments',
    rate: { category: 'global', cost: 1 },
    schemas: loadVariables((s) => ({ response: s.variable })),
  }),

  updateEnvironmentVariable: laterOperation('3.15', {
    route: 'PATCH /v1/environment-variables/{variableKey}',
    summary: 'Change the values of a variable; a key changes those of its environment',
    section: 'Environments',
    idempotent: () => true,
    rate: { category: 'global', cost: 1 },
    schemas: loadVariables((s) => ({ body: s.updateVariableBody, response: s.variable })),
  }),

  deleteEnvironmentVariable: laterOperation('3.15', {
    route: 'DELETE /v1/environment-variables/{variableKey}',
    summary: 'Delete the value of the environment, and the variable with its last value',
    section: 'Environments',
    success: 204,
    rate: { category: 'global', cost: 1 },
    schemas: loadVariables((s) => ({ response: s.emptyResponse })),
  }),

  getEnvironmentVariableUsage: laterOperation('3.15', {
    route: 'GET /v1/environment-variables/{variableKey}/usage',
    summary: 'List the workflows whose templates use a variable',
    section: 'Environments',
    rate: { category: 'global', cost: 1 },
    schemas: loadVariables((s) => ({ response: s.variableUsage })),
  }),
};

// The operations that copy workflows between environments in other clients. A key of the service reaches one environment.

export const publishing = {
  diffEnvironments: laterOperation('3.18', {
    route: 'POST /v2/environments/{targetEnvironmentId}/diff',
    summary: 'Compare two environments; refused with an API key',
    section: 'Environments',
    schemas: load((s) => ({ body: s.diffBody, response: s.refused })),
  }),

  publishEnvironment: laterOperation('3.18', {
    route: 'POST /v2/environments/{targetEnvironmentId}/publish',
    summary: 'Copy the resources of an environment to another; refused with an API key',
    section: 'Environments',
    schemas: load((s) => ({ body: s.publishBody, response: s.refused })),
  }),

  syncWorkflow: laterOperation('3.18', {
    route: 'PUT /v2/workflows/{workflowId}/sync',
    summary: 'Copy a workflow to another environment',
    section: 'Environments',
    schemas: loadWorkflows((s) => ({ body: s.syncBody, response: s.workflow })),
  }),
};

// The organization and the user of an API key, which older clients of the service read. The sandbox serves them.

export const organizations = {
  listOrganizations: serviceOperation({
    route: 'GET /v1/organizations',
    summary: 'List the organizations of the user',
    section: 'Organizations',
    schemas: load((s) => ({ response: s.organizationList })),
  }),

  getOrganization: serviceOperation({
    route: 'GET /v1/organizations/me',
    summary: 'Retrieve the organization of the API key',
    section: 'Organizations',
    schemas: load((s) => ({ response: s.organization })),
  }),

  createOrganization: serviceOperation({
    route: 'POST /v1/organizations',
    summary: 'Create an organization',
    section: 'Organizations',
    success: 201,
    schemas: load((s) => ({ body: s.createOrganizationBody, response: s.organization })),
  }),

  renameOrganization: serviceOperation({
    route: 'PATCH /v1/organizations',
    summary: 'Rename the organization of the API key',
    section: 'Organizations',
    idempotent: () => true,
    schemas: load((s) => ({ body: s.renameOrganizationBody, response: s.renamedOrganization })),
  }),

  updateBranding: serviceOperation({
    route: 'PUT /v1/organizations/branding',
    summary: 'Replace the colors, font and logo of the organization',
    section: 'Organizations',
    schemas: load((s) => ({ body: s.brandingBody, response: s.branding })),
  }),

  listMembers: serviceOperation({
    route: 'GET /v1/organizations/members',
    summary: 'List the members of the organization',
    section: 'Organizations',
    schemas: load((s) => ({ response: s.memberList })),
  }),

  removeMember: serviceOperation({
    route: 'DELETE /v1/organizations/members/{memberId}',
    summary: 'Remove another member from the organization',
    section: 'Organizations',
    schemas: load((s) => ({ response: s.member })),
  }),

  getUser: serviceOperation({
    route: 'GET /v1/users/me',
    summary: 'Retrieve the user of the API key',
    section: 'Organizations',
    schemas: load((s) => ({ response: s.user })),
  }),

  getMailServerStatus: serviceOperation({
    route: 'GET /v1/inbound-parse/mx/status',
    summary: 'Show whether a mail server for inbound e-mails is configured',
    section: 'Organizations',
    schemas: load((s) => ({ response: s.mailServerStatus })),
  }),
};
