// Decides what a step does, from facts alone: it is skipped, it fails, or it has content. The engine records the plan of
// each step that it runs, and previews show it.

import { asObject, type JsonObject, valueAt } from '../../core/objects.ts';
import { type VariableProblems, variableProblemTexts } from '../../core/variable-problems.ts';
import { isCondition } from '../../service/mode.ts';
import { isScheduleOpen } from '../../service/schedule.ts';
import { isChannel } from '../../service/schemas/vocabulary.ts';
import { planWait } from '../../service/waits.ts';
import { renderControls } from '../templates/controls.ts';
import { renderEmail, sanitizedDeep } from '../templates/email.ts';
import { collectProblems, hasLiquid, type ProblemCollector } from '../templates/liquid.ts';
import { isConditionMet, passesFilters } from './conditions.ts';
import {
  BridgeStepError,
  type LayoutChoice,
  type PlannedStep,
  type SkipReason,
  type StepFacts,
  type StepPlan,
  type StepResult,
} from './step.ts';
import { InvalidStepError, type StepProblem, validControls } from './step-controls.ts';

/** A template prints variables that have no value, which fails the step if variables are strict. */
export class MissingVariablesError extends Error {}

export function planStep(step: PlannedStep, facts: StepFacts): StepPlan {
  if (isOutsideSchedule(step, facts)) return { result: 'skipped', reasons: ['schedule'] };
  if (!isChannel(step.type)) return planAction(step, facts);
  const problems = collectProblems();
  const chosen: { layout?: LayoutChoice } = {};
  let output: JsonObject | undefined;
  try {
    output = renderedControls(step, facts, problems);
    // The service renders a message before it checks filters and preferences.
    if (output && !facts.code) output = renderMessage(step, facts, { output, problems, chosen });
    if (output && facts.isStrict) checkVariables(problems);
  } catch (error) {
    return { ...chosen, result: 'failed', error };
  }
  const reasons: SkipReason[] = [];
  if (!output) reasons.push('rule');
  if (!passes(step, facts)) reasons.push('filters');
  if (facts.isChannelOff) reasons.push('preferences');
  if (!output || reasons.length > 0) return { ...chosen, result: 'skipped', reasons };
  return { ...chosen, result: 'content', output, problems, wait: undefined };
}

/** A digest, a delay, a throttle or a step of code. */
function planAction(step: PlannedStep, facts: StepFacts): StepPlan {
  const problems = collectProblems();
  try {
    if (!passes(step, facts)) return { result: 'skipped', reasons: ['filters'] };
    const output = renderedControls(step, facts, problems);
    if (!output) return { result: 'skipped', reasons: ['rule'] };
    const wait = planWait(step.type, output, facts);
    if (wait && 'reason' in wait) return { result: 'failed', wait, output };
    return { result: 'content', output, problems, wait };
  } catch (error) {
    return { result: 'failed', error };
  }
}

const runsAtAnyTime = ['in_app', 'digest', 'delay', 'http_request'];

function isOutsideSchedule(
  { type }: PlannedStep,
  { schedule, isCritical, now, timeZone }: StepFacts,
) {
  if (runsAtAnyTime.includes(type) || isCritical) return false;
  return !isScheduleOpen(schedule, Date.parse(now), timeZone);
}

const passes = ({ filters = [] }: PlannedStep, facts: StepFacts) =>
  filters.length === 0 || passesFilters(filters, facts.variables());

/** Returns undefined if the `skip` condition skips the step. Throws if the controls are not valid. */
function renderedControls(
  step: PlannedStep,
  facts: StepFacts,
  problems: ProblemCollector,
): JsonObject | undefined {
  const { code, variables, now, dialect } = facts;
  if (code) return outputOfCode(code.result);
  const values = facts.hasOwnControls
    ? validControls(step.type, step.controlValues, dialect)
    : step.controlValues;
  const controls = hasLiquid(JSON.stringify(values))
    ? renderControls(values, variables(), facts, problems)
    : values;
  const { skip } = controls;
  if (!isCondition(skip)) return controls;
  const isMet = isConditionMet(skip, variables(), Date.parse(now));
  return isMet === dialect.isSkipToRun ? controls : undefined;
}

function outputOfCode(result: StepResult | undefined): JsonObject | undefined {
  if (!result || 'http' in result) throw new Error('the step was not executed');
  if ('problem' in result) throw new BridgeStepError(result.problem);
  return result.isSkipped ? undefined : result.outputs;
}

function checkVariables({ missingVariables }: VariableProblems): void {
  const texts = variableProblemTexts({ missingVariables });
  if (texts.length > 0) throw new MissingVariablesError(texts.join('; '));
}

