// Workflows and their steps, found by internal id, identifier or slug. Like in the service, a write is kept when a later
// part of it fails: a layout that does not exist leaves the workflow with its other changes.
import { limits } from '../../service/limits.ts';
import { hasPrimary, type Severity } from '../../service/schemas/vocabulary.ts';
import type { Workflow, WorkflowStep, WorkflowSummary } from '../../service/schemas/workflows.ts';
import { anyPayload, definedSettings } from '../../service/workflow-defaults.ts';
import { checkTarget } from '../http/authorization.ts';
import { badRequest, HttpError, notFound } from '../http/http-error.ts';
import { shortId, userId } from '../store/ids.ts';
import { activeIntegrations } from '../store/integrations.ts';
import { isChannel } from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { createSlug, idInSlug } from '../store/slugs.ts';
import { environmentNames } from '../store/variables.ts';
import {
  contentIssues,
  countWorkflows,
  findWorkflow,
  insertWorkflow,
  removeWorkflow,
  type StepDefinition,
  type StoredWorkflow,
  saveWorkflow,
  searchWorkflows,
} from '../store/workflows.ts';
import { serializeControls } from '../templates/control-schemas.ts';
import {
  buildSteps,
  checkDefinition,
  checkDetails,
  checkStepCount,
  emailValues,
  preferencesFrom,
  type RequestedStep,
  requestedStep,
  requestedValues,
} from '../templates/definition.ts';
import { payloadExample } from '../templates/payload-example.ts';
import { stepIssues } from '../templates/step-issues.ts';
import { stepVariablesSchema } from '../templates/step-variables.ts';
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
  return { workflows: workflows.map(serializeWorkflowSummary), totalCount };
};

export const getWorkflow: Handler<'getWorkflow'> = ({
  path: { workflowId },
  query: { environmentId },
  scope,
}) => {
  checkTarget(scope, environmentId);
  const target = environmentId === undefined ? scope : { ...scope, environmentId };
  return serializeWorkflow(scope, requireWorkflow(target, workflowId));
};

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
  return serializeStep(scope, workflow, step);
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

export const createWorkflow: Handler<'createWorkflow'> = ({ body, scope }) => {
  checkDefinition(scope, body);
  const requested = body.steps as RequestedStep[];
  const steps = buildSteps(scope, requested, {
    isOwnOrigin: true,
    payloadSchema: body.payloadSchema,
  });
  checkDetails(scope, 'CreateWorkflowCommandV0', body);
  checkCount(scope);
  checkStepCount(steps.length);
  const { name, active, tags, description, severity, preferences } = body;
  const isActive = active ?? true;
  const payloadSchema = body.payloadSchema ?? anyPayload;
  const workflow: StoredWorkflow = {
    id: scope.ids.objectId(),
    identifier: unusedIdentifier(scope, body.workflowId),
    name,
    description: description ?? '',
    tags: tags ?? [],
    status: workflowStatus(isActive, steps),
    active: isActive,
    origin: 'novu-cloud',
    severity: (severity as Severity | undefined) ?? 'none',
    // A workflow with its own schema validates payloads only on request.
    validatePayload: body.validatePayload ?? !body.payloadSchema,
    isTranslationEnabled: body.isTranslationEnabled,
    payloadSchema,
    payloadExample: payloadExample(payloadSchema),
    preferences: preferencesFrom(preferences, scope.dialect),
    ...agentOf(scope, body, undefined),
    steps,
    createdAt: scope.now,
    updatedAt: scope.now,
    lastTriggeredAt: null,
  };
  insertWorkflow(scope, workflow);
  return saveValues(scope, workflow, requested, true);
};

