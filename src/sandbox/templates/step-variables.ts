// The variables of a step as a JSON Schema: workflow, payload, subscriber, context and the results of earlier steps.

import { asObject, isObject, type JsonObject } from '../../core/objects.ts';
import { type StepType, severities } from '../../service/schemas/vocabulary.ts';
import type { StepDefinition, StoredWorkflow } from '../store/workflows.ts';
import { documentIn, withLiquid } from './block-document.ts';
import { checkLiquid } from './liquid.ts';
import { referencesIn } from './template-variables.ts';

const described = (type: string, description: string): JsonObject => ({ type, description });
const object = (
  properties: Record<string, JsonObject>,
  required: readonly string[] = [],
): JsonObject => ({ type: 'object', properties, required, additionalProperties: false });

const workflowSchema: JsonObject = {
  type: 'object',
  description: 'Schema representing the workflow entity',
  properties: {
    workflowId: described('string', 'Workflow identifier'),
    name: described('string', 'Name of the workflow'),
    description: described('string', 'Description of the workflow'),
    tags: { type: 'array', items: { type: 'string' } },
    severity: {
      type: 'string',
      enum: severities,
      enumName: 'SeverityLevelEnum',
      description: 'Severity of the workflow',
    },
  },
  required: ['workflowId', 'name'],
};

/** `data` is the custom data that templates use. */
export const subscriberSchema = (
  data: unknown = {},
  description = 'Schema representing the subscriber entity',
): JsonObject => ({
  ...object(
    {
      firstName: described('string', "Subscriber's first name"),
      lastName: described('string', "Subscriber's last name"),
      email: described('string', "Subscriber's email address"),
      phone: described('string', "Subscriber's phone number (optional)"),
      avatar: described('string', "URL to the subscriber's avatar image (optional)"),
      locale: described('string', 'Locale for the subscriber (optional)'),
      timezone: described('string', 'Timezone for the subscriber (optional)'),
      subscriberId: described('string', 'Unique identifier for the subscriber'),
      isOnline: described('boolean', 'Indicates if the subscriber is online (optional)'),
      lastOnlineAt: {
        type: 'string',
        format: 'date-time',
        description: 'The last time the subscriber was online (optional)',
      },
      data: variablesSchema(data),
    },
    ['subscriberId'],
  ),
  description,
});

const contextId = described('string', 'Context identifier');
const anyContextData: JsonObject = {
  type: 'object',
  description: 'Additional context data',
  additionalProperties: true,
};

/** `contexts` are those that templates use, by type; others are allowed. */
export const contextSchema = (contexts: unknown = {}): JsonObject => ({
  type: 'object',
  description: 'Context data passed at trigger time following ContextPayload structure',
  properties: Object.fromEntries(
    Object.entries(asObject(contexts)).flatMap(([type, context]) =>
      isObject(context) ? [[type, usedContextSchema(context)]] : [],
    ),
  ),
  required: [],
  additionalProperties: {
    ...object({ id: contextId, data: { ...anyContextData, properties: {} } }),
    description: 'Context value - can be accessed as string or object',
  },
});

const usedContextSchema = ({ data }: Record<string, unknown>): JsonObject =>
  object({ id: contextId, data: isObject(data) ? variablesSchema(data) : anyContextData }, ['id']);

const nullableTime: JsonObject = { type: 'string', format: 'date-time', nullable: true };

/** The variables of an environment, by these names. */
export const envSchema = (names: readonly string[]): JsonObject => ({
  ...object(
    Object.fromEntries(
      names.map((name) => [name, described('string', `Environment variable: ${name}`)]),
    ),
  ),
  description: 'Environment variables accessible in workflow templates',
});

/** The result of each step type, which later steps can use. A throttle has none. */
const results: { [Type in StepType]?: JsonObject } = {
  in_app: object(
    {
      seen: { type: 'boolean' },
      read: { type: 'boolean' },
      lastSeenDate: nullableTime,
      lastReadDate: nullableTime,
    },
    ['seen', 'read', 'lastSeenDate', 'lastReadDate'],
  ),
  delay: object({ duration: { type: 'number' } }, ['duration']),
};

