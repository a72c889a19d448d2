// Serializes workflows and steps: summaries for listings, whole workflows, and single steps.
import type { Workflow, WorkflowStep, WorkflowSummary } from '../../api/schemas/workflows.ts';
import { userId } from '../seed/ids.ts';
import { slugOf } from '../slugs.ts';
import type { StepDefinition, StoredWorkflow } from '../store/workflows.ts';
import { serializeControls } from './step-controls.ts';
import { stepVariablesSchema } from './step-variables.ts';

const author = { _id: userId, firstName: 'Sandbox', lastName: null, externalId: null };

const sharedFields = (workflow: StoredWorkflow) => ({
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

export const serializeWorkflowSummary = (workflow: StoredWorkflow): WorkflowSummary => ({
  ...sharedFields(workflow),
  stepTypeOverviews: [...new Set(workflow.steps.map(({ type }) => type))],
  steps: workflow.steps.map((step) => ({
    slug: stepSlug(step),
    type: step.type,
    ...issuesOf(step),
  })),
});

export const serializeWorkflow = (workflow: StoredWorkflow): Workflow => ({
  ...sharedFields(workflow),
  description: workflow.description,
  active: workflow.active,
  severity: workflow.severity,
  preferences: workflow.preferences,
  validatePayload: workflow.validatePayload,
  payloadSchema: workflow.payloadSchema,
  payloadExample: workflow.payloadExample,
  steps: workflow.steps.map((step) => {
    const serialized = serializeStep(workflow, step);
    return { ...serialized, controls: { ...serialized.controls, values: step.controlValues } };
  }),
});

export const serializeStep = (workflow: StoredWorkflow, step: StepDefinition): WorkflowStep => ({
  _id: step.id,
  stepId: step.stepId,
  name: step.name,
  slug: stepSlug(step),
  type: step.type,
  origin: workflow.origin,
  workflowId: workflow.identifier,
  workflowDatabaseId: workflow.id,
  controls: serializeControls(step.type),
  controlValues: step.controlValues,
  variables: stepVariablesSchema(workflow, step),
  ...issuesOf(step),
});
