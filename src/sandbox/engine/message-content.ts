// Renders the control values of a step into the content properties of a message.

import { asObject, isObject } from '../../core/objects.ts';
import type { VariableProblems } from '../../core/variable-problems.ts';
import { detailTexts } from '../../service/job-outcomes.ts';
import type { MessageCta } from '../../service/schemas/message.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { StoredLayout } from '../store/layouts.ts';
import type { Scope } from '../store/scope.ts';
import { renderEmail, sanitizedDeep } from '../templates/email.ts';
import type { Link } from '../templates/links.ts';
import type { ProblemCollector, Variables } from '../templates/liquid.ts';
import { defaultLayout, layoutNamed, recordDetail } from './run.ts';
import { InvalidStepError, type StepProblem } from './step.ts';
import { valueAt } from './variables.ts';

export interface Content {
  content: string;
  subject?: string;
  title?: string;
  avatar?: string;
  cta: MessageCta;
  /** The targets of an in-app message: its buttons with their labels, and the message itself without text. */
  links?: Link[];
  data?: Record<string, unknown>;
  /** Absent if there are none. */
  problems?: VariableProblems;
}

type Controls = Record<string, unknown>;

/** `controls` are rendered. Throws if the body cannot be rendered or the layout does not exist: the step fails. */
export function renderContent(scope: Scope, job: StoredJob, options: RenderOptions): Content {
  const content = renderStep(scope, job, options);
  const { missingVariables, objectVariables } = options.problems;
  if (missingVariables.length + objectVariables.length === 0) return content;
  return { ...content, problems: { missingVariables, objectVariables } };
}

interface RenderOptions {
  controls: Controls;
  overrides: Controls;
  variables: Variables;
  problems: ProblemCollector;
}

function renderStep(
  scope: Scope,
  job: StoredJob,
  { controls: rendered, overrides, variables, problems }: RenderOptions,
): Content {
  const isSanitized = rendered.disableOutputSanitization !== true;
  if (job.type === 'in_app') {
    // The service does not sanitize `data`.
    const { data, ...texts } = rendered;
    const output = isSanitized ? (sanitizedDeep(texts) as Controls) : texts;
    checkInApp(output);
    return inAppContent({ ...output, data });
  }
  if (job.type === 'email') checkEmail(rendered);
  if (job.type !== 'email') return plainContent(job.type, rendered);
  const layout = selectLayout(scope, job, rendered.layoutId, overrides);
  const body = renderEmail({
    body: stringOrUndefined(rendered.body) ?? '',
    layout: layout && { body: layout.body ?? '' },
    sanitize: isSanitized,
    variables,
    now: scope.now,
    problems,
  });
  return plainContent(job.type, { ...rendered, body });
}

/** The content of a step that the endpoint of the application has rendered and sanitized. */
export const finishedContent = (channel: string, output: Controls): Content =>
  channel === 'in_app' ? inAppContent(output) : plainContent(channel, output);

function plainContent(channel: string, controls: Controls): Content {
  const subject = stringOrUndefined(controls.subject);
  return {
    content: stringOrUndefined(controls.body) ?? '',
    ...(subject === undefined ? {} : { subject }),
    ...(channel === 'push' && subject !== undefined ? { title: subject } : {}),
    cta: {},
  };
}

function inAppContent(controls: Controls): Content {
  const { body, redirect, primaryAction, secondaryAction, data } = controls;
  const buttons = [
    ...toButtons('primary', primaryAction),
    ...toButtons('secondary', secondaryAction),
  ];
  const target = toRedirect(redirect);
  const links = [
    ...(target.url ? [{ url: target.url, text: '' }] : []),
    ...buttons.flatMap(({ content: text, url }) => (url ? [{ url, text }] : [])),
  ];
  const subject = stringOrUndefined(controls.subject);
  const avatar = stringOrUndefined(controls.avatar);
  return {
    content: stringOrUndefined(body) ?? '',
    ...(subject ? { subject } : {}),
    ...(avatar ? { avatar } : {}),
    ...(isObject(data) ? { data } : {}),
    ...(links.length === 0 ? {} : { links }),
    cta: {
      type: 'redirect',
      ...(Object.keys(target).length === 0 ? {} : { data: target }),
      action: { buttons },
    },
  };
}

function toButtons(type: 'primary' | 'secondary', action: unknown) {
  if (!isObject(action)) return [];
  const content = stringOrUndefined(action.label) ?? '';
  return [{ type, content, ...toRedirect(action.redirect) }];
}

function toRedirect(redirect: unknown): { url?: string; target?: string } {
  const given = asObject(redirect);
  const url = stringOrUndefined(given.url);
  const target = stringOrUndefined(given.target);
  return { ...(url === undefined ? {} : { url }), ...(target === undefined ? {} : { target }) };
}

const stringOrUndefined = (value: unknown) => (typeof value === 'string' ? value : undefined);

// Checks what a step renders, as the service does before it delivers.

type Output = Record<string, unknown>;

/** Throws if an in-app message has an empty text or an address that cannot be opened. */
function checkInApp(output: Output): void {
  const { avatar, primaryAction, secondaryAction, redirect } = output;
  report([
    ...emptyTexts(output, ['subject', 'body']),
    ...(typeof avatar === 'string' && !isUri(avatar)
      ? [problem('/avatar', 'must match format "uri"')]
      : []),
    ...urlProblems(redirect, '/redirect'),
    ...urlProblems(asObject(primaryAction).redirect, '/primaryAction/redirect'),
    ...urlProblems(asObject(secondaryAction).redirect, '/secondaryAction/redirect'),
  ]);
}

/** Throws if the subject of an e-mail is empty. */
const checkEmail = (output: Output): void => report(emptyTexts(output, ['subject']));

function report(problems: StepProblem[]): void {
  if (problems.length > 0) throw new InvalidStepError('output', problems);
}

const problem = (path: string, message: string): StepProblem => ({ path, message });

const emptyTexts = (output: Output, names: readonly string[]): StepProblem[] =>
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

// Selects the layout of an e-mail: the event names one for the step, for the channel or for all of it; then the step, or
// the default layout. Null means no layout.

/** Throws if there is no such layout. */
function selectLayout(
  scope: Scope,
  job: StoredJob,
  layoutOfStep: unknown,
  overrides: Record<string, unknown>,
): StoredLayout | undefined {
  const [chosen] = [
    valueAt(overrides, `steps.${job.stepId}.layoutId`),
    valueAt(overrides, 'channels.email.layoutId'),
    overrides.layoutIdentifier || undefined,
    layoutOfStep,
    scope.dialect.usesDefaultLayout ? defaultLayout(scope)?.layoutId : undefined,
  ].filter((value) => value !== undefined);
  if (typeof chosen !== 'string' || chosen === '') return undefined;
  const layout = layoutNamed(scope, chosen);
  if (layout) {
    const { name, layoutId } = layout;
    recordDetail(scope, job, 'Pending', detailTexts.layoutSelected, { name, layoutId });
    return layout;
  }
  const error = `Layout not found for id ${chosen} in the environment ${scope.environmentId}`;
  // The service writes the detail with a space at its end.
  recordDetail(scope, job, 'Failed', detailTexts.layoutNotFound, { layoutId: chosen, error });
  throw new Error(error);
}
