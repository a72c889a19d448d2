// The filters of notifications: by state, tags, severity and data.
import { hasSameItems, isObject, type JsonObject } from '../../core/objects.ts';
import { limits } from '../../service/limits.ts';
import { severities } from '../../service/schemas/vocabulary.ts';
import {
  changeState,
  deleteFromInbox,
  type InboxState,
  reportChange,
} from '../engine/change-inbox.ts';
import { badRequest } from '../http/http-error.ts';
import { countInbox, type InboxFilter, inbox } from '../store/inbox.ts';
import { listMessagesById, type StoredMessage } from '../store/messages.ts';
import type { Scope } from '../store/scope.ts';
import type { AnyInboxCall, InboxHandlers } from './session-token.ts';

/** Reads the JSON text of a `data` filter: an object of simple values, with one more level at most. */
export function readData(text: string | undefined): JsonObject | undefined {
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
  { data, limit = -1 }: { data: JsonObject | undefined; limit?: number },
): StoredMessage[] {
  if (!data) return inbox(scope, subscriber, { ...filter, limit });
  const matches = inbox(scope, subscriber, filter).filter((message) => hasData(message, data));
  return limit < 0 ? matches : matches.slice(0, limit);
}

export const countMatches = (
  scope: Scope,
  subscriber: string,
  filter: InboxFilter,
  { data, limit }: { data: JsonObject | undefined; limit: number },
): number =>
  data
    ? findMatches(scope, subscriber, filter, { data, limit }).length
    : countInbox(scope, subscriber, { ...filter, limit });

/** Like in the service, a list has a value if it contains it. */
function hasData({ data = {} }: StoredMessage, wanted: JsonObject): boolean {
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
    { data: readData(body.data) },
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
