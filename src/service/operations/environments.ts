// Environments (specification: Endpoints, Environments).
import { operationsWith, schemasIn } from '../operation.ts';

const load = schemasIn(() => import('../schemas/environments.ts'));
const loadWorkflows = schemasIn(() => import('../schemas/workflows.ts'));
const loadVariables = schemasIn(() => import('../schemas/environment-variables.ts'));

const section = 'Environments';
const { operation, serviceOperation, operationSince } = operationsWith({
  section,
  rate: { category: 'global', cost: 1 },
});
const variableOperation = operationSince('3.15');

export const environments = {
  createEnvironment: operation('POST /v1/environments', {
    summary: 'Create an environment in the current organization',
    schemas: load((s) => ({ body: s.createEnvironmentBody, response: s.environment })),
  }),

  listEnvironments: operation('GET /v1/environments', {
    summary: 'List the environments of the current organization with their API keys',
    schemas: load((s) => ({ response: s.environmentList })),
  }),

  getCurrentEnvironment: serviceOperation('GET /v1/environments/me', {
    summary: 'Retrieve the environment of the API key, without its keys',
    schemas: load((s) => ({ response: s.environment })),
  }),

  listApiKeys: serviceOperation('GET /v1/environments/api-keys', {
    summary: 'List the API keys of the environment of the API key',
    schemas: load((s) => ({ response: s.apiKeyList })),
  }),

  updateEnvironment: serviceOperation('PUT /v1/environments/{environmentId}', {
    summary: 'Update the name, color or parent of an environment',
    schemas: load((s) => ({ body: s.updateEnvironmentBody, response: s.environmentChange })),
  }),

  deleteEnvironment: serviceOperation('DELETE /v1/environments/{environmentId}', {
    summary: 'Delete an environment with everything in it',
    schemas: load((s) => ({ response: s.deletedEnvironment })),
  }),

  listEnvironmentTags: serviceOperation('GET /v2/environments/{environmentId}/tags', {
    summary: 'List the tags of the workflows of an environment',
    schemas: load((s) => ({ response: s.tagList })),
  }),

  listEnvironmentVariables: variableOperation('GET /v1/environment-variables', {
    summary: 'List the variables of the organization with their values; secrets are masked',
    schemas: loadVariables((s) => ({ query: s.listVariablesQuery, response: s.variableList })),
  }),

  createEnvironmentVariable: variableOperation('POST /v1/environment-variables', {
    success: 200,
    summary: 'Create a variable with its values',
    schemas: loadVariables((s) => ({ body: s.createVariableBody, response: s.variable })),
  }),

  getEnvironmentVariable: variableOperation('GET /v1/environment-variables/{variableKey}', {
    summary: 'Retrieve a variable with its values; secrets are masked',
    schemas: loadVariables((s) => ({ response: s.variable })),
  }),

  updateEnvironmentVariable: variableOperation('PATCH /v1/environment-variables/{variableKey}', {
    summary: 'Change the values of a variable; a key changes those of its environment',
    schemas: loadVariables((s) => ({ body: s.updateVariableBody, response: s.variable })),
  }),

  deleteEnvironmentVariable: variableOperation('DELETE /v1/environment-variables/{variableKey}', {
    summary: 'Delete the value of the environment, and the variable with its last value',
    success: 204,
    schemas: loadVariables((s) => ({ response: s.emptyResponse })),
  }),

  getEnvironmentVariableUsage: variableOperation(
    'GET /v1/environment-variables/{variableKey}/usage',
    {
      summary: 'List the workflows whose templates use a variable',
      schemas: loadVariables((s) => ({ response: s.variableUsage })),
    },
  ),
};

// The operations that copy workflows between environments in other clients. A key of the service reaches one environment.

const targetPath = '/v2/environments/{targetEnvironmentId}';
const publishingOperation = operationsWith({ section }).operationSince('3.18');

export const publishing = {
  diffEnvironments: publishingOperation(`POST ${targetPath}/diff`, {
    success: 200,
    summary: 'Compare two environments; refused with an API key',
    schemas: load((s) => ({ body: s.diffBody, response: s.refused })),
  }),

  publishEnvironment: publishingOperation(`POST ${targetPath}/publish`, {
    success: 200,
    summary: 'Copy the resources of an environment to another; refused with an API key',
    schemas: load((s) => ({ body: s.publishBody, response: s.refused })),
  }),

  syncWorkflow: publishingOperation('PUT /v2/workflows/{workflowId}/sync', {
    summary: 'Copy a workflow to another environment',
    schemas: loadWorkflows((s) => ({ body: s.syncBody, response: s.workflow })),
  }),
};

// The organization and the user of an API key, which older clients of the service read. The sandbox serves them.

const { serviceOperation: ownerOperation } = operationsWith({ section: 'Organizations' });

export const organizations = {
  listOrganizations: ownerOperation('GET /v1/organizations', {
    summary: 'List the organizations of the user',
    schemas: load((s) => ({ response: s.organizationList })),
  }),

  getOrganization: ownerOperation('GET /v1/organizations/me', {
    summary: 'Retrieve the organization of the API key',
    schemas: load((s) => ({ response: s.organization })),
  }),

  createOrganization: ownerOperation('POST /v1/organizations', {
    summary: 'Create an organization',
    schemas: load((s) => ({ body: s.createOrganizationBody, response: s.organization })),
  }),

  renameOrganization: ownerOperation('PATCH /v1/organizations', {
    summary: 'Rename the organization of the API key',
    schemas: load((s) => ({ body: s.renameOrganizationBody, response: s.renamedOrganization })),
  }),

  updateBranding: ownerOperation('PUT /v1/organizations/branding', {
    summary: 'Replace the colors, font and logo of the organization',
    schemas: load((s) => ({ body: s.brandingBody, response: s.branding })),
  }),

  listMembers: ownerOperation('GET /v1/organizations/members', {
    summary: 'List the members of the organization',
    schemas: load((s) => ({ response: s.memberList })),
  }),

  removeMember: ownerOperation('DELETE /v1/organizations/members/{memberId}', {
    summary: 'Remove another member from the organization',
    schemas: load((s) => ({ response: s.member })),
  }),

  getUser: ownerOperation('GET /v1/users/me', {
    summary: 'Retrieve the user of the API key',
    schemas: load((s) => ({ response: s.user })),
  }),

  getMailServerStatus: ownerOperation('GET /v1/inbound-parse/mx/status', {
    summary: 'Show whether a mail server for inbound e-mails is configured',
    schemas: load((s) => ({ response: s.mailServerStatus })),
  }),
};
