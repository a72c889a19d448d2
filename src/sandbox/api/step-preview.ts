// The preview of a step with sample data, since 3.15: what the service's editor shows beside its templates.
import { asObject, isObject, type JsonObject } from '../../core/objects.ts';
import { signatureOf } from '../bridge/request.ts';
import { isHttpStep, readHttpBody } from '../engine/http-step.ts';
import { planStep } from '../engine/plan-step.ts';
import { sampleOutput } from '../engine/preview.ts';
import { layoutsOf } from '../engine/run.ts';
import { HttpError } from '../http/http-error.ts';
import { findEnvironment } from '../store/environments.ts';
import type { Scope } from '../store/scope.ts';
import { environmentValues } from '../store/variables.ts';
import type { StepDefinition, StoredWorkflow } from '../store/workflows.ts';
import { renderControls } from '../templates/controls.ts';
import { sampleActor, sampleSubscriber } from '../templates/layout.ts';
import { collectProblems } from '../templates/liquid.ts';
import { payloadExample } from '../templates/payload-example.ts';
import type { Handler } from './handler.ts';
import { getWorkflowStep, requireWorkflow } from './workflows.ts';

export const previewWorkflowStep: Handler<'previewWorkflowStep'> = ({ path, body, scope }) => {
  try {
    const workflow = requireWorkflow(scope, path.workflowId);
    const { _id, type, variables } = getWorkflowStep({
      path,
      query: undefined,
      body: undefined,
      scope,
    }) as { _id: string; type: string; variables: JsonObject };
    const index = workflow.steps.findIndex(({ id }) => id === _id);
    const step = workflow.steps[index];
    if (!step) return nothing;
    const example = sampleFor(scope, workflow, workflow.steps.slice(0, index), body.previewPayload);
    const { skip: _, ...controlValues } = body.controlValues ?? step.controlValues;
    const preview = render(scope, workflow, { ...step, controlValues }, example);
    return {
      result: { preview, type },
      previewPayloadExample: example,
      schema: variables,
      ...(isHttpStep(step) ? { novuSignature: signatureFor(scope, preview) } : {}),
    };
  } catch (error) {
    if (error instanceof HttpError) return nothing;
    throw error;
  }
};

/** The response for a step that does not exist. */
const nothing = { result: { preview: {} }, previewPayloadExample: {}, schema: null };

/** The members of the request that the payload can have, over sample data. */
function sampleFor(
  scope: Scope,
  { payloadSchema }: StoredWorkflow,
  earlier: readonly StepDefinition[],
  requested: JsonObject = {},
) {
  const sample = asObject(payloadExample(payloadSchema));
  const payload = withKnown(sample, asObject(requested.payload));
  const contexts = Object.entries(asObject(requested.context)).flatMap(([name, value]) => {
    if (!value) return [];
    const { id, data } = isObject(value) ? value : { id: value };
    return [[name, { id, data: data ?? {} }]];
  });
  const outputs = earlier.map(({ stepId, type }) => [
    stepId,
    sampleOutput(type, payload, Date.parse(scope.now)),
  ]);
  return {
    payload,
    subscriber: { ...sampleSubscriber, ...asObject(requested.subscriber) },
    actor: { ...sampleActor, ...asObject(requested.actor) },
    ...(contexts.length > 0 ? { context: Object.fromEntries(contexts) } : {}),
    steps: { ...Object.fromEntries(outputs), ...asObject(requested.steps) } as JsonObject,
  };
}

const withKnown = (sample: JsonObject, requested: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(sample).map(([name, value]) => {
      const wanted = requested[name];
      if (wanted === undefined) return [name, value];
      return [name, isObject(value) && isObject(wanted) ? withKnown(value, wanted) : wanted];
    }),
  );

function renderOrNothing(controls: JsonObject, variables: JsonObject, place: Scope): JsonObject {
  try {
    return renderControls(controls, variables, place, collectProblems());
  } catch {
    return {};
  }
}

/** A sample of the signature that the request would have; undefined if its body is not JSON. */
function signatureFor({ sql, environmentId, now }: Scope, request: JsonObject): string | undefined {
  const key = findEnvironment(sql, environmentId)?.keys[0]?.key ?? '';
  try {
    const body = readHttpBody(request.body, request.method ?? 'GET');
    return signatureOf(JSON.stringify(body ?? {}), { key, now: Date.parse(now) });
  } catch {
    return undefined;
  }
}

/** Control values that are not part of the content. */
const settings = ['editorType', 'disableOutputSanitization', 'layoutId'];

/** Empty if the content cannot be rendered. */
function render(
  scope: Scope,
  workflow: StoredWorkflow,
  step: StepDefinition,
  example: ReturnType<typeof sampleFor>,
): JsonObject {
  const variables = { workflow, env: environmentValues(scope), context: {}, ...example };
  const { controlValues } = step;
  if (isHttpStep(step)) return renderOrNothing(controlValues, variables, scope);
  const plan = planStep(
    { stepId: step.stepId, type: step.type, controlValues },
    {
      variables: () => variables,
      payload: example.payload,
      overrides: {},
      now: scope.now,
      timeZone: 'UTC',
      schedule: undefined,
      isCritical: true,
      isChannelOff: false,
      dialect: scope.dialect,
      hasOwnControls: workflow.origin === 'novu-cloud',
      isStrict: false,
      layouts: layoutsOf(scope),
      environmentId: scope.environmentId,
    },
  );
  if (plan.result === 'skipped' || !('output' in plan)) return {};
  return Object.fromEntries(
    Object.entries(plan.output).filter(([name]) => !settings.includes(name)),
  );
}