export const updateWorkflow: Handler<'updateWorkflow'> = ({
  path: { workflowId },
  body,
  scope,
}) => {
  checkDefinition(scope, body);
  const current = requireWorkflow(scope, workflowId);
  const origin = scope.dialect.ignoresOrigin ? current.origin : body.origin;
  const isOwn = origin === 'novu-cloud';
  const requested = body.steps as RequestedStep[];
  const { payloadSchema: requestedSchema } = body;
  const steps = buildSteps(scope, requested, {
    workflow: current,
    isOwnOrigin: isOwn,
    payloadSchema: requestedSchema,
  });
  checkDetails(scope, 'UpdateWorkflowCommandV0', body);
  checkStepCount(steps.length);
  const { name, active, tags, description, severity, payloadSchema, preferences } = body;
  const isActive = active ?? true;
  const schema = payloadSchema === undefined ? current.payloadSchema : payloadSchema;
  const isNewSchema = JSON.stringify(schema) !== JSON.stringify(current.payloadSchema);
  const workflow: StoredWorkflow = {
    ...current,
    name: name || current.name,
    description: description === undefined ? current.description : description,
    tags: tags ?? current.tags,
    // The service leaves the status as it is when a workflow is deactivated.
    status: isActive ? workflowStatus(isActive, steps) : current.status,
    active: isActive,
    severity: severity === undefined ? current.severity : ((severity as Severity) ?? 'none'),
    validatePayload: body.validatePayload ?? current.validatePayload,
    isTranslationEnabled: body.isTranslationEnabled ?? current.isTranslationEnabled,
    payloadSchema: schema,
    payloadExample: isNewSchema ? payloadExample(schema) : current.payloadExample,
    preferences: preferencesFrom(preferences, scope.dialect),
    ...agentOf(scope, body, current.agent),
    steps,
  };
  saveWorkflow(scope, workflow);
  return saveValues(scope, workflow, requested, isOwn || origin === 'novu-cloud-v1');
};

export const patchWorkflow: Handler<'patchWorkflow'> = ({ path: { workflowId }, body, scope }) => {
  const current = requireWorkflow(scope, workflowId);
  const { active, name, description, tags, validatePayload } = body;
  const payloadSchema = body.payloadSchema ?? current.payloadSchema;
  const isNewSchema = JSON.stringify(payloadSchema) !== JSON.stringify(current.payloadSchema);
  const changed = typeof active === 'boolean' ? active : undefined;
  const steps = isNewSchema ? withNewIssues(scope, current, payloadSchema) : current.steps;
  saveWorkflow(scope, {
    ...current,
    name: name ?? current.name,
    description: description ?? current.description,
    tags: tags ?? current.tags,
    active: changed ?? current.active,
    status: patchedStatus(scope, current, changed, steps),
    validatePayload: validatePayload ?? current.validatePayload,
    payloadSchema,
    payloadExample: isNewSchema ? payloadExample(payloadSchema) : current.payloadExample,
    steps,
  });
  return serializeWorkflow(scope, requireWorkflow(scope, current.id));
};

/** Older versions ignore issues here. */
function patchedStatus(
  { dialect }: Scope,
  { active, status }: StoredWorkflow,
  changed: boolean | undefined,
  steps: readonly StepDefinition[],
): StoredWorkflow['status'] {
  if (dialect.recomputesStatus) return workflowStatus(changed ?? active, steps);
  return changed === undefined ? status : workflowStatus(changed, []);
}

export const deleteWorkflow: Handler<'deleteWorkflow'> = ({ path: { workflowId }, scope }) => {
  removeWorkflow(scope, requireWorkflow(scope, workflowId).id);
  return undefined;
};

/** An agent that is absent is kept, and null removes it. */
const agentOf = (
  { dialect }: Scope,
  { agent }: Record<string, unknown>,
  stored: StoredWorkflow['agent'],
): Pick<StoredWorkflow, 'agent'> =>
  dialect.hasLaterSteps ? { agent: agent === undefined ? stored : (agent as typeof stored) } : {};

function checkCount(scope: Scope): void {
  const currentCount = countWorkflows(scope);
  if (currentCount < limits.workflows) return;
  throw badRequest('Workflow limit exceeded. Please contact us to support more workflows.', {
    context: { currentCount, limit: limits.workflows },
  });
}

/** Adds a suffix to a taken identifier, as the service does. */
export function unusedIdentifier(scope: Scope, identifier: string): string {
  const isTaken = findWorkflow(scope, 'identifier', identifier) !== undefined;
  return isTaken ? `${identifier}-${shortId(scope)}` : identifier;
}

