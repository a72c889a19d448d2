// Validates the query and body of a request: first by the service's rules, with its messages, then by the schema of
// the registry, which also removes unknown members.
import type { z } from 'zod';
import type { OperationId } from '../../api/operations/index.ts';
import { type HttpError, unprocessable } from '../http/http-error.ts';
import { findErrors, listMessages, messagesByPath } from './find-errors.ts';
import { preferenceChannels, requestRules } from './request-rules.ts';
import { type Fields, isString, optional } from './rules.ts';

type Part = 'query' | 'body';

/** Operations whose handler validates the items of this list one by one. */
const itemListOf: { [Id in OperationId]?: string } = { triggerEvents: 'events' };

export interface Validated {
  value: unknown;
  /** The error of the schema, for values that the service does not check. */
  ignored?: HttpError;
}

/** Returns the value with defaults and conversions of the schema. Throws the service's validation errors. */
export function validate(
  id: OperationId,
  part: Part,
  schema: z.ZodType,
  value: unknown,
): Validated {
  checkRules(id, part, value);
  const result = schema.safeParse(value);
  if (result.success) return { value: result.data };
  const items = itemListOf[id];
  const issues = result.error.issues.filter(
    ({ path }) => items === undefined || path[0] !== items || path.length < 2,
  );
  const known = issues.filter(({ code }) => code !== 'unrecognized_keys');
  // The service has no other checks than those of its rules.
  if (known.length > 0)
    return {
      value: withoutUnknown(value, issues),
      ignored: generalError(known.map(issueMessage)),
    };
  if (issues.length === 0) return { value };
  return validate(id, part, schema, withoutUnknown(value, issues));
}

function checkRules(id: OperationId, part: Part, value: unknown): void {
  const { fields = {}, deep = {} } = requestRules[id]?.[part] ?? {};
  const messages = listMessages(findErrors(fields, value));
  if (messages.length > 0) throw generalError(messages);
  checkByField(deep, value);
  if (part !== 'body') return;
  if (id === 'updateSubscriberPreferences') {
    const { workflowId: workflowIdOrInternalId, channels } = value as Record<string, unknown>;
    checkByField({ workflowIdOrInternalId: optional(isString()) }, { workflowIdOrInternalId });
    checkByField(preferenceChannels, channels);
  }
  if (id === 'updateManyPreferences') {
    const { preferences } = value as { preferences: { channels: unknown }[] };
    for (const { channels } of [preferences].flat()) checkByField(preferenceChannels, channels);
  }
}

function checkByField(fields: Fields, value: unknown): void {
  const errors = messagesByPath(findErrors(fields, value));
  if (Object.keys(errors).length === 0) return;
  throw unprocessable('Validation failed', { members: { errors } });
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
