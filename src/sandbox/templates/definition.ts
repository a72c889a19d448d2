// The checks of the service on a workflow after the checks of its request: limits, with the path of each mistake.

import { asObject, type JsonObject } from '../../core/objects.ts';
import { limits } from '../../service/limits.ts';
import {
  channelFields,
  definitionFields,
  detailFields,
  layoutFields,
} from '../../service/rules/definition-rules.ts';
import { allChannels, channelOrders, type StepType } from '../../service/schemas/vocabulary.ts';
import { anyPayload } from '../../service/workflow-defaults.ts';
import { badRequest, checkFields, type HttpError, notFound } from '../http/http-error.ts';
import { type ErrorsByPath, findErrors, messagesByPath } from '../http/validate.ts';
import type { Dialect } from '../store/dialect.ts';
import { shortId } from '../store/ids.ts';
import { findLayout } from '../store/layouts.ts';
import type { Scope } from '../store/scope.ts';
import { nameAsIdentifier, slugify } from '../store/slugs.ts';
import { environmentNames } from '../store/variables.ts';
import type { StepDefinition, StoredWorkflow } from '../store/workflows.ts';
import { documentIn } from './block-document.ts';
import { renderEmail } from './email.ts';
import { stepIssues } from './step-issues.ts';
import type { EarlierStep } from './step-variables.ts';
import { isCronInvalid } from './wait-limits.ts';

interface Definition {
  name?: unknown;
  description?: unknown;
  tags?: unknown;
  steps?: unknown;
  preferences?: unknown;
}

/** Throws the mistakes of the name, the steps and the preferences. */
export function checkDefinition({ dialect }: Scope, workflow: Definition): void {
  if (!Array.isArray(workflow.steps)) throw badRequest('steps must be an array');
  checkFields(
    dialect,
    'UpsertWorkflowCommand',
    messagesByPath(findErrors(definitionFields, workflow, dialect.service), 'workflowDto.'),
  );
}

/** Throws the mistakes that the service looks for later. */
export function checkDetails({ dialect }: Scope, command: string, workflow: Definition): void {
  const { user, workflow: own } = asObject(workflow.preferences);
  checkFields(dialect, command, {
    ...messagesByPath(findErrors(detailFields, workflow, dialect.service)),
    ...channelErrors(dialect, user, 'userPreferences.'),
    ...channelErrors(dialect, own, 'defaultPreferences.'),
  });
}

/** Throws if the name of a layout is empty or too long. */
export const checkLayoutName = ({ dialect }: Scope, name: unknown): void =>
  checkFields(
    dialect,
    'UpsertLayoutCommand',
    messagesByPath(findErrors(layoutFields, { name }, dialect.service), 'layoutDto.'),
  );

export function checkStepCount(count: number): void {
  if (count <= limits.stepsPerWorkflow) return;
  throw badRequest(
    `Workflow steps limit exceeded. Maximum allowed steps is ${limits.stepsPerWorkflow}, but got ${count} steps.`,
    { context: { providedStepsCount: count, maxSteps: limits.stepsPerWorkflow } },
  );
}

/** Later versions complete the channels instead. */
const channelErrors = (dialect: Dialect, preferences: unknown, path: string): ErrorsByPath =>
  dialect.hasLaterSteps
    ? {}
    : messagesByPath(findErrors(channelFields, preferences, dialect.service), path);

// Makes the steps of a workflow from the steps of a request. A step of the request is an existing one only by its `_id`.

/** A step of a request, as far as it was checked. */
export interface RequestedStep {
  _id?: string | undefined;
  stepId?: string | undefined;
  name: string;
  type: StepType;
  controlValues?: Record<string, unknown> | null | undefined;
  providerOverrides?: Record<string, unknown> | null | undefined;
}

/**
 * Returns the steps without their new control values: existing ones keep the stored values, new ones have none. The
 * issues are about the new values.
 */
export function buildSteps(
  scope: Scope,
  requested: readonly RequestedStep[],
  {
    workflow,
    isOwnOrigin,
    payloadSchema,
  }: {
    workflow?: StoredWorkflow;
    isOwnOrigin: boolean;
    /** That of the request. */
    payloadSchema: StoredWorkflow['payloadSchema'] | undefined;
  },
): StepDefinition[] {
  const built: StepDefinition[] = [];
  const env = environmentNames(scope);
  const { checksPresentSchemas } = scope.dialect;
  const planned = requested.map(({ stepId, name, type, controlValues }) => ({
    stepId: stepId ?? slugify(name),
    type,
    controlValues,
  }));
  const stored = workflow?.steps.length === 0 ? anyPayload : (workflow?.payloadSchema ?? null);
  const checkedPayload = (checksPresentSchemas ? payloadSchema : undefined) ?? stored;
  for (const step of requested) {
    if (step.type === 'trigger') throw badRequest('Steps of type trigger cannot be created');
    // The service fails with 500.
    if (isCronInvalid(step.type, step.controlValues))
      throw badRequest(`Invalid cron expression: ${step.controlValues?.cron}`);
    const existing = step._id ? workflow?.steps.find(({ id }) => id === step._id) : undefined;
    const type = existing?.type ?? step.type;
    const { issues: old, ...kept } = existing ?? newStep(scope, step, workflow?.steps ?? built);
    const issues = stepIssues({
      type: step.type,
      schemaType: checksPresentSchemas ? step.type : type,
      controlValues: step.controlValues ?? existing?.controlValues,
      earlier: stepsBefore(existing, planned, workflow),
      storedValues: (workflow?.steps ?? []).flatMap((stored) =>
        Object.values(stored.controlValues),
      ),
      payloadSchema: checkedPayload,
      isOwnOrigin,
      dialect: scope.dialect,
      env,
    });
    const all = { ...(old?.integration ? { integration: old.integration } : {}), ...issues };
    const hasIssues = Object.keys(all).length > 0;
    built.push({ ...kept, name: step.name, ...(hasIssues ? { issues: all } : {}) });
  }
  return built;
}

