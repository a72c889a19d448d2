// Previews the steps of a workflow for a subscriber, without a store: the plans of the engine, in words. For the
// page, and for commands, which load it on demand.

import { errorMessage } from '../../core/errors.ts';
import type { JsonObject } from '../../core/objects.ts';
import type { VariableProblems } from '../../core/variable-problems.ts';
import { isChannel } from '../../service/schemas/vocabulary.ts';
import { MissingVariablesError, planStep } from './plan-step.ts';
import type { PlannedStep, SkipReason, StepFacts, StepPlan, StepResult } from './step.ts';
import { InvalidStepError } from './step-controls.ts';

/** The workflow of a preview, as its templates see it. */
export interface PreviewedWorkflow {
  workflowId: string;
  name: string;
  description?: string | null | undefined;
  tags?: readonly string[] | undefined;
  severity?: string | undefined;
  steps: readonly (PlannedStep & { name: string })[];
}

/** Whom and when the steps are rendered for. */
export interface PreviewFacts
  extends Pick<
    StepFacts,
    'payload' | 'schedule' | 'isCritical' | 'dialect' | 'hasOwnControls' | 'layouts'
  > {
  /** Empty without a subscriber. */
  subscriber: JsonObject;
  /** Variables that only newer servers have. */
  laterVariables?: JsonObject;
  /** Whether the subscriber has a chat channel and a device. Without a subscriber, a missing address skips no step. */
  addresses: { chat: boolean; push: boolean } | undefined;
  /** The switches of the subscriber by channel. */
  channels: JsonObject;
  isStrict?: boolean;
  /** In milliseconds. */
  now: number;
  /** The results of the endpoint of the application, for a workflow that code defines. */
  results?: ReadonlyMap<string, StepResult>;
}

export interface PreviewedStep extends VariableProblems {
  stepId: string;
  name: string;
  type: string;
  result: 'shown' | 'skipped' | 'failed';
  /** Why the step would be skipped or fail. */
  reason: string | null;
  /** Null unless the step is shown. */
  content: JsonObject | null;
}

/** Returns the previews of the steps, in order. */
export function previewSteps(
  { steps, ...workflow }: PreviewedWorkflow,
  facts: PreviewFacts,
): PreviewedStep[] {
  const { payload, subscriber, channels, now, results, laterVariables } = facts;
  const earlier: JsonObject = {};
  const { timezone } = subscriber;
  return steps.map((step) => {
    const variables = {
      ...laterVariables,
      payload,
      subscriber,
      workflow,
      context: {},
      steps: { ...earlier },
    };
    earlier[step.stepId] = sampleOutput(step.type, payload, now);
    const plan = planStep(step, {
      ...facts,
      variables: () => variables,
      overrides: {},
      now: new Date(now).toISOString(),
      timeZone: typeof timezone === 'string' ? timezone : 'UTC',
      isChannelOff: channels[step.type] === false,
      isStrict: facts.isStrict ?? false,
      hasPlaceholders: laterVariables !== undefined,
      ...(results ? { code: { result: results.get(step.stepId) } } : {}),
    });
    const { stepId, name, type } = step;
    return { stepId, name, type, ...toPreview(type, plan, facts) };
  });
}

/** The output of a step that later steps can refer to. A digest has the payload as its only event. */
export function sampleOutput(type: string, payload: JsonObject, now: number): JsonObject {
  const time = new Date(now).toISOString();
  if (type === 'digest') return { events: [{ id: 'preview', time, payload }], eventCount: 1 };
  if (type !== 'in_app') return {};
  return { read: false, seen: false, lastReadDate: null, lastSeenDate: null };
}

/** Control values that are not content. */
const settings = new Set(['skip', 'editorType', 'disableOutputSanitization', 'layoutId']);

function toPreview(
  type: string,
  plan: StepPlan,
  facts: PreviewFacts,
): Omit<PreviewedStep, 'stepId' | 'name' | 'type'> {
  const reasons = reasonsIn(type, plan, facts);
  if (plan.result === 'content' && reasons.length === 0) {
    const content = Object.entries(plan.output).filter(([name]) => !settings.has(name));
    return {
      result: 'shown',
      reason: null,
      content: Object.fromEntries(content),
      ...plan.problems,
    };
  }
  return {
    result: plan.result === 'failed' ? 'failed' : 'skipped',
    reason: reasons.join('; '),
    content: null,
    missingVariables: [],
    objectVariables: [],
  };
}

/** Empty if the content is shown. */
function reasonsIn(type: string, plan: StepPlan, facts: PreviewFacts): string[] {
  if (plan.result === 'skipped')
    return plan.reasons.map((reason) => skipText(reason, type, facts.dialect.isSkipToRun));
  if (plan.result === 'failed') return [failureText(plan)];
  return isChannel(type) ? missingAddress(type, facts) : [];
}

function skipText(reason: SkipReason, type: string, isSkipToRun: boolean): string {
  switch (reason) {
    case 'schedule':
      return 'it is outside the schedule of the subscriber';
    case 'rule':
      return isSkipToRun
        ? 'its condition is not met (this server runs the step if the condition is true)'
        : 'its condition is met (this server skips the step if the condition is true)';
    case 'filters':
      return 'its filters do not match';
    case 'preferences':
      return `the preferences turn off ${type} for the subscriber`;
  }
}

function failureText(plan: StepPlan & { result: 'failed' }): string {
  if (plan.layout && 'missing' in plan.layout)
    return `its layout \`${plan.layout.missing}\` does not exist`;
  if ('wait' in plan) return `it cannot wait: ${plan.wait.reason}`;
  const { error } = plan;
  if (error instanceof InvalidStepError) {
    const part = error.part === 'controls' ? 'its settings are' : 'its content is';
    // The error of the whole follows from those of its members.
    const problems = error.problems.filter(({ message }) => !message.endsWith('in anyOf'));
    const texts = problems.map(problemText);
    // A text that is left out was empty.
    const named = texts.map((text) =>
      text.replace(/^must have required property '(.+)'$/, '$1 is empty'),
    );
    return `${part} not valid: ${(error.part === 'output' ? named : texts).join('; ')}`;
  }
  const reason = errorMessage(error);
  return error instanceof MissingVariablesError ? reason : `it cannot be rendered: ${reason}`;
}

/** `subject must not be empty`, in words that people know. */
function problemText({ path, message }: InvalidStepError['problems'][number]): string {
  const name = path.slice(1).replaceAll('/', '.');
  if (message.includes('fewer than 1 char')) return `${name} is empty`;
  if (message.startsWith('must match pattern') && name.endsWith('url'))
    return `${name} is not an address that can be opened`;
  return `${name} ${message}`.trim();
}

function missingAddress(
  type: string,
  { addresses, subscriber: { email, phone }, payload }: PreviewFacts,
): string[] {
  const texts: Record<string, string | false> = {
    email: !email && 'the subscriber has no e-mail address',
    sms: !phone && !payload.phone && 'the subscriber has no phone number',
    chat: !addresses?.chat && !phone && 'the subscriber has no chat channel',
    push: !addresses?.push && 'the subscriber has no device token',
  };
  const text = addresses && texts[type];
  return text ? [text] : [];
}
