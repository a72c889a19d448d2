// Workflows and steps as the service answers them: in listings, in full, one by one.
import type { Workflow, WorkflowStep, WorkflowSummary } from '../../api/schemas/workflows.ts';
import { userId } from '../seed/ids.ts';
import { slugOf } from '../slugs.ts';
import type { StepDefinition, StoredWorkflow } from '../store/workflows.ts';
import { controlForms } from './step-controls.ts';
import { stepVariables } from './step-variables.ts';

const author = { _id: userId, firstName: 'Sandbox', lastName: null, externalId: null };

const identity = (workflow: StoredWorkflow) => ({
  _id: workflow.id,
  workflowId: workflow.identifier,
  name: workflow.name,
  slug: slugOf(workflow.name, 'wf', workflow.id),
  createdAt: workflow.createdAt,
  updatedAt: workflow.updatedAt,
  status: workflow.status,
  origin: workflow.origin,
  tags: workflow.tags,
  updatedBy: author,
  lastPublishedAt: null,
  lastTriggeredAt: workflow.lastTriggeredAt,
  isTranslationEnabled: false,
});

const issuesOf = ({ issues }: StepDefinition) => (issues ? { issues } : {});

export const stepSlug = ({ name, id }: StepDefinition) => slugOf(name, 'st', id);

export const workflowSummary = (workflow: StoredWorkflow): WorkflowSummary => ({
  ...identity(workflow),
  stepTypeOverviews: [...new Set(workflow.steps.map(({ type }) => type))],
  steps: workflow.steps.map((step) => ({
    slug: stepSlug(step),
    type: step.type,
    ...issuesOf(step),
  })),
});

export const workflowAnswer = (workflow: StoredWorkflow): Workflow => ({
  ...identity(workflow),
  description: workflow.description,
  active: workflow.active,
  severity: workflow.severity,
  preferences: workflow.preferences,
  validatePayload: workflow.validatePayload,
  payloadSchema: workflow.payloadSchema,
  payloadExample: workflow.payloadExample,
  steps: workflow.steps.map((step) => {
    const answer = stepAnswer(workflow, step);
    return { ...answer, controls: { ...answer.controls, values: step.controlValues } };
  }),
});

export const stepAnswer = (workflow: StoredWorkflow, step: StepDefinition): WorkflowStep => ({
  _id: step.id,
  stepId: step.stepId,
  name: step.name,
  slug: stepSlug(step),
  type: step.type,
  origin: workflow.origin,
  workflowId: workflow.identifier,
  workflowDatabaseId: workflow.id,
  controls: controlForms(step.type),
  controlValues: step.controlValues,
  variables: stepVariables(workflow, step),
  ...issuesOf(step),
});
