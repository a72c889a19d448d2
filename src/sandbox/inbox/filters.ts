// The filters of notifications: by state, tags, severity and data.
import { isObject } from '../../core/objects.ts';
import { limits } from '../../service/limits.ts';
import { countInbox, type InboxFilter, inbox } from '../store/inbox.ts';
import type { StoredMessage } from '../store/messages.ts';
import type { Scope } from '../store/scope.ts';
import { badRequest } from '../values/http-error.ts';

/** Members of `data`, which a notification must have. */
export type DataFilter = Record<string, unknown>;

/** Reads the JSON text of a `data` filter: an object of simple values, with one more level at most. */
export function readData(text: string | undefined): DataFilter | undefined {
  if (!text) return undefined;
  const data = parse(text, 'Invalid JSON format for data parameter');
  if (!isObject(data)) throw badRequest('Data must be an object');
  for (const [name, value] of Object.entries(data)) checkData(name, value, 1);
  return data;
}

export function parse(text: string, message: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(message);
  }
}

function checkData(name: string, value: unknown, level: number): void {
  if (Array.isArray(value) && level === 1)
    throw badRequest('Arrays are not supported in data filter');
  if (typeof value === 'object' && value !== null) {
    if (level > 1) throw badRequest('Maximum nesting level exceeded (2 levels max)');
    for (const [inner, member] of Object.entries(value)) checkData(inner, member, level + 1);
  }
  if (typeof value === 'string' && value.length > limits.inboxFilterText)
    throw badRequest(`String value for ${name} exceeds ${limits.inboxFilterText} characters`);
}

/** Returns the messages that match, newest first, up to `limit`. */
export function findMatches(
  scope: Scope,
  subscriber: string,
  filter: InboxFilter,
  { data, limit = -1 }: { data: DataFilter | undefined; limit?: number },
): StoredMessage[] {
  if (!data) return inbox(scope, subscriber, { ...filter, limit });
  const matches = inbox(scope, subscriber, filter).filter((message) => hasData(message, data));
  return limit < 0 ? matches : matches.slice(0, limit);
}

export const countMatches = (
  scope: Scope,
  subscriber: string,
  filter: InboxFilter,
  { data, limit }: { data: DataFilter | undefined; limit: number },
): number =>
  data
    ? findMatches(scope, subscriber, filter, { data, limit }).length
    : countInbox(scope, subscriber, { ...filter, limit });

/** Like in the service, a list has a value if it contains it. */
function hasData({ data = {} }: StoredMessage, wanted: DataFilter): boolean {
  const has = (whole: unknown, part: unknown): boolean => {
    if (isObject(part))
      return (
        isObject(whole) &&
        Object.entries(part).every(([name, value]) => has(ownMember(whole, name), value))
      );
    return Array.isArray(whole) ? whole.includes(part) : (whole ?? null) === part;
  };
  return has(data, wanted);
}

const ownMember = (value: object, name: string): unknown =>
  Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

/** One of the tags, or one of each list of tags. Objects are the form of counts in clients of later versions. */
export function readTags(tags: unknown): string[][] | undefined {
  if (Array.isArray(tags)) {
    if (tags.length === 0) return undefined;
    return tags.every(Array.isArray) ? tags : [tags];
  }
  return undefined;
}

export const toSeverities = (severity: string | string[] | undefined): string[] | undefined =>
  severity === undefined || severity.length === 0 ? undefined : [severity].flat();
