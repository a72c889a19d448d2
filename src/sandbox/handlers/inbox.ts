// The inbox of a subscriber: listing notifications and changing their state.

import { badRequest, notFound } from '../http/http-error.ts';
import { feedItem, messageAnswer } from '../serializers/message.ts';
import { inbox, type StoredMessage, updateMessage } from '../store/messages.ts';
import { findSubscriber } from '../store/subscribers.ts';
import type { Handler } from './handler.ts';

/** `totalCount` is no grand total: it counts up to the first item of the next page. */
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
  const wanted = payload === undefined ? undefined : partOf(payload);
  const start = page * limit;
  const atMost = start + limit + 1;
  const found = inbox(scope, subscriber.id, { read, seen, limit: wanted ? undefined : atMost })
    .filter((message) => wanted === undefined || contains(message.payload, wanted))
    .slice(0, atMost);
  const items = found.slice(start, start + limit);
  return {
    data: items.map((message) => feedItem(scope, message, subscriber)),
    totalCount: found.length,
    hasMore: found.length > start + limit,
    pageSize: items.length,
    page,
  };
};

/** The JSON object in a `payload` filter. */
function partOf(payload: string): Record<string, unknown> {
  const bad = badRequest(
    'Invalid payload encoding. Please provide a valid base64-encoded JSON object.',
  );
  try {
    const part: unknown = JSON.parse(Buffer.from(payload, 'base64').toString('utf8'));
    if (isObject(part)) return part;
  } catch {
    throw bad;
  }
  throw bad;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether everything in `part` is in `whole`, at any depth. Lists are compared whole. */
function contains(whole: unknown, part: unknown): boolean {
  if (!isObject(part)) return JSON.stringify(whole) === JSON.stringify(part);
  return (
    isObject(whole) &&
    Object.entries(part).every(
      ([name, value]) => Object.hasOwn(whole, name) && contains(whole[name], value),
    )
  );
}

/** Ids that are no message of the subscriber are passed over. */
export const markInboxNotifications: Handler<'markInboxNotifications'> = ({
  path: { subscriberId },
  body: { messageId, markAs },
  scope,
}) => {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) throw notFound(`Subscriber ${subscriberId} not found`);
  const asked = new Set([messageId].flat());
  return inbox(scope, subscriber.id, {})
    .filter(({ id }) => asked.has(id))
    .map((message) => updateMessage(scope, marked(message, markAs, scope.now)))
    .map((message) => messageAnswer(scope, message, subscriber));
};

type MarkAs = 'read' | 'seen' | 'unread' | 'unseen';

/** What is read was seen; what is marked unread counts as seen; unseen leaves read alone. */
function marked(message: StoredMessage, markAs: MarkAs, now: string): StoredMessage {
  switch (markAs) {
    case 'read':
      return { ...message, read: true, seen: true, lastReadDate: now, lastSeenDate: now };
    case 'unread':
      return { ...message, read: false, seen: true };
    case 'seen':
      return { ...message, seen: true, lastSeenDate: now };
    case 'unseen':
      return { ...message, seen: false };
  }
}
