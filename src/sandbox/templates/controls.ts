// Control values as the service checks them: unknown fields are left out, and so are values that count as missing.

import { jsonrepair } from 'jsonrepair';
import { errorMessage } from '../../core/errors.ts';
import { isObject, type JsonObject } from '../../core/objects.ts';
import type { StepType } from '../../service/schemas/vocabulary.ts';
import type { Dialect } from '../store/dialect.ts';
import { hasLiquid, type ProblemCollector, type RenderPlace, renderLiquid } from './liquid.ts';

/** Cleans the values of a step. Steps that code defines only lose empty text. */
export function cleanControls(
  values: JsonObject,
  type: StepType,
  isOwnOrigin: boolean,
  { hasLaterSteps }: Pick<Dialect, 'hasLaterSteps'>,
): JsonObject {
  if (!isOwnOrigin) return emptyTextToNull(values);
  const clean = (hasLaterSteps ? laterCleaners[type] : undefined) ?? cleaners[type];
  return withoutNullish(clean?.(values) ?? values);
}

const emptyDocument = JSON.stringify({ type: 'doc', content: [{ type: 'paragraph' }] });

const cleaners: { [Type in StepType]?: (values: JsonObject) => JsonObject } = {
  in_app: ({ subject, body, avatar, primaryAction, secondaryAction, redirect, ...rest }) => ({
    subject: filled(subject),
    body: filled(body),
    avatar: filled(avatar),
    primaryAction: cleanAction(primaryAction),
    secondaryAction: cleanAction(secondaryAction),
    redirect: cleanRedirect(redirect),
    ...pick(rest, 'data', 'skip', 'disableOutputSanitization'),
  }),
  email: ({ subject, body, ...rest }) => ({
    subject: filled(subject) ?? ' ',
    body: filled(body) ?? emptyDocument,
    ...pick(rest, 'skip', 'disableOutputSanitization', 'layoutId'),
  }),
  sms: ({ body, skip }) => ({ body: filled(body), skip }),
  chat: ({ body, skip }) => ({ body: filled(body), skip }),
  push: ({ subject, body, skip }) => ({ subject: filled(subject), body: filled(body), skip }),
  digest: (values) => {
    const { lookBackWindow, cron } = values;
    const shared = pick(values, 'type', 'digestKey', 'skip', 'extendToSchedule');
    if (filled(cron) !== undefined) return { ...shared, cron };
    return {
      ...shared,
      ...cleanAmount(values),
      unit: values.unit,
      lookBackWindow: isObject(lookBackWindow)
        ? { ...cleanAmount(lookBackWindow), unit: lookBackWindow.unit }
        : undefined,
    };
  },
  delay: (values) => {
    const shared = pick(values, 'type', 'skip', 'extendToSchedule');
    const { cron, dynamicKey, unit } = values;
    if (filled(cron) !== undefined) return { ...shared, cron };
    if (filled(dynamicKey) !== undefined) return { ...shared, dynamicKey };
    return { ...shared, ...cleanAmount(values), unit };
  },
};

/** The values that later versions clean in another way. A redirection has a target by default. */
const laterCleaners: typeof cleaners = {
  in_app: (values) => ({
    ...cleaners.in_app?.(values),
    primaryAction: cleanAction(values.primaryAction, withTarget),
    secondaryAction: cleanAction(values.secondaryAction, withTarget),
    redirect: withTarget(values.redirect),
  }),
  email: (values) => ({
    ...cleaners.email?.(values),
    ...pick(values, 'editorType', 'from', 'useProviderDefaults', 'replyTo', 'preheader'),
  }),
  tool: ({ body, skip }) => ({ body: filled(body), skip }),
};

/** Text and lists with content. Numbers and flags count as empty. */
function filled(value: unknown): unknown {
  if (typeof value === 'string' || Array.isArray(value))
    return value.length > 0 ? value : undefined;
  return isObject(value) && Object.keys(value).length > 0 ? value : undefined;
}

/** The number that the text of an amount begins with. */
function cleanAmount({ amount }: JsonObject): JsonObject {
  const number = Number.parseInt(String(amount), 10);
  if (Number.isNaN(number)) return {};
  return { amount: typeof amount === 'string' ? number : amount };
}

function cleanRedirect(value: unknown): JsonObject | undefined {
  if (!isObject(value) || !value.url || !value.target) return undefined;
  return pick(value, 'url', 'target');
}

function withTarget(value: unknown): JsonObject | undefined {
  if (!isObject(value) || !value.url) return undefined;
  const target = String(value.url).startsWith('/') ? '_self' : '_blank';
  return { url: value.url, target: value.target ?? target };
}

function cleanAction(value: unknown, clean = cleanRedirect): JsonObject | undefined {
  if (!isObject(value) || !value.label) return undefined;
  const redirect = clean(value.redirect);
  return { label: value.label, ...(redirect ? { redirect } : {}) };
}

const pick = (values: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(names.filter((name) => name in values).map((name) => [name, values[name]]));

const withoutNullish = (values: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  );

const emptyTextToNull = (values: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (typeof value === 'string') return [name, value.trim() === '' ? null : value];
      return [name, isObject(value) ? emptyTextToNull(value) : value];
    }),
  );

// Renders the Liquid templates in the control values of a step. Like the service, renders all values as one JSON text.

/** The Liquid has a syntax error, or the rendered text is not valid JSON. The step fails. */
export class ControlSyntaxError extends Error {}

/** Throws a ControlSyntaxError if the values cannot be rendered. */
export function renderControls(
  controls: Record<string, unknown>,
  variables: JsonObject,
  place: RenderPlace,
  problems?: ProblemCollector,
): Record<string, unknown> {
  const text = JSON.stringify(controls);
  if (!hasLiquid(text)) return controls;
  try {
    const report = problems?.of((position) => nameAt(controls, position));
    return parseRepaired(renderLiquid(text, variables, place, report)) as Record<string, unknown>;
  } catch (error) {
    throw new ControlSyntaxError(errorMessage(error), { cause: error });
  }
}

/** The name of the control value that contains a position of the JSON. */
function nameAt(controls: Record<string, unknown>, position: number): string {
  const entries = Object.entries(controls).filter(([, value]) => value !== undefined);
  let end = 0;
  const member = entries.find(([name, value]) => {
    // With the brace or comma before it.
    end += JSON.stringify({ [name]: value }).length - 1;
    return position < end;
  });
  return member?.[0] ?? '';
}

/** Repairs only text that is not valid JSON, because that is slower. */
function parseRepaired(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(jsonrepair(text));
  }
}
