// The payload and the subscriber that the preview of a workflow is rendered with. They stay while the page is open.

import type { PageSession } from '../control/sessions.ts';
import type { PreviewStep } from '../engine/bridge-step.ts';
import type { Scope } from '../store/scope.ts';
import { findSubscriber } from '../store/subscribers.ts';
import { findWorkflow, type StoredWorkflow } from '../store/workflows.ts';
import { readPayload } from './actions.ts';
import { previewCode } from './code-preview.ts';
import { previewSteps, suggestedPayload } from './workflow-preview.ts';
import type { PreviewInput } from './workflows.tsx';

export function previewInput(
  scope: Scope,
  { previews }: PageSession,
  workflow: StoredWorkflow,
): PreviewInput {
  const { payload, subscriber: subscriberId } = previews.get(workflow.identifier) ?? {
    payload: JSON.stringify(suggestedPayload(scope, workflow), null, 2),
    subscriber: '',
  };
  const read = readPayload(payload);
  return {
    payload: 'value' in read ? read.value : {},
    payloadText: payload,
    subscriberId,
    subscriber: subscriberId === '' ? undefined : findSubscriber(scope, subscriberId),
  };
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
  const { payload, subscriber } = input;
  const codePreviews = await previewCode(scope, workflow, input, previewStep);
  const step = previewSteps(scope, workflow, payload, subscriber, codePreviews).find(
    (step) => step.stepId === stepId && step.type === 'email',
  );
  const body = step?.content?.body;
  return typeof body === 'string' ? body : undefined;
}