const newStep = (
  scope: Scope,
  { stepId, name, type }: RequestedStep,
  others: readonly StepDefinition[],
): StepDefinition => ({
  id: scope.ids.objectId(),
  stepId: stepId ?? unusedStepId(scope, nameAsIdentifier(scope, name), others),
  name,
  type,
  active: true,
  controlValues: {},
});

function unusedStepId(scope: Scope, slug: string, others: readonly StepDefinition[]): string {
  const isTaken = others.some(({ stepId }) => stepId === slug);
  return isTaken ? `${slug}-${shortId(scope)}` : slug;
}

/** A new step can use the results of all steps of the workflow, an existing one the results of the steps before it. */
function stepsBefore(
  existing: StepDefinition | undefined,
  planned: readonly EarlierStep[],
  workflow: StoredWorkflow | undefined,
) {
  const stored = workflow?.steps ?? [];
  if (existing) return stored.slice(0, stored.indexOf(existing));
  const storedIds = new Set(stored.map(({ stepId }) => stepId));
  return [...stored, ...planned.filter(({ stepId }) => !storedIds.has(stepId))];
}

/**
 * Returns the control values that the request has for a step: of the first step that it names by `_id`, else by
 * `stepId`, else by name. Undefined: the request has none, so the stored ones are deleted.
 */
export const requestedValues = (
  step: StepDefinition,
  requested: readonly RequestedStep[],
): Record<string, unknown> | undefined =>
  requestedStep(step, requested)?.controlValues ?? undefined;

export const requestedStep = (
  step: StepDefinition,
  requested: readonly RequestedStep[],
): RequestedStep | undefined =>
  requested.find((candidate) => {
    if (candidate._id !== undefined) return candidate._id === step.id;
    return candidate.stepId === undefined
      ? candidate.name === step.name
      : candidate.stepId === step.stepId;
  });

// The delivery preferences of a workflow: from a request, completed, or the standard ones.

type Preferences = StoredWorkflow['preferences'];
type Level = NonNullable<Preferences['default']>;

/** A request names `workflow` what a response names `default`. Absent parts are reset. */
export function preferencesFrom(
  requested: { user?: unknown; workflow?: unknown } | null | undefined,
  dialect: Dialect,
): Preferences {
  const { user, workflow } = requested ?? {};
  return {
    user: isLevel(user) ? completed(user, dialect) : null,
    default: completed(workflow, dialect),
  };
}

const isLevel = (value: unknown): value is Level => typeof value === 'object' && value !== null;

/** In later versions, channels follow `all`. */
function completed(value: unknown, { hasLaterSteps }: Dialect): Level {
  const level: Level = isLevel(value) ? value : {};
  const isOn = level.all?.enabled ?? true;
  const isEnabled = (name: string) =>
    level.channels?.[name]?.enabled ?? (hasLaterSteps ? isOn : true);
  const channels = hasLaterSteps ? allChannels : channelOrders.workflowPreferences;
  return {
    all: { enabled: isOn, readOnly: level.all?.readOnly ?? false },
    channels: Object.fromEntries(channels.map((name) => [name, { enabled: isEnabled(name) }])),
  };
}

// The control values of an e-mail step as the service stores them: the identifier of its layout, and a body that fits
// the editor.

/** Returns an error if there is no such layout. */
export function emailValues(scope: Scope, values: JsonObject): JsonObject | HttpError {
  const { layoutId } = values;
  if (typeof layoutId !== 'string') return { ...values, ...cleanBody(scope, values) };
  const layout = layoutId === '' ? undefined : findLayout(scope, layoutId);
  if (!layout) return layoutNotFound(scope, layoutId);
  return { ...values, layoutId: layout.layoutId, ...cleanBody(scope, values) };
}

export const layoutNotFound = ({ environmentId }: Scope, layoutId: string): HttpError =>
  notFound(
    layoutId === ''
      ? `Default layout not found in the environment ${environmentId}`
      : `Layout not found for id ${layoutId} in the environment ${environmentId}`,
  );

/** The block editor takes block documents alone; the HTML editor gets the HTML of a document. */
function cleanBody(place: Scope, { body, editorType }: JsonObject): JsonObject {
  const isDocument = documentIn(body) !== undefined;
  if (editorType === 'block' && !isDocument) return { body: '' };
  if (editorType !== 'html' || !isDocument) return {};
  return { body: renderEmail({ body: String(body), sanitize: false, variables: {}, place }) };
}
