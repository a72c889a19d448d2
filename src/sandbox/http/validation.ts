// Checks query and body of a request with the registry's schemas, and words what is wrong as the
// service does: v1 as lines of text, v2 by field.
import type { z } from 'zod';
import { type OperationId, record } from '../../api/operations/index.ts';
import { type Refusal, unprocessable } from './http-error.ts';

/** Operations whose items are judged one by one by the handler; only the rest is checked here. */
const judgedByItem: { [Id in OperationId]?: string } = { triggerEvents: 'events' };

export type RepeatableQuery = Record<string, string | string[]>;

/** A key that is repeated is a list. */
export function queryOf(parameters: URLSearchParams): RepeatableQuery {
  const query: RepeatableQuery = Object.create(null);
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name);
    query[name] = values.length > 1 ? values : (values[0] ?? '');
  }
  return query;
}

export function check(id: OperationId, schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const items = judgedByItem[id];
  const issues = result.error.issues.filter(
    ({ path }) => items === undefined || path[0] !== items || path.length < 2,
  );
  if (issues.length === 0) return value;
  throw record(id).path.startsWith('/v1/') ? asLines(issues) : byField(issues, value);
}

function asLines(issues: readonly z.core.$ZodIssue[]): Refusal {
  const messages = issues
    .flatMap(complaints)
    .map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(' '));
  return unprocessable('Validation Error', {
    members: { errors: { general: { messages, value: 'No Value Recorded' } } },
  });
}

function byField(issues: readonly z.core.$ZodIssue[], value: unknown): Refusal {
  const fields = new Map<string, { messages: string[]; value: unknown }>();
  for (const { path, message } of issues.flatMap(complaints)) {
    const name = path.join('.') || 'body';
    const field = fields.get(name) ?? { messages: [], value: valueAt(value, path) };
    field.messages.push(message);
    fields.set(name, field);
  }
  return unprocessable('Validation failed', { members: { errors: Object.fromEntries(fields) } });
}

interface Complaint {
  path: PropertyKey[];
  message: string;
}

function complaints(issue: z.core.$ZodIssue): Complaint[] {
  if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, message: issue.message }];
  return issue.keys.map((key) => ({ path: [...issue.path, key], message: 'should not exist' }));
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let reached: unknown = value;
  for (const name of path) {
    if (typeof reached !== 'object' || reached === null || !Object.hasOwn(reached, name)) {
      return undefined;
    }
    reached = Reflect.get(reached, name);
  }
  return reached;
}
