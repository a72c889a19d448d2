// Marks a message as read, seen, unread or unseen with an API key. Each change also sets the dates of what it changes.
// In the inbox itself, marks follow other rules (change-inbox.ts).
import type { MarkState } from '../../service/schemas/vocabulary.ts';
import { type StoredMessage, updateMessage } from '../store/messages.ts';
import type { Scope } from '../store/scope.ts';

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
