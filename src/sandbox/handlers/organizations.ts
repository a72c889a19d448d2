// The one organization of a sandbox with its one member. Further organizations are listed, and have nothing in them.

import { author } from '../serializers/workflow.ts';
import { createRecordKind } from '../store/records.ts';
import type { Scope } from '../store/scope.ts';
import { seedTimestamp, userId } from '../values/fixed-ids.ts';
import { badRequest, notFound } from '../values/http-error.ts';
import { derivedId } from '../values/ids.ts';
import type { Handler } from './handler.ts';

interface OrganizationBody {
  name: string;
  logo?: string | undefined;
  branding?: object;
}

const records = createRecordKind<OrganizationBody>('organization');

/** Organizations do not belong to an environment. */
const ofOrganization = (scope: Scope): Scope => ({ ...scope, environmentId: scope.organizationId });

const createdAt = new Date(seedTimestamp).toISOString();

/** The organization of the sandbox is stored at its first change. */
function storedOrganization(scope: Scope) {
  const { organizationId: id } = scope;
  const stored = records.find(ofOrganization(scope), id);
  return stored ?? { id, name: 'Sandbox', createdAt, updatedAt: createdAt };
}

function change(scope: Scope, changes: Partial<OrganizationBody>): void {
  const target = ofOrganization(scope);
  const { organizationId: id } = scope;
  const stored = records.find(target, id) ?? records.insert(target, id, { name: 'Sandbox' }, id);
  records.update(target, { ...stored, ...changes });
}

const serialize = ({
  id,
  name,
  logo,
  branding,
  ...times
}: ReturnType<typeof storedOrganization> & OrganizationBody) => ({
  _id: id,
  name,
  ...(logo === undefined ? {} : { logo }),
  ...(branding === undefined ? {} : { branding }),
  apiServiceLevel: 'unlimited',
  createdAt: times.createdAt,
  updatedAt: times.updatedAt,
});

export const getOrganization: Handler<'getOrganization'> = ({ scope }) =>
  serialize(storedOrganization(scope));

export const listOrganizations: Handler<'listOrganizations'> = ({ scope }) => {
  const others = records.all(ofOrganization(scope)).filter(({ id }) => id !== scope.organizationId);
  return [storedOrganization(scope), ...others].map(serialize);
};

export const createOrganization: Handler<'createOrganization'> = ({ body, scope }) =>
  serialize(records.insert(ofOrganization(scope), body.name, body));

export const renameOrganization: Handler<'renameOrganization'> = ({ body: { name }, scope }) => {
  change(scope, { name });
  return { name };
};

export const updateBranding: Handler<'updateBranding'> = ({ body: branding, scope }) => {
  change(scope, { branding });
  return branding;
};

const memberId = derivedId('member');

export const listMembers: Handler<'listMembers'> = ({ scope: { organizationId } }) => [
  {
    ...{ _id: memberId, _userId: userId, _organizationId: organizationId },
    ...{ roles: ['admin'], memberStatus: 'active' },
    user: { ...author, email: 'sandbox@example.com' },
  },
];

export const removeMember: Handler<'removeMember'> = ({ path }) => {
  throw path.memberId === memberId
    ? badRequest('Cannot remove self from members')
    : notFound('Member not found');
};

export const getUser: Handler<'getUser'> = () => ({
  ...author,
  email: 'sandbox@example.com',
  createdAt,
  hasPassword: true,
});

/** The sandbox receives no e-mails. */
export const getMailServerStatus: Handler<'getMailServerStatus'> = () => ({
  mxRecordConfigured: false,
});
