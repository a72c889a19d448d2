// The filters of notifications: by state, tags, severity and data.
import { asObject, hasSameItems, isObject, type JsonObject, valueAt } from '../../core/objects.ts';
import { limits } from '../../service/limits.ts';
import { severities } from '../../service/schemas/vocabulary.ts';
import {
  changeState,
  deleteFromInbox,
  type InboxState,
  reportChange,
} from '../engine/change-inbox.ts';
import { badRequest } from '../http/http-error.ts';
import type { Dialect } from '../store/dialect.ts';
import { countInbox, type InboxFilter, inbox } from '../store/inbox.ts';
import { listMessagesById, type StoredMessage } from '../store/messages.ts';
import type { Scope } from '../store/scope.ts';
import type { AnyInboxCall, InboxHandlers } from './session-token.ts';

/** One of the values is at the path. A value of null also matches a message without it. */
interface DataRule {
  path: string;
  values: readonly unknown[];
}

/** A `data` filter as the client sent it, and what a message must have. */
export interface DataFilter {
  data: JsonObject;
  rules: readonly DataRule[];
}

/** Reads the JSON text of a `data` filter. */
export function readData({ dialect }: Scope, text: string | undefined): DataFilter | undefined {
  return text
    ? toDataFilter(dialect, parse(text, 'Invalid JSON format for data parameter'))
    : undefined;
}

export function toDataFilter({ hasDataGroups }: Dialect, data: unknown): DataFilter {
  if (!isObject(data))
    throw badRequest(hasDataGroups ? 'Data filter must be an object' : 'Data must be an object');
  return { data, rules: hasDataGroups ? groupRules(data) : plainRules(data) };
}

export function parse(text: string, message: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(message);
  }
}

/** Simple values, with one more level at most. */
const plainRules = (data: JsonObject, parents: readonly string[] = []): DataRule[] =>
  Object.entries(data).flatMap(([name, value]) => {
    const names = [...parents, name];
    if (Array.isArray(value) && parents.length === 0)
      throw badRequest('Arrays are not supported in data filter');
    if (typeof value === 'object' && value !== null && parents.length > 0)
      throw badRequest('Maximum nesting level exceeded (2 levels max)');
    checkLength(name, value);
    return isObject(value)
      ? plainRules(value, names)
      : [{ path: names.join('.'), values: [value] }];
  });

/** The same with a list of values, `{or: […]}` or `{and: [{or: […]}]}` for a value. */
const groupRules = (data: JsonObject, parents: readonly string[] = []): DataRule[] =>
  Object.entries(data).flatMap(([name, value]) => {
    const path = [...parents, name].join('.');
    checkName(name, parents.join('.') || 'data');
    if (!isObject(value) || 'or' in value || 'and' in value)
      return toGroups(path, value).map((values) => ({ path, values }));
    if (parents.length === 0) return groupRules(value, [name]);
    throw badRequest(`Maximum nesting level exceeded (2 levels max) at ${path}`);
  });

function checkName(name: string, place: string): void {
  if (name === '') throw badRequest(`Empty keys are not allowed under ${place}`);
  if (/^[$.]/.test(name))
    throw badRequest(`Key "${name}" under ${place} cannot start with "$" or "."`);
  if (['__proto__', 'constructor', 'prototype'].includes(name))
    throw badRequest(`Key "${name}" under ${place} is not allowed`);
}

function toGroups(path: string, value: unknown): unknown[][] {
  if (Array.isArray(value) && value.some(Array.isArray))
    throw badRequest(
      `Nested arrays are not supported for ${path}; use { and: [{ or: Scalar[] }, ...] } for multiple OR-groups`,
    );
  if (!isObject(value)) return filled([checkedValues(path, [value].flat())]);
  if ('or' in value && 'and' in value)
    throw badRequest(`Filter for ${path} cannot have both "or" and "and"`);
  if (Object.keys(value).length > 1) throw badRequest(`Invalid filter object for ${path}`);
  if ('or' in value) return filled([orGroup(path, value.or)]);
  const { and } = value;
  if (!Array.isArray(and)) throw badRequest(`"and" for ${path} must be an array`);
  if (and.length > limits.dataGroups)
    throw badRequest(`At most ${limits.dataGroups} groups are allowed for ${path}`);
  const groups = and.map((group) => {
    if (Object.keys(asObject(group)).join() !== 'or')
      throw badRequest(`Each "and" entry for ${path} must be { or: Scalar[] }`);
    const values = orGroup(path, asObject(group).or);
    if (values.length === 0) throw badRequest(`Each group for ${path} must be a non-empty array`);
    return values;
  });
  if (groups.flat().length > limits.dataValues)
    throw badRequest(`At most ${limits.dataValues} total values are allowed for ${path}`);
  return groups;
}

/** A group without values does not filter. */
const filled = (groups: unknown[][]) => groups.filter((values) => values.length > 0);

