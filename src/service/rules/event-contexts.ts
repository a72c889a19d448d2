// The check of the service on the contexts of an event.
import { isObject } from '../../core/objects.ts';
import { limits } from '../limits.ts';
import { contextNamePattern } from './formats.ts';
import type { Rule } from './rules.ts';

/** Returns why these are not contexts by type. */
export function contextMessage(value: unknown): string | undefined {
  if (!isObject(value)) return invalidContext;
  const values = Object.values(value);
  if (values.length === 0 || !values.every(isContext)) return invalidContext;
  if (values.length > limits.contextsPerEvent)
    return `Too many contexts: ${values.length} provided, maximum allowed is ${limits.contextsPerEvent}`;
  return Object.entries(value).flatMap(([type, context]) => sizeMessage(type, context) ?? [])[0];
}

/** The contexts of an event, or of a subscription. */
export const eventContexts: Rule = (value) => contextMessage(value);

const invalidContext =
  'Invalid context payload structure. Expected object with context types as keys and string IDs or {id, data} objects as values';

/** The id of each context by its type, from keys such as `tenant:acme`. */
export const contextsOfKeys = (keys: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    keys.map((key) => [key.slice(0, key.indexOf(':')), key.slice(key.indexOf(':') + 1)]),
  );

const isContextId = (value: unknown) =>
  typeof value === 'string' && contextNamePattern.test(value) && value.length <= limits.contextName;

function isContext(value: unknown): boolean {
  if (!isObject(value)) return isContextId(value);
  const { id, data } = value;
  return isContextId(id) && (data === undefined || (typeof data === 'object' && data !== null));
}

function sizeMessage(type: string, value: unknown): string | undefined {
  const size = Buffer.byteLength(JSON.stringify(isObject(value) ? (value.data ?? '') : ''));
  if (size <= limits.contextData) return undefined;
  return `Context '${type}' Data is too large: ${Math.round(size / 1024)}KB exceeds ${limits.contextData / 1024}KB limit`;
}
