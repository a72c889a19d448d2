// The inbox of a subscriber: lists notifications and changes their state.
import { isObject } from '../../core/objects.ts';
import type { FeedItem } from '../../service/schemas/inbox.ts';
import type { Message } from '../../service/schemas/message.ts';
import { markMessage, setMarks } from '../engine/change-inbox.ts';
import { badRequest, notFound } from '../http/http-error.ts';
import { inbox } from '../store/inbox.ts';
import {
  findMessage,
  listMessagesById,
  type StoredMessage,
  updateMessage,
} from '../store/messages.ts';
import type { Scope } from '../store/scope.ts';
import { findSubscriber, type StoredSubscriber } from '../store/subscribers.ts';
import type { Handler } from './handler.ts';
import { inAppParts, inboxDates, serializeCta, stepIdOf } from './messages.ts';
import { requireObjectId } from './parameters.ts';
import { pickProfileFields } from './subscribers.ts';

const filters: Record<string, { read?: boolean; seen?: boolean }> = {
  read: { read: false },
  unread: { read: true },
  seen: { seen: false },
  unseen: { seen: true },
};

/** Like in the service, `totalCount` is the number of items of the page. */
export const listInboxNotifications: Handler<'listInboxNotifications'> = ({
  path: { subscriberId },
  query: { page = 0, limit = 10, read, seen, payload },
  scope,
}) => {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) {
    throw badRequest(
      `Subscriber not found for this environment with the id: ${subscriberId}. Make sure to create a subscriber before fetching the feed.`,
    );
  }
  const filter = payload === undefined ? undefined : decodePayloadFilter(payload);
  const start = page * limit;
  const end = start + limit + 1;
  const matches = inbox(scope, subscriber.id, { read, seen, limit: filter ? undefined : end })
    .filter((message) => filter === undefined || containsProperties(message.payload, filter))
    .slice(0, end);
  const items = matches.slice(start, start + limit);
  return {
    data: items.map((message) => serializeFeedItem(scope, message, subscriber)),
    totalCount: items.length,
    hasMore: matches.length > start + limit,
    pageSize: scope.dialect.isPageSizeLimit ? limit : items.length,
    page,
  };
};

/** A `payload` filter is a base64-encoded JSON object. */
function decodePayloadFilter(payload: string): Record<string, unknown> {
  const error = badRequest('Invalid payload, the JSON object should be encoded to base64 string.');
  try {
    const filter: unknown = JSON.parse(Buffer.from(payload, 'base64').toString('utf8'));
    if (isObject(filter)) return filter;
  } catch {
    throw error;
  }
  throw error;
}

/** Whether `whole` has all properties of `part`, at any depth. Other values, such as arrays, must be equal. */
function containsProperties(whole: unknown, part: unknown): boolean {
  if (!isObject(part)) return JSON.stringify(whole) === JSON.stringify(part);
  return (
    isObject(whole) &&
    Object.entries(part).every(
      ([name, value]) => Object.hasOwn(whole, name) && containsProperties(whole[name], value),
    )
  );
}

/** Marks messages of any channel. Ignores ids that do not belong to a message of the subscriber. */
export const markInboxNotifications: Handler<'markInboxNotifications'> = ({
  path: { subscriberId },
  body: { messageId, markAs },
  scope,
}) =>
  changeMessages(scope, subscriberId, messageId, (message) => markMessage(scope, message, markAs));

function changeMessages(
  scope: Scope,
  subscriberId: string,
  ids: string | string[],
  change: (message: StoredMessage) => StoredMessage,
) {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) throw notFound(`Subscriber ${subscriberId} not found`);
  return listMessagesById(scope, subscriber.id, [ids].flat()).map((message) =>
    serializeMessage(scope, change(message)),
  );
}

/** Sets `read` and `seen` as given: they do not change each other. */
export const markMessagesV1: Handler<'markMessagesV1'> = ({
  path: { subscriberId },
  body: { messageId, mark },
  scope,
}) => changeMessages(scope, subscriberId, messageId, (message) => setMarks(scope, message, mark));

/** The type of the button is not checked. */
export const setNotificationAction: Handler<'setNotificationAction'> = ({
  path: { subscriberId, messageId, type },
  body: { status, payload },
  scope,
}) => {
  requireObjectId(scope, 'MarkMessageAsCommand', 'messageId', messageId);
  const message = findMessage(scope, messageId);
  if (!message) throw notFound(`Message ${messageId} not found`);
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) {
    throw badRequest(
      `Subscriber with the id: ${subscriberId} was not found for this environment. Make sure to create a subscriber before trying to modify it.`,
    );
  }
  if (message.subscriber !== subscriber.id) {
    throw badRequest(
      `Message with the id: ${messageId} was not found for this environment. Make sure to address correct message before trying to modify it.`,
    );
  }
  const { action } = message.cta;
  const result = { ...action?.result, type, ...(payload ? { payload } : {}) };
  const cta = { ...message.cta, action: { ...action, status, result } };
  return serializeMessage(scope, updateMessage(scope, { ...message, cta }));
};

