// Changes the state of messages in the inbox of their subscriber, by the rules of the service for inbox clients: each
// state implies others, and each change says what connected clients have to hear.

import type { MarkState } from '../../service/schemas/vocabulary.ts';
import { removeDueJob, setDueJob } from '../store/jobs.ts';
import {
  findMessage,
  removeMessage,
  type StoredMessage,
  updateMessage,
} from '../store/messages.ts';
import type { Scope } from '../store/scope.ts';

export type InboxState =
  | { archived: boolean }
  | { read: boolean }
  | { seen: true }
  /** ISO time, or null to show the message again. */
  | { snoozedUntil: string | null };

/** Returns the changed message. */
export function changeState(
  scope: Scope,
  message: StoredMessage,
  state: InboxState,
): StoredMessage {
  if ('snoozedUntil' in state) scheduleReturn(scope, message.id, state.snoozedUntil);
  reportChange(scope, message, 'seen' in state ? 'unseen' : 'unread');
  return updateMessage(scope, {
    ...message,
    firstSeenDate: message.firstSeenDate === undefined ? scope.now : message.firstSeenDate,
    seen: true,
    lastSeenDate: scope.now,
    ...impliedChanges(state, scope.now),
  });
}

function impliedChanges(state: InboxState, now: string): Partial<StoredMessage> {
  if ('archived' in state) {
    const { archived } = state;
    return { read: true, lastReadDate: now, archived, archivedAt: archived ? now : null };
  }
  if ('read' in state) {
    if (state.read) return { read: true, lastReadDate: now };
    return { read: false, lastReadDate: null, archived: false, archivedAt: null };
  }
  return 'seen' in state ? {} : { ...state, archived: false, archivedAt: null };
}

/** A snoozed message is due at its time, under its own id. */
function scheduleReturn(scope: Scope, id: string, until: string | null): void {
  if (until === null) removeDueJob(scope, id);
  else setDueJob(scope, id, Date.parse(until));
}

/** Shows a snoozed message again, as new. Does nothing if there is no such message. */
export function returnSnoozed(scope: Scope, id: string): void {
  const message = findMessage(scope, id);
  if (!message?.snoozedUntil) return;
  const { subscriber, contextKeys } = message;
  updateMessage(scope, {
    ...message,
    snoozedUntil: null,
    createdAt: scope.now,
    read: false,
    lastReadDate: null,
    deliveredAt: [...message.deliveredAt, scope.now],
  });
  reportReceived(scope, { id, subscriber, notification: { contextKeys } });
}

/** Completes or reverts the action of a button. A message that is not read yet is read then. */
export function changeAction(
  scope: Scope,
  message: StoredMessage,
  type: 'primary' | 'secondary',
  status: 'done' | 'pending',
): StoredMessage {
  const { action } = message.cta;
  const cta = {
    ...message.cta,
    action: { ...action, status, result: { ...action?.result, type } },
  };
  const { now } = scope;
  const dates = message.read
    ? {}
    : { seen: true, lastSeenDate: now, read: true, lastReadDate: now };
  return updateMessage(scope, { ...message, ...dates, cta });
}

export function deleteFromInbox(scope: Scope, message: StoredMessage): void {
  removeDueJob(scope, message.id);
  removeMessage(scope, message.id);
  reportChange(scope, message, 'unread');
}

export function reportChange(
  { inboxChanges, environmentId }: Scope,
  { subscriber, contextKeys }: Pick<StoredMessage, 'subscriber' | 'contextKeys'>,
  event: 'unread' | 'unseen',
): void {
  inboxChanges.add({ environmentId, subscriber, event, contextKeys });
}

export function reportReceived(
  { inboxChanges, environmentId }: Scope,
  {
    id,
    subscriber,
    notification: { contextKeys },
  }: { id: string; subscriber: string; notification: { contextKeys: readonly string[] } },
): void {
  inboxChanges.add({ environmentId, subscriber, event: 'received', message: id, contextKeys });
}

// Marks a message as read, seen, unread or unseen with an API key. Each change also sets the dates of what it changes.
// Inbox clients mark messages by the rules above.

/** `read` and `unread` also mark a message as seen; `unseen` does not change `read`. Returns the changed message. */
export const markMessage = (
  scope: Scope,
  message: StoredMessage,
  markAs: MarkState,
): StoredMessage => {
  const event = markAs === 'read' || markAs === 'unread' ? 'unread' : 'unseen';
  const { inboxChanges, environmentId } = scope;
  inboxChanges.add({ environmentId, subscriber: message.subscriber, event });
  return updateMessage(scope, { ...message, ...changes(markAs, scope.now) });
};

function changes(markAs: MarkState, now: string): Partial<StoredMessage> {
  switch (markAs) {
    case 'read':
      return { read: true, seen: true, lastReadDate: now, lastSeenDate: now };
    case 'unread':
      return { read: false, seen: true, lastReadDate: now, lastSeenDate: now };
    case 'seen':
      return { seen: true, lastSeenDate: now };
    case 'unseen':
      return { seen: false, lastSeenDate: now };
  }
}

/** Sets each mark that is given, and its date. */
export const setMarks = (
  scope: Scope,
  message: StoredMessage,
  { seen, read }: { seen?: boolean | undefined; read?: boolean | undefined },
): StoredMessage =>
  updateMessage(scope, {
    ...message,
    ...(seen === undefined ? {} : { seen, lastSeenDate: scope.now }),
    ...(read === undefined ? {} : { read, lastReadDate: scope.now }),
  });
