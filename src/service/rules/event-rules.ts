// The checks of the service on an event, and on the contexts of an event.

import { isObject as isObjectValue } from '../../core/objects.ts';
import { limits } from '../limits.ts';
import { subscriberFields } from './profile-rules.ts';
import {
  type Field,
  type Fields,
  isDefined,
  isObject,
  isString,
  nested,
  optional,
  required,
} from './rules.ts';

/** A subscriber or a tenant: an id, or an object. */
const idOr = (fields: Fields): Field => ({ ...nested(fields), isTextAllowed: true });

export const eventFields = (payload: Field, to?: Field): Fields => ({
  name: required(isDefined(), isString()),
  payload,
  bridgeUrl: optional(isString()),
  overrides: optional(isObject),
  ...(to ? { to } : {}),
  transactionId: optional(isString()),
  actor: idOr(subscriberFields),
  tenant: idOr({ identifier: optional(isString()), name: optional(isString()) }),
  context: optional(contextMessage),
});

/** Returns why these are not contexts by type. */
export function contextMessage(value: unknown): string | undefined {
  if (!isObjectValue(value)) return invalidContext;
  const values = Object.values(value);
  if (values.length === 0 || !values.every(isContext)) return invalidContext;
  if (values.length > limits.contextsPerEvent)
    return `Too many contexts: ${values.length} provided, maximum allowed is ${limits.contextsPerEvent}`;
  return Object.entries(value).flatMap(([type, one]) => sizeMessage(type, one) ?? [])[0];
}

const invalidContext =
  'Invalid context payload structure. Expected object with context types as keys and string IDs or {id, data} objects as values';

const isContextId = (value: unknown) =>
  typeof value === 'string' && /^[a-zA-Z0-9_-]{1,100}$/.test(value);

function isContext(value: unknown): boolean {
  if (!isObjectValue(value)) return isContextId(value);
  const { id, data } = value;
  return isContextId(id) && (data === undefined || (typeof data === 'object' && data !== null));
}

function sizeMessage(type: string, value: unknown): string | undefined {
  const size = Buffer.byteLength(JSON.stringify(isObjectValue(value) ? (value.data ?? '') : ''));
  if (size <= limits.contextData) return undefined;
  return `Context '${type}' Data is too large: ${Math.round(size / 1024)}KB exceeds ${limits.contextData / 1024}KB limit`;
}
