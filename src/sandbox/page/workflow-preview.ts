// Renders the steps of a workflow for its view: with a payload, for a subscriber, without sending anything.

import type { StepResult } from '../engine/bridge-step.ts';
import { missingLayout, type Preview, previewStep, sampleOutput } from '../engine/preview.ts';
import { isCritical, mergePreferences } from '../engine/skip-rules.ts';
import { listCredentials } from '../store/credentials.ts';
import { findDefaultLayout, findLayout } from '../store/layouts.ts';
import { lastPayload } from '../store/page-events.ts';
import { findPreferences, globalPreferenceKey } from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import type { StoredSubscriber } from '../store/subscribers.ts';
import type { StepDefinition, StoredWorkflow } from '../store/workflows.ts';
import { payloadExample } from '../templates/payload-example.ts';
import type { CodePreviews } from './code-preview.ts';
import type { PreviewedStep } from './previewed-step.tsx';

type Payload = Record<string, unknown>;

/** The payload of the last event, else an example made from the schema. */
export const suggestedPayload = (scope: Scope, workflow: StoredWorkflow): Payload =>
  lastPayload(scope, workflow.id) ??
  workflow.payloadExample ??
  payloadExample(workflow.payloadSchema) ??
  {};

export function previewSteps(
  scope: Scope,
  workflow: StoredWorkflow,
  payload: Payload,
  subscriber: StoredSubscriber | undefined,
  codePreviews: CodePreviews,
): PreviewedStep[] {
  const now = Date.parse(scope.now);
  const preferences = subscriber && findPreferences(scope, subscriber.id);
  const global = preferences?.get(globalPreferenceKey);
  const { channels } = mergePreferences(
    workflow,
    global?.channels,
    preferences?.get(workflow.id)?.channels,
  );
  const { identifier: workflowId, name, description, tags, severity } = workflow;
  const steps: Payload = {};
  return workflow.steps.map((step): PreviewedStep => {
    const layout = layoutFor(scope, step);
    const preview = previewStep({
      step,
      variables: {
        ...{ payload, context: {}, steps: { ...steps } },
        subscriber: subscriber
          ? { subscriberId: subscriber.subscriberId, ...subscriber.profile }
          : {},
        workflow: { workflowId, name, description, tags, severity },
      },
      isSkipToRun: scope.dialect.isSkipToRun,
      isCritical: isCritical(workflow),
      channels: subscriber ? channels : {},
      addresses: subscriber && knownAddresses(scope, subscriber),
      schedule: global?.schedule,
      layoutBody: layout.body,
      now,
    });
    steps[step.stepId] = sampleOutput(step.type, payload, now);
    const outcome = withResult(preview, layout.missing, codePreviews.get(step.stepId));
    return {
      ...{ stepId: step.stepId, name: step.name, type: step.type, result: outcome.result },
      reason: 'reason' in outcome ? outcome.reason : null,
      content: 'content' in outcome ? outcome.content : null,
      missingVariables: 'content' in outcome ? outcome.missingVariables : [],
      objectVariables: 'content' in outcome ? outcome.objectVariables : [],
    };
  });
}

/** A step that is skipped before it is executed has no content. */
function withResult(
  preview: Preview,
  layout: string | undefined,
  result: StepResult | undefined,
): Preview {
  if (layout !== undefined) return missingLayout(layout);
  if (!result || preview.result === 'skipped') return preview;
  if ('problem' in result) return { result: 'failed', reason: result.problem.message };
  return { result: 'shown', content: result.outputs, missingVariables: [], objectVariables: [] };
}

function layoutFor(
  scope: Scope,
  { type, controlValues: { layoutId } }: StepDefinition,
): { body?: string; missing?: string } {
  if (type !== 'email' || layoutId === null || layoutId === '') return {};
  if (typeof layoutId !== 'string') {
    const body = scope.dialect.usesDefaultLayout ? findDefaultLayout(scope)?.body : undefined;
    return body === undefined ? {} : { body };
  }
  const layout = findLayout(scope, layoutId);
  return layout ? { body: layout.body ?? '' } : { missing: layoutId };
}

function knownAddresses(scope: Scope, { id }: StoredSubscriber) {
  const all = listCredentials(scope, id).map(({ credentials }) => credentials);
  return {
    chat: all.some(({ webhookUrl, channel }) => Boolean(webhookUrl || channel)),
    push: all.some(({ deviceTokens }) => (deviceTokens ?? []).length > 0),
  };
}
