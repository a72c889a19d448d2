// Lists and counts notifications, and changes one of them.
import { hasSameItems, isObject, type JsonObject } from '../../core/objects.ts';
import { limits } from '../../service/limits.ts';
import { redirectTargets } from '../../service/schemas/vocabulary.ts';
import { inAppParts, inboxDates, serializeCta } from '../api/messages.ts';
import { requireObjectId } from '../api/parameters.ts';
import { pickProfileFields } from '../api/subscribers.ts';
import { toWorkflow } from '../api/subscription-items.ts';
import {
  changeAction,
  changeState,
  deleteFromInbox,
  type InboxState,
} from '../engine/change-inbox.ts';
import { readWorkflow } from '../engine/run.ts';
import { badRequest, generalError, type HttpError, notFound } from '../http/http-error.ts';
import { toIso } from '../store/clock.ts';
import { findMessage, type StoredMessage } from '../store/messages.ts';
import type { Scope } from '../store/scope.ts';
import type { StoredSubscriber } from '../store/subscribers.ts';
import type { StoredWorkflow } from '../store/workflows.ts';
import { laterUrlPattern } from '../templates/control-schemas.ts';
import {
  countMatches,
  findMatches,
  parse,
  readData,
  readTags,
  toDataFilter,
  toSeverities,
} from './filters.ts';
import type { AnyInboxCall, InboxHandlers } from './session-token.ts';

const defaultLimit = 10;

/** `tags[0][]=a&tags[1][]=b` or `tags[and][0][or][]=a&tags[and][1][or][]=b`: one of each group. `tags[or][]=a`: one group. */
function withTagGroups(query: JsonObject): JsonObject {
  const isGroup = /^tags(?:\[and\])?\[(?:\d+|\d+\]\[or|or)\]$/;
  const groups = Object.entries(query).filter(([name]) => isGroup.test(name));
  return groups.length === 0 ? query : { ...query, tags: groups.map(([, tags]) => tags) };
}

function checkUnreadArchived({ read, archived }: { read?: unknown; archived?: unknown }): void {
  if (read === false && archived === true)
    throw badRequest('Filtering for unread and archived notifications is not supported.');
}

const readFilters = (text: unknown): unknown => {
  const filters = parse(String(text), 'Invalid filters, the JSON object should be provided.');
  if (!Array.isArray(filters)) return filters;
  return filters.map((filter) =>
    isObject(filter) && isObject(filter.tags)
      ? { ...filter, tags: plainTags(filter.tags) }
      : filter,
  );
};

/** Clients of later versions also send `{or: [...]}` and `{and: [{or: [...]}]}`. */
function plainTags({ or, and }: Record<string, unknown>): unknown {
  if (Array.isArray(or)) return or;
  return Array.isArray(and) ? and.map((group) => (isObject(group) ? group.or : group)) : and;
}

type NotificationCall = AnyInboxCall & { path: { id: string } };

/** The notification of the call; throws if it is not in the inbox of the session. */
function ownMessage(
  { path: { id }, scope, subscriber, contextKeys }: NotificationCall,
  error: (id: string) => HttpError,
  command = 'MarkNotificationAs',
): StoredMessage {
  requireObjectId(scope, `${command}Command`, 'notificationId', id);
  const message = findMessage(scope, id.toLowerCase());
  const isOwn =
    message?.subscriber === subscriber.id &&
    message.channel === 'in_app' &&
    (!contextKeys || hasSameItems(message.contextKeys, contextKeys));
  if (!message || !isOwn) throw error(id);
  return message;
}

const unknownNotification = (id: string) => notFound(`Notification with id: ${id} is not found.`);

const mark = (call: NotificationCall, state: InboxState) =>
  serializeChanged(call, changeState(call.scope, ownMessage(call, unknownNotification), state));

/** Before 3.12, the response to a change named neither the subscriber nor the workflow. */
function serializeChanged({ scope, subscriber }: AnyInboxCall, message: StoredMessage) {
  if (!scope.dialect.hasFullNotifications) return serializeNotification(scope, message);
  const workflow = readWorkflow(scope, 'id', message.workflow);
  const { data, payload } = message;
  const visibleData = data ?? (Object.keys(payload).length > 0 ? payload : undefined);
  const notification = serializeNotification(scope, message, { subscriber, workflow });
  return { ...notification, data: visibleData };
}

