// The payload and the subscriber that the preview of a workflow is rendered with. They stay while the page is open.
import type { Scope } from '../store/scope.ts';
import { findSubscriber } from '../store/subscribers.ts';
import { findWorkflow, type StoredWorkflow } from '../store/workflows.ts';
import { readPayload } from './send-event.ts';
import type { PageSession } from './sessions.ts';
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
export function previewedEmail(
  scope: Scope,
  session: PageSession,
  workflowId: string,
  stepId: string,
): string | undefined {
  const workflow = findWorkflow(scope, 'identifier', workflowId);
  if (!workflow) return undefined;
  const { payload, subscriber } = previewInput(scope, session, workflow);
  const step = previewSteps(scope, workflow, payload, subscriber).find(
    (step) => step.stepId === stepId && step.type === 'email',
  );
  const body = step?.content?.body;
  return typeof body === 'string' ? body : undefined;
}
