// Validates the query and body of a request: first by the service's rules, with its messages, then by the schema of
// the registry, which also removes unknown members.
import type { z } from 'zod';
import { type OperationId, record } from '../../api/operations/index.ts';
import { type HttpError, unprocessable } from '../http/http-error.ts';
import { preferenceChannels, requestRules } from './request-rules.ts';
import { type Fields, findMessages } from './rules.ts';
import { scheduleMessage } from './schedule-rules.ts';

type Part = 'query' | 'body';

/** Operations whose handler validates the items of this list one by one. */
const itemListOf: { [Id in OperationId]?: string } = { triggerEvents: 'events' };

/** Operations of the specification that accept more than it allows, as the service does. */
const tolerant: ReadonlySet<OperationId> = new Set([
  'createEnvironment',
  'listActivity',
  'setSubscriberCredentials',
  'subscribeToTopic',
  'updateIntegration',
  'updateSubscriberPreferences',
]);

/** Returns the value with defaults and conversions of the schema. Throws the service's validation errors. */
export function validate(
  id: OperationId,
  part: Part,
  schema: z.ZodType,
  value: unknown,
  compat: boolean,
): unknown {
  checkRules(id, part, value);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const items = itemListOf[id];
  const issues = result.error.issues.filter(
    ({ path }) => items === undefined || path[0] !== items || path.length < 2,
  );
  const known = issues.filter(({ code }) => code !== 'unrecognized_keys');
  const isTolerant = record(id).source === 'service' || (compat && tolerant.has(id));
  if (known.length > 0 && isTolerant) return withoutUnknown(value, issues);
  if (known.length > 0) throw generalError(known.map(issueMessage));
  if (issues.length === 0) return value;
  return validate(id, part, schema, withoutUnknown(value, issues), compat);
}

function checkRules(id: OperationId, part: Part, value: unknown): void {
  const { fields = {}, deep = {} } = requestRules[id]?.[part] ?? {};
  const messages = findMessages(fields, value);
  if (id === 'updateSubscriberPreferences' && part === 'body') {
    const { schedule, channels } = value as { schedule?: unknown; channels?: unknown };
    messages.push(...[scheduleMessage(schedule) ?? []].flat());
    if (messages.length === 0) checkByField(preferenceChannels, channels);
  }
  if (messages.length > 0) throw generalError(messages);
  checkByField(deep, value);
  if (id === 'updateManyPreferences') {
    const { preferences } = value as { preferences: { channels: unknown }[] };
    for (const { channels } of preferences) checkByField(preferenceChannels, channels);
  }
}

function checkByField(fields: Fields, value: unknown): void {
  const object = typeof value === 'object' && value !== null ? value : {};
  const errors = Object.entries(fields).flatMap(([name, field]) => {
    const messages = findMessages({ [name]: field }, value);
    return messages.length === 0 ? [] : [[name, { messages, value: Reflect.get(object, name) }]];
  });
  if (errors.length === 0) return;
  throw unprocessable('Validation failed', { members: { errors: Object.fromEntries(errors) } });
}

function generalError(messages: readonly string[]): HttpError {
  return unprocessable('Validation Error', {
    members: { errors: { general: { messages, value: 'No Value Recorded' } } },
  });
}

const issueMessage = ({ path, message }: z.core.$ZodIssue) =>
  [path.join('.'), message].filter(Boolean).join(' ');

/** The service ignores unknown members. Returns a copy without them. */
function withoutUnknown(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const copy: unknown = structuredClone(value);
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    const parent = issue.path.reduce<unknown>(memberOf, copy);
    for (const key of issue.keys) {
      if (typeof parent === 'object' && parent !== null) Reflect.deleteProperty(parent, key);
    }
  }
  return copy;
}

const memberOf = (value: unknown, name: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
