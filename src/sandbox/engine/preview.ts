// Renders one step for a preview, without a store: the content that it would show, or why it would be skipped. For
// the page, and for commands, which load it on demand.

import { errorMessage } from '../../core/errors.ts';
import type { VariableProblems } from '../../core/variable-problems.ts';
import type { Schedule } from '../../service/schemas/preferences.ts';
import { isChannel } from '../../service/schemas/vocabulary.ts';
import { isCondition } from '../../service/skip-condition.ts';
import { renderControls } from '../templates/controls.ts';
import { renderEmail, sanitizedDeep } from '../templates/email.ts';
import type { Variables } from '../templates/liquid.ts';
import { collectProblems, type ProblemCollector } from '../templates/liquid.ts';
import { isConditionMet } from './conditions.ts';
import { isScheduleOpen } from './skip-rules.ts';

type Members = Record<string, unknown>;

export interface PreviewRequest {
  step: { stepId: string; type: string; controlValues: Members };
  variables: Variables;
  /** Whether the server runs a step if its `skip` condition is true, as the service does. */
  isSkipToRun: boolean;
  /** Whether the subscriber has a chat channel and a device. Without a subscriber, a missing address skips no step. */
  addresses: { chat: boolean; push: boolean } | undefined;
  /** The switches of the subscriber by channel. */
  channels: Members;
  /** The subscriber cannot turn the workflow off. */
  isCritical: boolean;
  schedule: Schedule | undefined;
  /** The body of the layout of an e-mail. */
  layoutBody: string | undefined;
  now: number;
}

export type Preview =
  | ({ result: 'shown'; content: Members } & VariableProblems)
  | { result: 'skipped' | 'failed'; reason: string };

/** Control values that are not content. */
const settings = new Set(['skip', 'editorType', 'disableOutputSanitization', 'layoutId']);

export function previewStep(request: PreviewRequest): Preview {
  try {
    const skipped = skipReason(request);
    if (skipped !== undefined) return { result: 'skipped', reason: skipped };
    const problems = collectProblems();
    const content = renderStep(request, problems);
    const { missingVariables, objectVariables } = problems;
    return { result: 'shown', content, missingVariables, objectVariables };
  } catch (error) {
    const reason = errorMessage(error);
    return { result: 'failed', reason: `it cannot be rendered: ${reason}` };
  }
}

/** The output of a step that later steps can refer to. A digest has the payload as its only event. */
export function sampleOutput(type: string, payload: Members, now: number): Members {
  const time = new Date(now).toISOString();
  if (type === 'digest') return { events: [{ id: 'preview', time, payload }], eventCount: 1 };
  if (type !== 'in_app') return {};
  return { read: false, seen: false, lastReadDate: null, lastSeenDate: null };
}

export const missingLayout = (layoutId: string): Preview => ({
  result: 'failed',
  reason: `its layout \`${layoutId}\` does not exist`,
});

/** In the order of the service: schedule, condition, preferences, address. */
function skipReason(request: PreviewRequest): string | undefined {
  const { step, variables, isSkipToRun, channels, isCritical, schedule, now, addresses } = request;
  const { skip } = step.controlValues;
  const { timezone, email, phone } = variables.subscriber as Members;
  const isMessage = isChannel(step.type);
  const zone = typeof timezone === 'string' ? timezone : 'UTC';
  if (isMessage && step.type !== 'in_app' && !isCritical && !isScheduleOpen(schedule, now, zone))
    return 'it is outside the schedule of the subscriber';
  if (isCondition(skip)) {
    const isMet = isConditionMet(skip, variables, now);
    if (isMet !== isSkipToRun)
      return isSkipToRun
        ? 'its condition is not met (this server runs the step if the condition is true)'
        : 'its condition is met (this server skips the step if the condition is true)';
  }
  if (isMessage && channels[step.type] === false)
    return `the preferences turn off ${step.type} for the subscriber`;
  if (!addresses) return undefined;
  if (step.type === 'email' && !email) return 'the subscriber has no e-mail address';
  if (step.type === 'sms' && !phone) return 'the subscriber has no phone number';
  if (step.type === 'chat' && !addresses.chat && !phone)
    return 'the subscriber has no chat channel';
  if (step.type === 'push' && !addresses.push) return 'the subscriber has no device token';
  return undefined;
}

function renderStep(
  { step, variables, layoutBody, now }: PreviewRequest,
  problems: ProblemCollector,
): Members {
  const { skip: _, ...controls } = step.controlValues;
  const isSanitized = controls.disableOutputSanitization !== true;
  const time = new Date(now).toISOString();
  const rendered = renderControls(controls, variables, time, problems);
  const content = Object.fromEntries(
    Object.entries(
      step.type === 'in_app' && isSanitized ? (sanitizedDeep(rendered) as Members) : rendered,
    ).filter(([name]) => !settings.has(name)),
  );
  if (step.type !== 'email') return content;
  const body = renderEmail({
    body: typeof content.body === 'string' ? content.body : '',
    layout: layoutBody === undefined ? undefined : { body: layoutBody },
    sanitize: isSanitized,
    variables,
    now: time,
    problems,
  });
  return { ...content, body };
}
