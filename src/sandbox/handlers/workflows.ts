// Lists and reads workflows and their steps. Both are found by internal id, identifier or slug.
import { badRequest, notFound } from '../http/http-error.ts';
import {
  serializeStep,
  serializeWorkflow,
  serializeWorkflowSummary,
  stepSlug,
} from '../serializers/workflow.ts';
import { idInSlug } from '../slugs.ts';
import type { Scope } from '../store/scope.ts';
import { findWorkflow, type StoredWorkflow, searchWorkflows } from '../store/workflows.ts';
import type { Handler } from './handler.ts';

export const listWorkflows: Handler<'listWorkflows'> = ({ query, scope }) => {
  const { workflows, totalCount } = searchWorkflows(scope, {
    query: query.query,
    tags: query.tags,
    status: query.status,
    orderBy: query.orderBy ?? 'createdAt',
    orderDirection: query.orderDirection ?? 'DESC',
    limit: query.limit ?? 50,
    offset: query.offset ?? 0,
  });
  return {
    workflows: workflows.map(serializeWorkflowSummary),
    totalCount,
  };
};

export const getWorkflow: Handler<'getWorkflow'> = ({
  path: { workflowId },
  query: { environmentId },
  scope,
}) =>
  serializeWorkflow(
    scope,
    requireWorkflow(environmentId === undefined ? scope : { ...scope, environmentId }, workflowId),
  );

export const getWorkflowStep: Handler<'getWorkflowStep'> = ({
  path: { workflowId, stepId },
  scope,
}) => {
  const workflow = requireWorkflow(scope, workflowId);
  const step = workflow.steps.find(
    (candidate) =>
      [candidate.id, candidate.stepId, stepSlug(candidate)].includes(stepId) ||
      candidate.id === idInSlug(stepId, 'st'),
  );
  if (!step) throw badRequest('No step found', { context: { stepId, workflowId } });
  return serializeStep(workflow, step);
};

/** Finds a workflow by internal id, identifier or slug. Throws 404 if it does not exist. */
export function requireWorkflow(scope: Scope, workflowId: string): StoredWorkflow {
  const slugId = idInSlug(workflowId, 'wf');
  const workflow =
    findWorkflow(scope, 'identifier', workflowId) ??
    findWorkflow(scope, 'id', workflowId) ??
    (slugId === undefined ? undefined : findWorkflow(scope, 'id', slugId));
  if (!workflow) {
    // The service names the internal id in a whole slug.
    const isWholeSlug = /_wf_\w{16}$/.test(workflowId);
    const context = { workflowId: isWholeSlug && slugId ? slugId : workflowId };
    throw notFound('Workflow cannot be found', { context });
  }
  return workflow;
}
