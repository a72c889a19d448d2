// Validates the query and body of a request against the registry's schemas. Errors use the
// service's formats: a list of messages for v1, messages by field for v2.
import type { z } from 'zod';
import { type OperationId, record } from '../../api/operations/index.ts';
import { type HttpError, unprocessable } from './http-error.ts';

/** Operations whose handler validates the items of this list one by one. */
const itemListOf: { [Id in OperationId]?: string } = { triggerEvents: 'events' };

export type RepeatableQuery = Record<string, string | string[]>;

/** A repeated parameter becomes a list. */
export function parseQuery(parameters: URLSearchParams): RepeatableQuery {
  const query: RepeatableQuery = Object.create(null);
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name);
    query[name] = values.length > 1 ? values : (values[0] ?? '');
  }
  return query;
}

export function validate(id: OperationId, schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const items = itemListOf[id];
  const issues = result.error.issues.filter(
    ({ path }) => items === undefined || path[0] !== items || path.length < 2,
  );
  if (issues.length === 0) return value;
  throw record(id).path.startsWith('/v1/') ? messageListError(issues) : errorByField(issues, value);
}

function messageListError(issues: readonly z.core.$ZodIssue[]): HttpError {
  const messages = issues
    .flatMap(toFieldErrors)
    .map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(' '));
  return unprocessable('Validation Error', {
    members: { errors: { general: { messages, value: 'No Value Recorded' } } },
  });
}

function errorByField(issues: readonly z.core.$ZodIssue[], value: unknown): HttpError {
  const fields = new Map<string, { messages: string[]; value: unknown }>();
  for (const { path, message } of issues.flatMap(toFieldErrors)) {
    const name = path.join('.') || 'body';
    const field = fields.get(name) ?? { messages: [], value: valueAt(value, path) };
    field.messages.push(message);
    fields.set(name, field);
  }
  return unprocessable('Validation failed', { members: { errors: Object.fromEntries(fields) } });
}

interface FieldError {
  path: PropertyKey[];
  message: string;
}

function toFieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, message: issue.message }];
  return issue.keys.map((key) => ({ path: [...issue.path, key], message: 'should not exist' }));
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found: unknown = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) {
      return undefined;
    }
    found = Reflect.get(found, name);
  }
  return found;
}
