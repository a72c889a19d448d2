// Changes all notifications of an inbox, or those with certain tags, data or ids.
import {
  changeState,
  deleteFromInbox,
  type InboxState,
  reportChange,
} from '../engine/change-inbox.ts';
import type { InboxFilter } from '../store/inbox.ts';
import { listMessagesById, type StoredMessage } from '../store/messages.ts';
import type { InboxCall, InboxHandlers } from './call.ts';
import { findMatches, readData, readTags } from './filters.ts';
import { sameContexts } from './notifications.ts';

type Call = InboxCall<undefined, { tags?: string[] | undefined; data?: string | undefined }>;

const findMatching = ({ scope, subscriber, contextKeys, body }: Call, filter: InboxFilter = {}) =>
  findMatches(
    scope,
    subscriber.id,
    { ...filter, contextKeys, tags: readTags(body.tags) },
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
  reportChange(scope, { subscriber: subscriber.id, contextKeys }, event);
}

const ownMessages = ({ scope, subscriber, contextKeys }: Call, ids: readonly string[]) =>
  listMessagesById(scope, subscriber.id, ids).filter(
    (message) => message.channel === 'in_app' && sameContexts(message.contextKeys, contextKeys),
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
  /** Messages of other channels stay: they were captured, and are not part of the inbox. */
  removeAll(call) {
    const { scope, subscriber, contextKeys } = call;
    for (const message of findMatching(call)) deleteFromInbox(scope, message);
    reportChange(scope, { subscriber: subscriber.id, contextKeys }, 'unread');
  },
} satisfies Partial<InboxHandlers>;