/** Returns an ISO time. The clock of the sandbox decides what is in the future. */
function readSnoozeTime({ now }: Scope, date: unknown): string {
  const isDate = date !== undefined && date !== null;
  const time = isDate ? new Date(date as string | number).getTime() : Number.NaN;
  const isFuture = time - Date.parse(now) >= limits.snoozeSeconds * 1_000;
  const messages = [
    ...(isFuture
      ? []
      : [`Snooze time must be at least ${limits.snoozeSeconds} seconds in the future`]),
    ...(Number.isNaN(time) ? ['snoozeUntil must be a Date instance'] : []),
  ];
  if (messages.length > 0) throw generalError(messages);
  return new Date(time).toISOString();
}

export function changeButton(
  call: NotificationCall,
  actionType: 'primary' | 'secondary',
  status: 'done' | 'pending',
) {
  const message = ownMessage(call, unknownNotification, 'UpdateNotificationAction');
  if (!message.cta.action?.buttons?.some(({ type }) => type === actionType))
    throw badRequest(
      `Could not perform action on the ${actionType} button because it does not exist.`,
    );
  return serializeChanged(call, changeAction(call.scope, message, actionType, status));
}

export const notificationHandlers = {
  listInbox({ query, scope, subscriber, contextKeys }) {
    const { limit = defaultLimit, after, offset = 0, createdGte, createdLte } = query;
    const { tags, read, archived, snoozed, seen, severity } = query;
    checkUnreadArchived(query);
    const filtered = readData(scope, query.data);
    const last = after === undefined ? undefined : findMessage(scope, after);
    const filter = {
      read,
      archived,
      snoozed,
      seen,
      contextKeys,
      after: last,
      tags: readTags(tags),
      severities: toSeverities(severity),
      from: createdGte === undefined ? undefined : toIso(createdGte),
      to: createdLte === undefined ? undefined : toIso(createdLte),
    };
    // A cursor replaces the offset.
    const start = last ? 0 : offset;
    const matches = findMatches(scope, subscriber.id, filter, {
      data: filtered,
      limit: start + limit + 1,
    });
    return {
      data: matches.slice(start, start + limit).map((message) => {
        const workflow = readWorkflow(scope, 'id', message.workflow);
        return serializeNotification(scope, message, { subscriber, workflow });
      }),
      hasMore: matches.length > start + limit,
      filter: {
        ...{ tags, read, archived, snoozed, seen, data: filtered?.data, severity },
        ...(scope.dialect.hasFullNotifications ? { createdGte, createdLte } : {}),
      },
    };
  },
  countInbox({ query: { filters }, scope, subscriber, contextKeys }) {
    filters.forEach(checkUnreadArchived);
    return {
      data: filters.map((filter) => {
        const { read, archived, snoozed, seen, severity, tags } = filter;
        const data = isObject(filter.data) ? toDataFilter(scope.dialect, filter.data) : undefined;
        const search = {
          read,
          archived,
          snoozed,
          seen,
          contextKeys: filter.contextKeys ?? contextKeys,
        };
        const lists = { tags: readTags(tags), severities: toSeverities(severity) };
        const options = { data, limit: limits.countedNotifications };
        return {
          count: countMatches(scope, subscriber.id, { ...search, ...lists }, options),
          filter,
        };
      }),
    };
  },
  read: (call) => mark(call, { read: true }),
  unread: (call) => mark(call, { read: false }),
  archive: (call) => mark(call, { archived: true }),
  unarchive: (call) => mark(call, { archived: false }),
  snooze(call) {
    const snoozedUntil = readSnoozeTime(call.scope, call.body.snoozeUntil);
    const error = (id: string) => notFound(`Notification id: '${id}' not found`);
    const message = ownMessage(call, error, 'SnoozeNotification');
    return serializeChanged(call, changeState(call.scope, message, { snoozedUntil }));
  },
  unsnooze(call) {
    const error = (id: string) =>
      notFound(
        `Could not find a snoozed notification with id '${id}'. The notification may not exist or may not be in a snoozed state.`,
      );
    const message = ownMessage(call, error, 'UnsnoozeNotification');
    if (!message.snoozedUntil) throw error(call.path.id);
    return serializeChanged(call, changeState(call.scope, message, { snoozedUntil: null }));
  },
  remove: (call) =>
    deleteFromInbox(call.scope, ownMessage(call, unknownNotification, 'DeleteNotification')),
  completeAction: (call) => changeButton(call, call.body.actionType, 'done'),
  revertAction: (call) => changeButton(call, call.body.actionType, 'pending'),
} satisfies Partial<InboxHandlers>;

