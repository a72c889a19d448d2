// The organization and the user of an API key, which older clients of the service read. The sandbox serves them.
import { serviceOperation } from '../operation.ts';

const schemas = () => import('../schemas/organizations.ts');

export const organizations = {
  listOrganizations: serviceOperation({
    method: 'GET',
    path: '/v1/organizations',
    summary: 'List the organizations of the user',
    section: 'Organizations',
    schemas: async () => {
      const { organizationList } = await schemas();
      return { response: organizationList };
    },
  }),

  getOrganization: serviceOperation({
    method: 'GET',
    path: '/v1/organizations/me',
    summary: 'Retrieve the organization of the API key',
    section: 'Organizations',
    schemas: async () => {
      const { organization } = await schemas();
      return { response: organization };
    },
  }),

  createOrganization: serviceOperation({
    method: 'POST',
    path: '/v1/organizations',
    summary: 'Create an organization',
    section: 'Organizations',
    success: 201,
    schemas: async () => {
      const { createOrganizationBody, organization } = await schemas();
      return { body: createOrganizationBody, response: organization };
    },
  }),

  renameOrganization: serviceOperation({
    method: 'PATCH',
    path: '/v1/organizations',
    summary: 'Rename the organization of the API key',
    section: 'Organizations',
    idempotent: () => true,
    schemas: async () => {
      const { renameOrganizationBody, renamedOrganization } = await schemas();
      return { body: renameOrganizationBody, response: renamedOrganization };
    },
  }),

  updateBranding: serviceOperation({
    method: 'PUT',
    path: '/v1/organizations/branding',
    summary: 'Replace the colors, font and logo of the organization',
    section: 'Organizations',
    schemas: async () => {
      const { brandingBody, branding } = await schemas();
      return { body: brandingBody, response: branding };
    },
  }),

  listMembers: serviceOperation({
    method: 'GET',
    path: '/v1/organizations/members',
    summary: 'List the members of the organization',
    section: 'Organizations',
    schemas: async () => {
      const { memberList } = await schemas();
      return { response: memberList };
    },
  }),

  removeMember: serviceOperation({
    method: 'DELETE',
    path: '/v1/organizations/members/{memberId}',
    summary: 'Remove another member from the organization',
    section: 'Organizations',
    schemas: async () => {
      const { member } = await schemas();
      return { response: member };
    },
  }),

  getUser: serviceOperation({
    method: 'GET',
    path: '/v1/users/me',
    summary: 'Retrieve the user of the API key',
    section: 'Organizations',
    schemas: async () => {
      const { user } = await schemas();
      return { response: user };
    },
  }),

  getMailServerStatus: serviceOperation({
    method: 'GET',
    path: '/v1/inbound-parse/mx/status',
    summary: 'Show whether a mail server for inbound e-mails is configured',
    section: 'Organizations',
    schemas: async () => {
      const { mailServerStatus } = await schemas();
      return { response: mailServerStatus };
    },
  }),
};
