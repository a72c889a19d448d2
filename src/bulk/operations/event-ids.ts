// Removes blanks around the ids in an event: recipients, actor, tenant, contexts, transaction.

import { isExactNumber } from '../../core/lossless-json.ts';
import { isObject } from '../../core/objects.ts';
import { trimWhitespace } from '../../core/whitespace.ts';

const eventIdFields = ['to', 'actor', 'tenant', 'transactionId'] as const;
const nestedIdFields = ['subscriberId', 'topicKey', 'exclude', 'identifier', 'id'] as const;

/** Keeps values of another type; the schema reports them. */
export function trimEventIds(event: Record<string, unknown>): Record<string, unknown> {
  const { context } = event;
  return {
    ...event,
    ...trimMembers(event, eventIdFields),
    ...(isObject(context) ? { context: trimEachMember(context) } : {}),
  };
}

function trimIds(value: unknown): unknown {
  if (typeof value === 'string') return trimWhitespace(value);
  if (Array.isArray(value)) return value.map(trimIds);
  return isObject(value) && !isExactNumber(value)
    ? { ...value, ...trimMembers(value, nestedIdFields) }
    : value;
}

const trimMembers = (object: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(
    names
      .filter((name) => Object.hasOwn(object, name))
      .map((name) => [name, trimIds(object[name])]),
  );

const trimEachMember = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, trimIds(value)]));
