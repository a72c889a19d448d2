// Serializes workflows and steps: summaries for listings, whole workflows, and single steps.
import { hasPrimary } from '../../service/schemas/vocabulary.ts';
import type { Workflow, WorkflowStep, WorkflowSummary } from '../../service/schemas/workflows.ts';
import { givenSettings } from '../../service/workflow-defaults.ts';
import { serializeControls } from '../rendering/control-schemas.ts';
import { activeIntegrations } from '../store/integrations.ts';
import { isChannel } from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { contentIssues, type StepDefinition, type StoredWorkflow } from '../store/workflows.ts';
import { userId } from '../values/fixed-ids.ts';
import { createSlug } from '../values/slugs.ts';
import { stepVariablesSchema } from './step-variables.ts';

export const author = { _id: userId, firstName: 'Sandbox', lastName: null };

const sharedFields = (workflow: StoredWorkflow) => ({
  _id: workflow.id,
  workflowId: workflow.identifier,
  name: workflow.name,
  slug: createSlug(workflow.name, 'wf', workflow.id),
  createdAt: workflow.createdAt,
  updatedAt: workflow.updatedAt,
  status: workflow.status,
  origin: workflow.origin,
  updatedBy: author,
  lastPublishedAt: null,
  lastTriggeredAt: workflow.lastTriggeredAt,
});

export const stepSlug = ({ name, id }: StepDefinition) => createSlug(name, 'st', id);

export const serializeWorkflowSummary = (workflow: StoredWorkflow): WorkflowSummary => ({
  ...sharedFields(workflow),
  tags: workflow.tags,
  isTranslationEnabled: workflow.isTranslationEnabled ?? false,
  // In a listing, the service sends an empty text for a time that is not known.
  ...{ lastPublishedAt: '', lastPublishedBy: null },
  stepTypeOverviews: workflow.steps.map(({ type }) => type),
  steps: workflow.steps.map((step) => ({
    slug: stepSlug(step),
    type: step.type,
    issues: contentIssues(step),
  })),
});

export const serializeWorkflow = (scope: Scope, workflow: StoredWorkflow): Workflow => ({
  ...sharedFields(workflow),
  ...givenSettings(workflow),
  isTranslationEnabled: workflow.isTranslationEnabled ?? false,
  preferences: workflow.preferences,
  payloadExample: workflow.payloadExample,
  steps: workflow.steps.map((step) => {
    const { issues: _, ...serialized } = serializeStep(workflow, step);
    const issues = { ...step.issues, ...integrationIssues(scope, step) };
    return { ...serialized, ...(Object.keys(issues).length === 0 ? {} : { issues }) };
  }),
});

/** Problems with the integration that a step needs. The sandbox never has a connected inbox. */
function integrationIssues(scope: Scope, { type }: StepDefinition) {
  if (!isChannel(type)) return {};
  const active = activeIntegrations(scope, type);
  const needsPrimary = hasPrimary(type);
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

/** The service sends the values twice. */
export const serializeStep = (workflow: StoredWorkflow, step: StepDefinition): WorkflowStep => ({
  _id: step.id,
  stepId: step.stepId,
  name: step.name,
  slug: stepSlug(step),
  type: step.type,
  origin: workflow.origin,
  workflowId: workflow.identifier,
  workflowDatabaseId: workflow.id,
  controls: {
    ...(step.controlSchema ? { dataSchema: step.controlSchema } : serializeControls(step.type)),
    values: step.controlValues,
  },
  controlValues: step.controlValues,
  variables: stepVariablesSchema(workflow, step),
  issues: contentIssues(step),
});
