// Renders the control values of a step into the content properties of a message.

import { asObject, isObject } from '../../core/objects.ts';
import type { VariableProblems } from '../../core/variable-problems.ts';
import type { MessageCta } from '../../service/schemas/message.ts';
import type { ProblemCollector } from '../rendering/collect-problems.ts';
import { renderEmail } from '../rendering/email.ts';
import type { Link } from '../rendering/links.ts';
import type { Variables } from '../rendering/liquid.ts';
import { sanitizedDeep } from '../rendering/sanitize.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import { checkEmail, checkInApp } from './check-output.ts';
import { selectLayout } from './select-layout.ts';

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
