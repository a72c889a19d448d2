// Why an event was not triggered, in words.
import type { TriggerResult } from '../../api/schemas/events.ts';

/** What the statuses of a TriggerResult mean, but for `processed` and `error`. */
const meanings: Record<string, string> = {
  trigger_not_active: 'is not active',
  no_workflow_active_steps_defined: 'has no active step',
  no_workflow_steps_defined: 'has no steps',
};

export function refusalText(workflowId: string, answer: TriggerResult | undefined): string {
  const { status = 'no result', error = [] } = answer ?? {};
  const why = error.length > 0 ? ` (${error.join('; ')})` : '';
  if (error.includes('workflow_not_found'))
    return `there is no workflow ${workflowId}; \`svc workflows list\` shows those there are`;
  const meaning = Object.hasOwn(meanings, status) ? meanings[status] : undefined;
  return meaning === undefined
    ? `${status}${why}`
    : `workflow ${workflowId} ${meaning} (${status})`;
}