function orGroup(path: string, values: unknown): unknown[] {
  if (!Array.isArray(values)) throw badRequest(`"or" for ${path} must be an array of scalars`);
  return checkedValues(path, values);
}

function checkedValues(path: string, values: unknown[]): unknown[] {
  if (values.length > limits.dataValuesInGroup)
    throw badRequest(
      `At most ${limits.dataValuesInGroup} values are allowed in a single OR-group for ${path}`,
    );
  for (const value of values) {
    checkLength(path, value);
    if (typeof value === 'object' && value !== null)
      throw badRequest(`Value for ${path} must be a scalar (string, number, boolean, or null)`);
  }
  return values;
}

function checkLength(name: string, value: unknown): void {
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
const hasData = ({ data = {} }: StoredMessage, { rules }: DataFilter): boolean =>
  rules.every(({ path, values }) => {
    const present: unknown[] = [valueAt(data, path) ?? null].flat();
    return values.some((value) => present.includes(value));
  });

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

// Changes all notifications of an inbox, or those with certain tags, data or ids.

type Call = AnyInboxCall & { body: { tags?: string[] | undefined; data?: string | undefined } };

/** Like in the service, messages of every channel that have one of the contexts; without contexts, all. */
const findMatching = (
  { scope, subscriber, contextKeys = [], body }: Call,
  filter: InboxFilter = {},
) =>
  findMatches(
    scope,
    subscriber.id,
    {
      ...filter,
      isOfAnyChannel: true,
      someContexts: contextKeys.length > 0 ? contextKeys : undefined,
      tags: readTags(body.tags),
    },
    { data: readData(scope, body.data) },
  );

/** Reports the counts even if nothing changes, as the service does. */
function changeEach(
  { scope, subscriber, contextKeys }: Call,
  messages: readonly StoredMessage[],
  state: InboxState,
): void {
  for (const message of messages) changeState(scope, message, state);
  const event = 'seen' in state ? 'unseen' : 'unread';
  reportChange(scope, { subscriber: subscriber.id, contextKeys: contextKeys ?? [] }, event);
}

const ownMessages = ({ scope, subscriber, contextKeys }: Call, ids: readonly string[]) =>
  listMessagesById(scope, subscriber.id, ids).filter(
    (message) =>
      message.channel === 'in_app' &&
      (!contextKeys || hasSameItems(message.contextKeys, contextKeys)),
  );

export const changeAllHandlers = {
  readAll: (call) => changeEach(call, findMatching(call), { read: true }),
  archiveAll: (call) => changeEach(call, findMatching(call), { archived: true }),
  archiveAllRead: (call) =>
    changeEach(call, findMatching(call, { read: true }), { archived: true }),
  seeAll(call) {
    const { notificationIds: ids } = call.body;
    // Like in the service, an empty list changes and reports nothing.
    if (ids?.length === 0) return;
    changeEach(call, ids ? ownMessages(call, ids) : findMatching(call), { seen: true });
  },
  removeAll(call) {
    const { scope, subscriber, contextKeys = [] } = call;
    for (const message of findMatching(call)) deleteFromInbox(scope, message);
    reportChange(scope, { subscriber: subscriber.id, contextKeys }, 'unread');
  },
} satisfies Partial<InboxHandlers>;

// Counts the notifications of an inbox, for the session and for the socket.

const maxCount = limits.countedNotifications;

type Contexts = readonly string[] | undefined;

/** The unread ones that are not snoozed, in all and by severity. */
export function unreadCounts(scope: Scope, subscriber: string, contextKeys: Contexts) {
  const filter = { read: false, snoozed: false, contextKeys, limit: maxCount };
  return {
    total: countInbox(scope, subscriber, filter),
    severity: countBySeverity(scope, subscriber, contextKeys, maxCount),
  };
}

const countBySeverity = (
  scope: Scope,
  subscriber: string,
  contextKeys: Contexts,
  limit: number,
): Record<string, number> =>
  Object.fromEntries(
    severities.map((severity) => [
      severity,
      countInbox(scope, subscriber, {
        read: false,
        snoozed: false,
        severities: [severity],
        contextKeys,
        limit,
      }),
    ]),
  );

/** The socket event `unread_count_changed`. Its total includes snoozed notifications. */
export function unreadEvent(scope: Scope, subscriber: string, contextKeys: Contexts) {
  const total = countInbox(scope, subscriber, { read: false, contextKeys, limit: maxCount + 1 });
  return {
    unreadCount: Math.min(total, maxCount),
    counts: { total, severity: countBySeverity(scope, subscriber, contextKeys, maxCount - 1) },
    hasMore: total > maxCount,
  };
}

/** The socket event `unseen_count_changed`. */
export function unseenEvent(scope: Scope, subscriber: string, contextKeys: Contexts) {
  const total = countInbox(scope, subscriber, { seen: false, contextKeys, limit: maxCount + 1 });
  return { unseenCount: Math.min(total, maxCount), hasMore: total > maxCount };
}
