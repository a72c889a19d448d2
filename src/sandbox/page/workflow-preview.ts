// Renders the steps of a workflow for its view: with a payload, for a subscriber, without sending anything.

import { isObject } from '../../core/objects.ts';
import type { PageSession } from '../control/sessions.ts';
import { isDefinedByCode, type PreviewStep } from '../engine/bridge-step.ts';
import { type PreviewedStep, previewSteps, sampleOutput } from '../engine/preview.ts';
import { layoutsOf } from '../engine/run.ts';
import { isCritical, mergePreferences } from '../engine/skip-rules.ts';
import type { StepResult } from '../engine/step.ts';
import { HttpError } from '../http/http-error.ts';
import { readJsonText } from '../http/request-body.ts';
import { listCredentials } from '../store/credentials.ts';
import { lastPayload } from '../store/page-events.ts';
import { newestSubscriber } from '../store/page-messages.ts';
import { findPreferences, globalPreferenceKey } from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { findSubscriber, type StoredSubscriber } from '../store/subscribers.ts';
import { findWorkflow, type StoredWorkflow } from '../store/workflows.ts';
import { payloadExample } from '../templates/payload-example.ts';

export interface PreviewInput {
  payload: Record<string, unknown>;
  /** As it was typed. */
  payloadText: string;
  subscriberId: string;
  subscriber: StoredSubscriber | undefined;
}

/** The input stays while the page is open. */
export function previewInput(
  scope: Scope,
  { previews }: PageSession,
  workflow: StoredWorkflow,
): PreviewInput {
  const { payload, subscriber: subscriberId } = previews.get(workflow.identifier) ?? {
    payload: JSON.stringify(suggestedPayload(scope, workflow), null, 2),
    subscriber: newestSubscriber(scope)?.subscriberId ?? '',
  };
  const read = readPayload(payload);
  return {
    payload: 'value' in read ? read.value : {},
    payloadText: payload,
    subscriberId,
    subscriber: subscriberId === '' ? undefined : findSubscriber(scope, subscriberId),
  };
}

/** The payload of the last event, else an example made from the schema. */
const suggestedPayload = (scope: Scope, workflow: StoredWorkflow): PreviewInput['payload'] =>
  lastPayload(scope, workflow.id) ??
  workflow.payloadExample ??
  payloadExample(workflow.payloadSchema) ??
  {};

export function previewWorkflow(
  scope: Scope,
  workflow: StoredWorkflow,
  { payload, subscriber }: PreviewInput,
  codePreviews: CodePreviews,
): PreviewedStep[] {
  const preferences = subscriber && findPreferences(scope, subscriber.id);
  const global = preferences?.get(globalPreferenceKey);
  const { channels } = mergePreferences(
    scope.dialect,
    workflow,
    global?.channels,
    preferences?.get(workflow.id)?.channels,
  );
  const { identifier: workflowId, name, description, tags, severity, steps } = workflow;
  return previewSteps(
    { workflowId, name, description, tags, severity, steps },
    {
      payload,
      subscriber: subscriber ? variablesOf(subscriber) : {},
      dialect: scope.dialect,
      isCritical: isCritical(workflow),
      isStrict: scope.hasStrictVariables,
      hasOwnControls: workflow.origin === 'novu-cloud',
      channels: subscriber ? channels : {},
      addresses: subscriber && knownAddresses(scope, subscriber),
      schedule: global?.schedule,
      layouts: layoutsOf(scope),
      now: Date.parse(scope.now),
      ...(isDefinedByCode(workflow) ? { results: codePreviews } : {}),
    },
  );
}

const variablesOf = ({ subscriberId, profile }: StoredSubscriber) => ({ subscriberId, ...profile });

function knownAddresses(scope: Scope, { id }: StoredSubscriber) {
  const all = listCredentials(scope, id).map(({ credentials }) => credentials);
  return {
    chat: all.some(({ webhookUrl, channel }) => Boolean(webhookUrl || channel)),
    push: all.some(({ deviceTokens }) => (deviceTokens ?? []).length > 0),
  };
}

/** The results of the endpoint of an application by step. Empty for a workflow that code does not define. */
export type CodePreviews = ReadonlyMap<string, StepResult>;

export async function previewCode(
  scope: Scope,
  workflow: StoredWorkflow,
  { payload, subscriber }: PreviewInput,
  previewStep: PreviewStep,
): Promise<CodePreviews> {
  if (!isDefinedByCode(workflow)) return new Map();
  const now = Date.parse(scope.now);
  const stateBefore = (index: number) =>
    workflow.steps
      .slice(0, index)
      .map(({ stepId, type }) => ({
        stepId,
        outputs: sampleOutput(type, payload, now),
        state: { status: 'completed' },
      }));
  const results = workflow.steps.map(async ({ stepId, controlValues }, index) => {
    const event = {
      payload,
      controls: controlValues,
      context: {},
      state: stateBefore(index).toReversed(),
      subscriber: subscriber ? variablesOf(subscriber) : {},
    };
    const { environmentId } = scope;
    const request = {
      environmentId,
      url: undefined,
      workflowId: workflow.identifier,
      stepId,
      event,
    };
    return [stepId, await previewStep(request)] as const;
  });
  return new Map(await Promise.all(results));
}

/** The HTML of an e-mail step; undefined if it does not exist. */
export async function previewedEmail(
  scope: Scope,
  session: PageSession,
  { workflowId, stepId }: { workflowId: string; stepId: string },
  previewStep: PreviewStep,
): Promise<string | undefined> {
  const workflow = findWorkflow(scope, 'identifier', workflowId);
  if (!workflow) return undefined;
  const input = previewInput(scope, session, workflow);
  const codePreviews = await previewCode(scope, workflow, input, previewStep);
  const step = previewWorkflow(scope, workflow, input, codePreviews).find(
    (step) => step.stepId === stepId && step.type === 'email',
  );
  const body = step?.content?.body;
  return typeof body === 'string' ? body : undefined;
}

/** Reads a payload from the text of a form. */
export function readPayload(
  text: unknown,
): { value: Record<string, unknown> } | { problem: string } {
  const json = typeof text === 'string' ? text.trim() : '';
  if (json === '') return { value: {} };
  try {
    const value = readJsonText(json);
    return isObject(value) ? { value } : { problem: 'The payload must be a JSON object.' };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { problem: `The payload is not valid JSON: ${error.message}` };
  }
}
