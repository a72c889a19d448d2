// Serializes workflows and steps: summaries for listings, whole workflows, and single steps.
import type { Workflow, WorkflowStep, WorkflowSummary } from '../../api/schemas/workflows.ts';
import { userId } from '../seed/ids.ts';
import { slugOf } from '../slugs.ts';
import { activeIntegrations } from '../store/integrations.ts';
import { isChannel } from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import type { StepDefinition, StoredWorkflow } from '../store/workflows.ts';
import { serializeControls } from './step-controls.ts';
import { stepVariablesSchema } from './step-variables.ts';

export const author = { _id: userId, firstName: 'Sandbox', lastName: null };

const sharedFields = (compat: boolean, workflow: StoredWorkflow) => ({
  _id: workflow.id,
  workflowId: workflow.identifier,
  name: workflow.name,
  slug: slugOf(workflow.name, 'wf', workflow.id),
  createdAt: workflow.createdAt,
  updatedAt: workflow.updatedAt,
  status: workflow.status,
  origin: workflow.origin,
  tags: workflow.tags,
  // The service sends no external id of the author.
  updatedBy: compat ? author : { ...author, externalId: null },
  lastPublishedAt: null,
  lastTriggeredAt: workflow.lastTriggeredAt,
  isTranslationEnabled: workflow.isTranslationEnabled ?? false,
});

/** By the specification, the issues of a step, if any; the service sends those of its content alone. */
function issuesField(compat: boolean, { issues }: StepDefinition) {
  if (!compat) return issues ? { issues } : {};
  const { integration: _, ...content } = issues ?? {};
  return { issues: content };
}

export const stepSlug = ({ name, id }: StepDefinition) => slugOf(name, 'st', id);

export const serializeWorkflowSummary = (
  compat: boolean,
  workflow: StoredWorkflow,
): WorkflowSummary => ({
  ...sharedFields(compat, workflow),
  // In a listing, the service sends an empty text for a time that is not known.
  ...(compat ? { lastPublishedAt: '', lastPublishedBy: null } : {}),
  stepTypeOverviews: [...new Set(workflow.steps.map(({ type }) => type))],
  steps: workflow.steps.map((step) => ({
    slug: stepSlug(step),
    type: step.type,
    ...issuesField(compat, step),
  })),
});

export const serializeWorkflow = (scope: Scope, workflow: StoredWorkflow): Workflow => ({
  ...sharedFields(scope.compat, workflow),
  description: workflow.description,
  active: workflow.active,
  severity: workflow.severity,
  preferences: workflow.preferences,
  validatePayload: workflow.validatePayload,
  payloadSchema: workflow.payloadSchema,
  payloadExample: workflow.payloadExample,
  steps: workflow.steps.map((step) => {
    const { issues: _, ...serialized } = serializeStep(true, workflow, step);
    const issues = { ...step.issues, ...integrationIssues(scope, step) };
    return { ...serialized, ...(Object.keys(issues).length === 0 ? {} : { issues }) };
  }),
});

/** Problems with the integration that a step needs. The sandbox never has a connected inbox. */
function integrationIssues(scope: Scope, { type }: StepDefinition) {
  if (!scope.compat || !isChannel(type)) return {};
  const active = activeIntegrations(scope, type);
  const needsPrimary = type === 'email' || type === 'sms';
  const message =
    type === 'in_app'
      ? 'Inbox is not connected. Please connect your Inbox integration.'
      : needsPrimary
        ? 'Missing active primary integration provider'
        : 'Missing active integration provider';
  const isMissing = type === 'in_app' || !active.some(({ primary }) => primary || !needsPrimary);
  return isMissing
    ? { integration: { [type]: [{ issueType: 'MISSING_INTEGRATION' as const, message }] } }
    : {};
}

/** The service sends the values twice; the specification has them in `controlValues` alone. */
export const serializeStep = (
  compat: boolean,
  workflow: StoredWorkflow,
  step: StepDefinition,
): WorkflowStep => ({
  _id: step.id,
  stepId: step.stepId,
  name: step.name,
  slug: stepSlug(step),
  type: step.type,
  origin: workflow.origin,
  workflowId: workflow.identifier,
  workflowDatabaseId: workflow.id,
  controls: {
    ...serializeControls(step.type),
    ...(compat ? { values: step.controlValues } : {}),
  },
  controlValues: step.controlValues,
  variables: stepVariablesSchema(workflow, step),
  ...issuesField(compat, step),
});
