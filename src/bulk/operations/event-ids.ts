// The ids in an event: recipients, actor, tenant, contexts, transaction. Blanks around them are removed.

import { isExact } from '../../core/lossless-json.ts';
import { trimWhitespace } from '../../core/whitespace.ts';
import { isObject } from './responses.ts';

const holders = ['to', 'actor', 'tenant', 'transactionId'] as const;
const members = ['subscriberId', 'topicKey', 'exclude', 'identifier', 'id'] as const;

/** Values of another type stay, for the schema to complain of. */
export function withTrimmedIds(event: Record<string, unknown>): Record<string, unknown> {
  const { context } = event;
  return {
    ...event,
    ...trimmedMembers(event, holders),
    ...(isObject(context) ? { context: eachTrimmed(context) } : {}),
  };
}

function trimmed(value: unknown): unknown {
  if (typeof value === 'string') return trimWhitespace(value);
  if (Array.isArray(value)) return value.map(trimmed);
  return isObject(value) && !isExact(value)
    ? { ...value, ...trimmedMembers(value, members) }
    : value;
}

const trimmedMembers = (object: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(
    names
      .filter((name) => Object.hasOwn(object, name))
      .map((name) => [name, trimmed(object[name])]),
  );

const eachTrimmed = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, trimmed(value)]));
