// Changes all notifications of an inbox, or those with certain tags, data or ids.
import { changeAllBody, seenBody } from '../../service/schemas/inbox-client.ts';
import {
  changeState,
  deleteFromInbox,
  type InboxState,
  reportChange,
} from '../engine/change-inbox.ts';
import type { InboxFilter } from '../store/inbox.ts';
import { messagesOf, type StoredMessage } from '../store/messages.ts';
import { findMatches, readData, readTags } from './filters.ts';
import { sameContexts } from './notifications.ts';
import { type InboxCall, type InboxRoute, route } from './route.ts';

type Call = InboxCall<undefined, { tags?: string[] | undefined; data?: string | undefined }>;

const matchesOf = ({ scope, subscriber, contextKeys, body }: Call, filter: InboxFilter = {}) =>
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

const changes: readonly [verb: string, state: InboxState, filter?: InboxFilter][] = [
  ['read', { read: true }],
  ['archive', { archived: true }],
  ['read-archive', { archived: true }, { read: true }],
];

const changeRoutes: InboxRoute[] = changes.map(([verb, state, filter]) =>
  route({
    method: 'POST',
    path: `/notifications/${verb}`,
    body: changeAllBody,
    handle: (call) => changeEach(call, matchesOf(call, filter), state),
  }),
);

const seen = route({
  method: 'POST',
  path: '/notifications/seen',
  body: seenBody,
  handle(call) {
    const { notificationIds: ids } = call.body;
    // Like in the service, an empty list changes and reports nothing.
    if (ids?.length === 0) return;
    changeEach(call, ids ? ownMessages(call, ids) : matchesOf(call), { seen: true });
  },
});

const ownMessages = ({ scope, subscriber, contextKeys }: Call, ids: readonly string[]) =>
  messagesOf(scope, subscriber.id, ids).filter(
    (message) => message.channel === 'in_app' && sameContexts(message.contextKeys, contextKeys),
  );

/** Messages of other channels stay: they were captured, and are not part of the inbox. */
const removeAll = route({
  method: 'POST',
  path: '/notifications/delete',
  body: changeAllBody,
  handle(call) {
    const { scope, subscriber, contextKeys } = call;
    for (const message of matchesOf(call)) deleteFromInbox(scope, message);
    reportChange(scope, { subscriber: subscriber.id, contextKeys }, 'unread');
  },
});

export const changeAllRoutes: readonly InboxRoute[] = [...changeRoutes, seen, removeAll];