function workflowStatus(
  active: boolean,
  steps: readonly StepDefinition[],
): StoredWorkflow['status'] {
  if (!active) return 'INACTIVE';
  return steps.some(({ issues }) => issues?.controls) ? 'ERROR' : 'ACTIVE';
}

/** Stores the control values of the request, after the workflow itself. */
function saveValues(
  scope: Scope,
  workflow: StoredWorkflow,
  requested: readonly RequestedStep[],
  hasOwnEmails: boolean,
) {
  let failure: HttpError | undefined;
  const steps = workflow.steps.map((step) => {
    const own = requestedValues(step, requested);
    const values = own && hasOwnEmails && step.type === 'email' ? emailValues(scope, own) : own;
    if (!(values instanceof HttpError))
      return withOverrides(scope, { ...step, controlValues: values ?? {} }, requested);
    failure ??= values;
    return step;
  });
  saveWorkflow(scope, { ...workflow, steps });
  return failure ?? serializeWorkflow(scope, requireWorkflow(scope, workflow.id));
}

/** Provider overrides that are absent are kept, and null removes them. */
function withOverrides(
  { dialect }: Scope,
  step: StepDefinition,
  requested: readonly RequestedStep[],
): StepDefinition {
  const { providerOverrides } = requestedStep(step, requested) ?? {};
  if (!dialect.hasLaterSteps || providerOverrides === undefined) return step;
  const { providerOverrides: _, ...rest } = step;
  return providerOverrides === null ? rest : { ...rest, providerOverrides };
}

const withNewIssues = (
  scope: Scope,
  { steps, origin }: StoredWorkflow,
  payloadSchema: StoredWorkflow['payloadSchema'],
): StepDefinition[] =>
  steps.map(({ issues: _, ...step }, index) => {
    const issues = stepIssues({
      type: step.type,
      schemaType: step.type,
      controlValues: step.controlValues,
      storedValues: steps.flatMap((stored) => Object.values(stored.controlValues)),
      earlier: steps.slice(0, index),
      payloadSchema,
      isOwnOrigin: origin === 'novu-cloud',
      dialect: scope.dialect,
      env: environmentNames(scope),
    });
    return { ...step, ...(issues ? { issues } : {}) };
  });

// Serializes workflows and steps: summaries for listings, whole workflows, and single steps.

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
  lastPublishedAt: workflow.lastPublishedAt ?? null,
  lastTriggeredAt: workflow.lastTriggeredAt,
});

const stepSlug = ({ name, id }: StepDefinition) => createSlug(name, 'st', id);

const serializeWorkflowSummary = (workflow: StoredWorkflow): WorkflowSummary => ({
  ...sharedFields(workflow),
  tags: workflow.tags,
  isTranslationEnabled: workflow.isTranslationEnabled ?? false,
  // In a listing, the service sends an empty text for a time that is not known.
  lastPublishedAt: workflow.lastPublishedAt ?? '',
  lastPublishedBy: workflow.lastPublishedAt ? author : null,
  stepTypeOverviews: workflow.steps.map(({ type }) => type),
  steps: workflow.steps.map((step) => ({
    slug: stepSlug(step),
    type: step.type,
    issues: contentIssues(step),
  })),
});

const serializeWorkflow = (scope: Scope, workflow: StoredWorkflow): Workflow => ({
  ...sharedFields(workflow),
  ...definedSettings(workflow),
  isTranslationEnabled: workflow.isTranslationEnabled ?? false,
  preferences: workflow.preferences,
  payloadExample: workflow.payloadExample,
  ...(scope.dialect.hasLaterSteps ? { agent: workflow.agent ?? null } : {}),
  steps: workflow.steps.map((step) => {
    const { issues: _, ...serialized } = serializeStep(scope, workflow, step);
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
const serializeStep = (
  scope: Scope,
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
    ...(step.controlSchema
      ? { dataSchema: step.controlSchema }
      : serializeControls(step.type, scope.dialect)),
    values: step.controlValues,
  },
  controlValues: step.controlValues,
  variables: stepVariablesSchema(workflow, step, environmentNames(scope)),
  ...(step.providerOverrides ? { providerOverrides: step.providerOverrides } : {}),
  issues: contentIssues(step),
});