/** A digest has the payloads of its events, which may have more than the payload schema names. */
const digestResult = (payloadSchema: JsonObject | null): JsonObject =>
  object(
    {
      eventCount: { type: 'number' },
      events: {
        type: 'array',
        properties: { length: { type: 'number' } },
        items: object(
          {
            id: { type: 'string' },
            time: { type: 'string' },
            payload: { ...(payloadSchema ?? { type: 'object' }), additionalProperties: true },
          },
          ['id', 'time', 'payload'],
        ),
      },
    },
    ['events'],
  );

export function stepVariablesSchema(
  { payloadSchema, steps }: StoredWorkflow,
  step: StepDefinition,
  env: EnvironmentNames,
): Record<string, unknown> {
  const values = steps.flatMap(({ controlValues }) => Object.values(controlValues));
  return variablesSchemaAfter(
    steps.slice(0, steps.indexOf(step)),
    payloadSchema,
    usedVariables(values, env),
    env,
  );
}

/**
 * The names of the variables of the environment; undefined before the service had them, the variable `actor`, and
 * stricter paths.
 */
type EnvironmentNames = readonly string[] | undefined;

/** A step whose result later steps can use. */
export interface EarlierStep {
  stepId: string;
  type: StepType;
  controlValues?: Record<string, unknown> | null | undefined;
}

/** Has the variables of a step that comes after these steps, and those that templates use. */
export function variablesSchemaAfter(
  steps: readonly EarlierStep[],
  payloadSchema: JsonObject | null = null,
  used: Record<string, unknown> = {},
  env: EnvironmentNames = undefined,
): JsonObject {
  const resultSchema = ({ type, controlValues }: EarlierStep) => {
    if (type === 'http_request') return controlValues?.responseBodySchema ?? anyResult;
    return type === 'digest' ? digestResult(payloadSchema) : (results[type] ?? object({}));
  };
  const earlier = steps.filter(({ type }) => type !== 'throttle');
  const resultSchemas = earlier.map((step) => [step.stepId, resultSchema(step)]);
  const { subscriber, actor } = used;
  return {
    type: 'object',
    properties: {
      workflow: workflowSchema,
      subscriber: subscriberSchema(isObject(subscriber) ? subscriber.data : {}),
      steps: {
        ...object(Object.fromEntries(resultSchemas)),
        description: 'Previous Steps Results',
      },
      payload: payloadSchema ?? variablesSchema(used.payload),
      context: contextSchema(used.context),
      ...(env && { actor: actorSchema(actor), env: envSchema(env) }),
    },
    additionalProperties: false,
  };
}

const anyResult: JsonObject = { type: 'object', properties: {}, additionalProperties: true };

const actorSchema = (actor: unknown): JsonObject =>
  subscriberSchema(
    isObject(actor) ? actor.data : {},
    'Schema representing the actor entity sent during workflow trigger',
  );

// The variables that control values use, as the service fills them in for an editor: an object whose texts are the names
// of the variables, and the JSON Schema that describes it.

export const isDigestEvents = (name: string) => /^steps\.[^.]+\.events$/.test(name);

/** Variables that may have any member. */
export const isDynamic = (name: string): boolean =>
  /^(?:(?:subscriber|actor)\.data\.|payload\.|context\.|steps\.[^.]+\.events\[\d+\]\.payload\.)/.test(
    name,
  );

/** A block document is read as JSON with Liquid in place of its variables. */
export function toTemplate(text: string): string {
  const document = documentIn(text);
  return document ? JSON.stringify(withLiquid(document)) : text;
}

/** The values of all controls whose variables count. */
export function usedVariables(values: readonly unknown[], env: EnvironmentNames): JsonObject {
  const names = [...new Set(values.flatMap(namesIn))];
  const lists = values.flatMap(findLists);
  const flags = values.flatMap((value) => findAttributes(value, 'showIfKey'));
  const variables: JsonObject = {};
  const isStrict = env !== undefined;
  for (const list of lists) setAt(variables, `${list}[0]`, {}, isStrict);
  const leaves = names.filter((name) => !names.some((other) => other.startsWith(`${name}.`)));
  for (const name of leaves.sort((a, b) => countParts(a) - countParts(b))) {
    const text = (name.split('.').at(-1) ?? '').replaceAll(/\[\d+\]/g, '');
    const value = flags.includes(name) || text;
    const list = lists.find((each) => name === each || name.startsWith(`${each}.`));
    const path = list === undefined ? name : `${list}[0]${name.slice(list.length)}`;
    setAt(variables, path.replaceAll(/\[\d+\]/g, '[0]'), value, isStrict);
  }
  return variables;
}

