// Copies workflows to other environments. A key is of one environment: it syncs a workflow, and cannot compare or publish
// environments.
import { isObjectId } from '../../service/rules/formats.ts';
import { checkTarget } from '../http/authorization.ts';
import { badRequest, notFound } from '../http/http-error.ts';
import { findEnvironment } from '../store/environments.ts';
import { developmentId } from '../store/ids.ts';
import type { Scope } from '../store/scope.ts';
import { findWorkflow, type StoredWorkflow, saveWorkflow } from '../store/workflows.ts';
import type { Call, Handler } from './handler.ts';
import { createWorkflow, requireWorkflow, updateWorkflow } from './workflows.ts';

function checkEnvironments(scope: Scope, target: string, source = developmentId): never {
  if (!isObjectId(target)) throw badRequest('Invalid environment ID format');
  if (source === target) throw badRequest('Source and target environments cannot be the same');
  if (!isObjectId(source)) throw badRequest('Invalid environment ID format');
  if (!findEnvironment(scope.sql, source)) throw badRequest('Source environment not found');
  if (!findEnvironment(scope.sql, target)) throw badRequest('Target environment not found');
  checkTarget(scope, source);
  checkTarget(scope, target);
  throw new Error('One of two environments is not that of the key.');
}

export const diffEnvironments: Handler<'diffEnvironments'> = ({ path, body, scope }) =>
  checkEnvironments(scope, path.targetEnvironmentId, body.sourceEnvironmentId || undefined);

export const publishEnvironment: Handler<'publishEnvironment'> = ({ path, body, scope }) =>
  checkEnvironments(scope, path.targetEnvironmentId, body.sourceEnvironmentId || undefined);

export const syncWorkflow: Handler<'syncWorkflow'> = ({
  path: { workflowId },
  body: { targetEnvironmentId },
  scope,
}) => {
  if (targetEnvironmentId === scope.environmentId)
    throw badRequest('Cannot sync workflow to the same environment');
  if (!findEnvironment(scope.sql, targetEnvironmentId))
    throw notFound(`Environment ${targetEnvironmentId} not found`);
  const workflow = requireWorkflow(scope, workflowId);
  checkOrigin(workflow);
  const target = { ...scope, environmentId: targetEnvironmentId };
  const there = findWorkflow(target, 'identifier', workflow.identifier);
  const body = definitionOf(workflow, there);
  const synced = there
    ? updateWorkflow({ path: { workflowId: there.id }, query: undefined, body, scope: target })
    : createWorkflow({ path: {}, query: undefined, body, scope: target });
  saveWorkflow(scope, { ...workflow, lastPublishedAt: scope.now });
  return synced;
};

const syncableOrigins = ['novu-cloud'];

function checkOrigin({ origin, status, identifier: workflowId }: StoredWorkflow): void {
  if (syncableOrigins.includes(origin)) return;
  const allowed = syncableOrigins.join(', ');
  const reason = `origin '${origin}' is not allowed (must be one of: ${allowed})`;
  throw badRequest(`Cannot sync workflow: ${reason}`, {
    context: { workflowId, status, origin, allowedOrigins: syncableOrigins },
  });
}

const definitionOf = (workflow: StoredWorkflow, there: StoredWorkflow | undefined) =>
  ({
    ...workflow,
    workflowId: workflow.identifier,
    preferences: { user: workflow.preferences.user, workflow: workflow.preferences.default },
    steps: workflow.steps.map(({ name, stepId, type, controlValues }) => ({
      _id: there?.steps.find((step) => step.stepId === stepId)?.id,
      name,
      stepId,
      type,
      controlValues,
    })),
  }) as object as Call<'updateWorkflow'>['body'] & Call<'createWorkflow'>['body'];