/** Counts up to the limit. */
export const countInboxNotifications: Handler<'countInboxNotifications'> = ({
  path: { subscriberId },
  query: { seen = false, limit = 100 },
  scope,
}) => {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) {
    throw badRequest(
      `Subscriber ${subscriberId} is not exist in environment ${scope.environmentId}, please provide a valid subscriber identifier`,
    );
  }
  // The service fails with 500 for another text.
  if (typeof seen !== 'boolean') throw badRequest('seen must be true or false');
  return { count: inbox(scope, subscriber.id, { seen, limit }).length };
};

/** Returns the number of changed notifications; an unknown state counts all of them and changes none. */
export const markAllInboxNotifications: Handler<'markAllInboxNotifications'> = ({
  path: { subscriberId },
  body: { markAs, feedIdentifier },
  scope,
}) => {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) {
    throw notFound(
      `Subscriber ${subscriberId} does not exist in environment ${scope.environmentId}, please provide a valid subscriber identifier`,
    );
  }
  // The sandbox has no feeds.
  if (feedIdentifier !== undefined) return 0;
  const filter = filters[markAs as string] ?? {};
  const messages = inbox(scope, subscriber.id, filter);
  if (!(markAs in filters)) return messages.length;
  for (const message of messages) markMessage(scope, message, markAs);
  return messages.length;
};

// Serializes in-app messages: for the inbox listing, and for the response to a state change.

const sharedFields = ({ environmentId, organizationId }: Scope, message: StoredMessage) => ({
  _id: message.id,
  _templateId: message.workflow,
  _environmentId: environmentId,
  _messageTemplateId: message.messageTemplateId,
  _organizationId: organizationId,
  _notificationId: message.notification,
  _subscriberId: message.subscriber,
  ...inAppParts(message),
  createdAt: message.createdAt,
  transactionId: message.transactionId,
  templateIdentifier: message.templateIdentifier,
  providerId: message.providerId,
  content: message.content,
  ...(message.subject === undefined ? {} : { subject: message.subject }),
  channel: message.channel,
  read: message.read,
  seen: message.seen,
  cta: serializeCta(message),
  status: message.status,
});

const otherFields = (message: StoredMessage) => ({ deviceTokens: [], ...inboxDates(message) });

function serializeFeedItem(
  scope: Scope,
  message: StoredMessage,
  subscriber: StoredSubscriber,
): FeedItem {
  const { avatar, data, payload } = message;
  return {
    ...sharedFields(scope, message),
    _jobId: message.job,
    updatedAt: message.updatedAt,
    tags: message.tags,
    subscriber: {
      _id: subscriber.id,
      ...pickProfileFields(subscriber, ['firstName', 'lastName', 'avatar']),
      subscriberId: subscriber.subscriberId,
      id: subscriber.id,
    },
    ...feedFields(message),
    ...stepIdOf(scope.dialect, message),
    ...payloadFields(payload),
    ...(avatar === undefined ? {} : avatarFields(scope, avatar)),
    ...(data === undefined ? {} : { data }),
  };
}

/** In the specification, the avatar belongs to an actor. */
const avatarFields = ({ dialect }: Scope, avatar: string) =>
  dialect.hasRequiredMembers
    ? { avatar, actor: { type: 'system_custom' as const, data: avatar } }
    : { avatar };

const feedFields = (message: StoredMessage) => ({
  ...otherFields(message),
  archived: message.archived ?? false,
  severity: message.severity ?? 'none',
  contextKeys: message.contextKeys,
  __v: 0,
  id: message.id,
  template: { _id: message.workflow, tags: message.tags, id: message.workflow },
  actorSubscriber: null,
});

/** The service leaves out an empty payload. */
const payloadFields = (payload: Record<string, unknown>) =>
  Object.keys(payload).length === 0 ? {} : { payload };

/** The service sends neither the subscriber nor the overrides. */
const serializeMessage = (scope: Scope, message: StoredMessage): Message =>
  ({
    ...sharedFields(scope, message),
    ...payloadFields(message.payload),
    ...otherFields(message),
  }) as Message;