const countParts = (name: string) => name.split('.').length;

function namesIn(value: unknown): string[] {
  const checked = checkLiquid(toLiquidText(value));
  if ('mistakes' in checked) return [];
  return referencesIn(checked.templates).flatMap(({ name, members, mistake, filterMistake }) => {
    if (mistake !== undefined || filterMistake !== undefined) return [];
    const ofItems = isDynamic(name) ? members.map((member) => `${name}.${member}`) : [];
    return [...ofItems, ...(isDynamic(name) || isDigestEvents(name) ? [name] : [])];
  });
}

const conditionFields = /^(?:payload|(?:subscriber|actor)\.data|context)\./;

/** A condition uses the variables that it compares. */
function toLiquidText(value: unknown): string {
  if (typeof value === 'string') return toTemplate(value);
  const fields = isCondition(value) ? comparedFields(value) : [];
  const used = fields.filter((field) => conditionFields.test(field));
  return `${JSON.stringify(value) ?? ''}${used.map((field) => `{{${field}}}`).join('')}`;
}

const isCondition = (value: unknown) => isObject(value) && Object.keys(value).length === 1;

function comparedFields(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(comparedFields);
  if (!isObject(node)) return [];
  return Object.entries(node).flatMap(([name, value]) =>
    name === 'var' && typeof value === 'string' ? [value] : comparedFields(value),
  );
}

/** Lists of a block document: what a block repeats, and variables with an index. */
const findLists = (value: unknown): string[] => [
  ...findAttributes(value, 'each'),
  ...findAttributes(value, 'id').flatMap((id) => /^([^[]+)\[\d+\]/.exec(id)?.[1] ?? []),
];

function findAttributes(value: unknown, name: string): string[] {
  if (typeof value !== 'string' || !documentIn(value)) return [];
  const matches = value.matchAll(new RegExp(`"${name}"\\s*:\\s*"([^"]+)"`, 'g'));
  return [...new Set([...matches].map(([, text = '']) => text))];
}

/**
 * Sets the value at a path like `a.b[0]`. A number makes a list. Strictly, only digits are an index, and only of a list,
 * and a value that is not an object has no members.
 */
function setAt(target: JsonObject, path: string, value: unknown, isStrict: boolean): void {
  const keys = isStrict ? path.replaceAll(/\[(\d+)\]/g, '.$1').split('.') : lenientKeys(path);
  const parts = isStrict ? keys.filter((key) => key !== '') : keys;
  if (parts.some((key) => ['__proto__', 'constructor', 'prototype'].includes(key))) return;
  const last = parts.pop() ?? '';
  const cannotSet = (at: JsonObject, key: string) => isStrict && isIndex(key) && !Array.isArray(at);
  let at: JsonObject = target;
  for (const [index, key] of parts.entries()) {
    const current = at[key] ?? undefined;
    if (cannotSet(at, key) || (isStrict && current !== undefined && typeof current !== 'object'))
      return;
    if (typeof current !== 'object') at[key] = isIndex(parts[index + 1] ?? last) ? [] : {};
    at = at[key] as JsonObject;
  }
  if (!cannotSet(at, last)) at[last] = value;
}

const lenientKeys = (path: string): string[] =>
  path
    .split('.')
    .flatMap((part) => part.split(/[[\]]/).filter((key, index) => key !== '' || index === 0));

const isIndex = (key: string) => /^\d+$/.test(key);

/** The JSON Schema of an object of variables; other members are allowed. */
function variablesSchema(variables: unknown): JsonObject {
  const members = asObject(variables);
  return {
    type: 'object',
    properties: mapValues(members, inferSchema),
    required: Object.keys(members),
    additionalProperties: true,
  };
}

function inferSchema(value: unknown): JsonObject {
  if (Array.isArray(value))
    return { type: 'array', items: value.length > 0 ? inferSchema(value[0]) : { type: 'array' } };
  if (isObject(value))
    return {
      type: 'object',
      properties: mapValues(value, inferSchema),
      required: Object.keys(value),
    };
  return { type: typeof value, default: value };
}

const mapValues = <T>(members: JsonObject, change: (value: unknown) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value)]));
