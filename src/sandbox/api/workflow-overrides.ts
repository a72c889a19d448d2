// The settings of workflows for single tenants. They are only stored: in the service, too, only workflows of the older
// editor apply them.
import { notFound } from '../http/http-error.ts';
import { contextById } from '../store/contexts.ts';
import type { Scope } from '../store/scope.ts';
import { createRecordKind, type StoredRecord } from '../store/table.ts';
import { findWorkflow } from '../store/workflows.ts';
import type { Call, Handler } from './handler.ts';

type Settings = Call<'updateWorkflowOverride'>['body'];
type Override = Settings & { workflow: string; tenant: string };

const overrides = createRecordKind<Override>('workflow-override');

const overrideKey = (workflow: string, tenant: string) => `${workflow}:${tenant}`;

const serialize = (
  { environmentId, organizationId }: Scope,
  {
    id,
    workflow,
    tenant,
    active,
    preferenceSettings,
    createdAt,
    updatedAt,
  }: StoredRecord<Override>,
) => ({
  _id: id,
  _organizationId: organizationId,
  _environmentId: environmentId,
  _workflowId: workflow,
  _tenantId: tenant,
  active,
  preferenceSettings,
  deleted: false,
  createdAt,
  updatedAt,
});

/** The service says that more follows whenever the page is full. */
export const listWorkflowOverrides: Handler<'listWorkflowOverrides'> = ({
  query: { page = 0, limit = 10 },
  scope,
}) => {
  const data = overrides
    .all(scope)
    .slice(page * limit, (page + 1) * limit)
    .map((stored) => serialize(scope, stored));
  return { data, page, pageSize: limit, hasMore: data.length === limit };
};

export const createWorkflowOverride: Handler<'createWorkflowOverride'> = ({
  body: { workflowId: workflow, tenantId: tenant, ...settings },
  scope,
}) => {
  checkBoth(scope, workflow, tenant);
  const key = overrideKey(workflow, tenant);
  return serialize(scope, overrides.insert(scope, key, { workflow, tenant, ...settings }));
};

export const getTenantWorkflowOverride: Handler<'getTenantWorkflowOverride'> = ({
  path: { workflowId, tenantId },
  scope,
}) => {
  const stored = overrides.findByKey(scope, overrideKey(workflowId, tenantId));
  if (stored) return serialize(scope, stored);
  throw notFound(
    `Workflow Override with workflow id ${workflowId}, tenant id ${tenantId} not found`,
  );
};

export const updateTenantWorkflowOverride: Handler<'updateTenantWorkflowOverride'> = ({
  path: { workflowId, tenantId },
  body,
  scope,
}) => {
  checkBoth(scope, workflowId, tenantId);
  const stored = overrides.findByKey(scope, overrideKey(workflowId, tenantId));
  if (stored) return change(scope, stored, body);
  throw notFound(
    `Workflow override with workflow id ${workflowId} and tenant id ${tenantId} was not found`,
  );
};

export const getWorkflowOverride: Handler<'getWorkflowOverride'> = ({
  path: { overrideId },
  scope,
}) => serialize(scope, requireOverride(scope, overrideId, 'Override'));

export const updateWorkflowOverride: Handler<'updateWorkflowOverride'> = ({
  path: { overrideId },
  body,
  scope,
}) => change(scope, requireOverride(scope, overrideId, 'override'), body);

export const deleteWorkflowOverride: Handler<'deleteWorkflowOverride'> = ({
  path: { overrideId },
  scope,
}) => {
  overrides.remove(scope, requireOverride(scope, overrideId, 'Override').id);
  return true;
};

/** Channels that are not given are kept. */
function change(scope: Scope, stored: StoredRecord<Override>, settings: Settings) {
  const { active = stored.active, preferenceSettings: changedSettings } = settings;
  const preferenceSettings = changedSettings
    ? { ...stored.preferenceSettings, ...changedSettings }
    : stored.preferenceSettings;
  return serialize(scope, overrides.update(scope, { ...stored, active, preferenceSettings }));
}

/** The service writes the word in two ways. */
function requireOverride(scope: Scope, id: string, word: 'Override' | 'override') {
  const stored = overrides.find(scope, id);
  if (!stored) throw notFound(`Workflow ${word} with id ${id} not found`);
  return stored;
}

function checkBoth(scope: Scope, workflow: string, tenant: string): void {
  if (contextById(scope, tenant)?.type !== 'tenant')
    throw notFound(`Tenant with id ${tenant} is not found`);
  if (!findWorkflow(scope, 'id', workflow))
    throw notFound(`Workflow with id ${workflow} is not found`);
}