interface Rendered {
  output: JsonObject;
  problems: ProblemCollector;
  /** Its layout is set as soon as it is known, because the service records it even if the content fails. */
  chosen: { layout?: LayoutChoice };
}

/** Throws if the content breaks the rules of its channel, cannot be rendered, or has no such layout. */
function renderMessage(step: PlannedStep, facts: StepFacts, rendered: Rendered): JsonObject {
  const { output, problems, chosen } = rendered;
  const sanitize = output.disableOutputSanitization !== true;
  if (step.type === 'in_app') {
    // The service does not sanitize `data`.
    const { data, ...texts } = output;
    const clean = sanitize ? withoutEmpty(facts, sanitizedDeep(texts) as JsonObject) : texts;
    const isKnown = ({ path }: StepProblem) =>
      !String(valueAt(clean, path.slice(1).replaceAll('/', '.'))).includes('{{');
    const found = inAppProblems(clean);
    report(facts.hasPlaceholders ? found.filter(isKnown) : found);
    return data === undefined ? clean : { ...clean, data };
  }
  if (step.type !== 'email') return output;
  report(emptyTexts(output, ['subject']));
  const layout = chooseLayout(step, facts, output.layoutId);
  if (layout) chosen.layout = layout;
  if (layout && 'missing' in layout)
    throw new Error(
      `Layout not found for id ${layout.missing} in the environment ${facts.environmentId}`,
    );
  const body = renderEmail({
    body: typeof output.body === 'string' ? output.body : '',
    layout: layout && { body: layout.found.body ?? '' },
    preheader: typeof output.preheader === 'string' ? output.preheader : undefined,
    sanitize,
    variables: facts.variables(),
    place: facts,
    problems,
  });
  return { ...output, body };
}

/** Without subject and body, the message is not valid. */
function withoutEmpty({ dialect }: StepFacts, texts: JsonObject): JsonObject {
  if (!dialect.dropsEmptyTexts) return texts;
  const filled = Object.entries(texts).filter(
    ([name, value]) => value !== '' || !inAppTexts.includes(name),
  );
  const output = Object.fromEntries(filled);
  if (!inAppTexts.some((name) => name in output))
    report([
      ...inAppTexts.map((name) => problem('', `must have required property '${name}'`)),
      problem('', 'must match a schema in anyOf'),
    ]);
  return output;
}

const inAppTexts: readonly string[] = ['subject', 'body'];

/**
 * The event names a layout for the step, for the channel or for all of it; then the step, or the default layout. Null
 * means no layout.
 */
function chooseLayout(
  { stepId }: PlannedStep,
  { overrides, layouts }: StepFacts,
  ofStep: unknown,
): LayoutChoice | undefined {
  const [chosen] = [
    valueAt(overrides, `steps.${stepId}.layoutId`),
    valueAt(overrides, 'channels.email.layoutId'),
    overrides.layoutIdentifier || undefined,
    ofStep,
    layouts.default(),
  ].filter((value) => value !== undefined);
  if (typeof chosen !== 'string' || chosen === '') return undefined;
  const found = layouts.find(chosen);
  return found ? { found } : { missing: chosen };
}

function report(problems: StepProblem[]): void {
  if (problems.length > 0) throw new InvalidStepError('output', problems);
}

/** An in-app message must not have an empty text, or an address that cannot be opened. */
function inAppProblems(output: JsonObject): StepProblem[] {
  const { avatar, primaryAction, secondaryAction, redirect } = output;
  return [
    ...emptyTexts(output, ['subject', 'body']),
    ...(typeof avatar === 'string' && !isUri(avatar)
      ? [problem('/avatar', 'must match format "uri"')]
      : []),
    ...urlProblems(redirect, '/redirect'),
    ...urlProblems(asObject(primaryAction).redirect, '/primaryAction/redirect'),
    ...urlProblems(asObject(secondaryAction).redirect, '/secondaryAction/redirect'),
  ];
}

const problem = (path: string, message: string): StepProblem => ({ path, message });

const emptyTexts = (output: JsonObject, names: readonly string[]): StepProblem[] =>
  names
    .filter((name) => output[name] === '')
    .map((name) => problem(`/${name}`, 'must NOT have fewer than 1 characters'));

const isUri = (text: string) => /^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]+$/i.test(text);

const urlPattern = '^(?!mailto:)(?:(https?):\\/\\/[^\\s/$.?#].[^\\s]*)|^(\\/[^\\s]*)$';

function urlProblems(redirect: unknown, path: string): StepProblem[] {
  const { url } = asObject(redirect);
  if (typeof url !== 'string' || new RegExp(urlPattern).test(url)) return [];
  return [problem(`${path}/url`, `must match pattern "${urlPattern}"`)];
}