/** Read a query before it is checked. */
export const queryReaders = {
  listInbox: withTagGroups,
  countInbox: ({ filters, ...query }: JsonObject): JsonObject =>
    filters === undefined ? query : { ...query, filters: readFilters(filters) },
} satisfies { [Id in keyof InboxHandlers]?: (query: JsonObject) => JsonObject };

// Serializes in-app messages for inbox clients: as notifications in responses, and as stored messages on the socket.

/** Only listings name the subscriber and the workflow. */
interface Related {
  subscriber?: StoredSubscriber | undefined;
  workflow?: StoredWorkflow | undefined;
}

function serializeNotification(
  { dialect }: Scope,
  message: StoredMessage,
  { subscriber, workflow }: Related = {},
) {
  const { snoozedUntil, cta, data, avatar, subject } = message;
  const redirectTo = dialect.hasFullNotifications ? safeRedirect : serializeRedirect;
  return {
    id: message.id,
    transactionId: message.transactionId,
    subject,
    body: message.content,
    to: {
      id: subscriber?.id ?? '',
      ...(subscriber ? pickProfileFields(subscriber, ['firstName', 'lastName', 'avatar']) : {}),
      subscriberId: subscriber?.subscriberId ?? '',
    },
    isRead: message.read,
    isSeen: message.seen,
    isArchived: message.archived ?? false,
    isSnoozed: Boolean(snoozedUntil),
    deliveredAt: message.deliveredAt,
    ...(snoozedUntil ? { snoozedUntil } : {}),
    createdAt: message.createdAt,
    readAt: message.lastReadDate,
    firstSeenAt: message.firstSeenDate,
    archivedAt: message.archivedAt,
    avatar,
    primaryAction: serializeAction(message, 'primary', redirectTo),
    secondaryAction: serializeAction(message, 'secondary', redirectTo),
    channelType: message.channel,
    tags: message.tags,
    severity: message.severity ?? 'none',
    redirect: redirectTo(cta.data),
    data,
    workflow: workflow && toWorkflow(workflow),
  };
}

function serializeAction(
  { cta: { action } }: StoredMessage,
  type: 'primary' | 'secondary',
  redirectTo: typeof serializeRedirect,
) {
  const button = action?.buttons?.find((candidate) => candidate.type === type);
  if (!button) return undefined;
  const isCompleted = action?.result?.type === type && action.status === 'done';
  return { label: button.content, isCompleted, redirect: redirectTo(button) };
}

type Link = { url?: unknown; target?: unknown } | undefined;

const serializeRedirect = (link: Link): { url: unknown; target: unknown } | undefined =>
  link?.url ? { url: link.url, target: link.target } : undefined;

/** Only web addresses and paths, and the targets of a browser. */
function safeRedirect(link: Link): ReturnType<typeof serializeRedirect> {
  if (!new RegExp(laterUrlPattern).test(String(link?.url ?? ''))) return undefined;
  const isTarget = (redirectTargets as readonly unknown[]).includes(link?.target);
  return { url: link?.url, target: isTarget ? link?.target : undefined };
}

/** The message of the socket event `notification_received`. */
export const serializeReceived = (
  { environmentId, organizationId }: Scope,
  message: StoredMessage,
) => ({
  cta: serializeCta(message),
  _templateId: message.workflow,
  _environmentId: environmentId,
  _messageTemplateId: message.messageTemplateId,
  _notificationId: message.notification,
  _organizationId: organizationId,
  _subscriberId: message.subscriber,
  _jobId: message.job,
  templateIdentifier: message.templateIdentifier,
  subject: message.subject,
  ...inAppParts(message),
  channel: message.channel,
  content: message.content,
  providerId: message.providerId,
  deviceTokens: [],
  seen: message.seen,
  read: message.read,
  archived: message.archived ?? false,
  ...inboxDates(message),
  status: message.status,
  transactionId: message.transactionId,
  ...(Object.keys(message.payload).length === 0 ? {} : { payload: message.payload }),
  data: message.data,
  tags: message.tags,
  avatar: message.avatar,
  severity: message.severity ?? 'none',
  contextKeys: message.contextKeys,
  _id: message.id,
  createdAt: message.createdAt,
  updatedAt: message.updatedAt,
  __v: 0,
  id: message.id,
});
