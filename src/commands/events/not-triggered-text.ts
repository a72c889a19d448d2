// Explains why an event was not triggered.
import type { TriggerResult } from '../../service/schemas/events.ts';

/** Texts for the statuses of a TriggerResult, except `processed` and `error`. */
const statusTexts: Record<string, string> = {
  trigger_not_active: 'is not active',
  no_workflow_active_steps_defined: 'has no active step',
  no_workflow_steps_defined: 'has no steps',
};

export function notTriggeredText(
  workflowId: string,
  triggerResult: TriggerResult | undefined,
): string {
  const { status = 'no result', error = [] } = triggerResult ?? {};
  const reason = error.length > 0 ? ` (${error.join('; ')})` : '';
  if (error.includes('workflow_not_found'))
    return `workflow ${workflowId} does not exist (list them with \`svc workflows list\`)`;
  const text = Object.hasOwn(statusTexts, status) ? statusTexts[status] : undefined;
  return text === undefined ? `${status}${reason}` : `workflow ${workflowId} ${text} (${status})`;
}
