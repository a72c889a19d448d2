// Notifications of a subscriber with an API key, since 3.15: what the inbox of the subscriber does, for any contexts.
import { buttonTypes } from '../../service/schemas/vocabulary.ts';
import type { Handlers } from '../api/handler.ts';
import { badRequest, checkFields } from '../http/http-error.ts';
import type { Scope } from '../store/scope.ts';
import { findSubscriber, type StoredSubscriber } from '../store/subscribers.ts';
import { changeAllHandlers } from './filters.ts';
import {
  changeButton,
  queryReaders as inboxReaders,
  notificationHandlers,
} from './notifications.ts';

interface AnyCall {
  path: { subscriberId: string; notificationId?: string };
  query?: { contextKeys?: string[] | undefined } | undefined;
  body?: object | undefined;
  scope: Scope;
}

/** The call of an inbox client. */
const ofInbox = ({ path: { subscriberId, notificationId = '' }, query, body, scope }: AnyCall) => ({
  path: { id: notificationId },
  query,
  body,
  scope,
  subscriber: requireInbox(scope, subscriberId),
  contextKeys: query?.contextKeys ?? (body as AnyCall['query'])?.contextKeys,
});

function requireInbox(scope: Scope, subscriberId: string): StoredSubscriber {
  const subscriber = findSubscriber(scope, subscriberId);
  if (subscriber) return subscriber;
  throw badRequest(`Subscriber with id: ${subscriberId} is not found.`);
}

// The handlers of inbox clients know no types of responses.
const inboxHandlers = { ...notificationHandlers, ...changeAllHandlers } as unknown as {
  [Id in keyof (typeof notificationHandlers & typeof changeAllHandlers)]: (call: object) => never;
};
const serve =
  (id: keyof typeof inboxHandlers) =>
  (call: AnyCall): never =>
    inboxHandlers[id](ofInbox(call));

function setAction(call: AnyCall & { path: { type: string } }, status: 'done' | 'pending'): never {
  const { type } = call.path;
  if (!(buttonTypes as readonly string[]).includes(type))
    checkFields(call.scope.dialect, 'UpdateNotificationActionCommand', {
      actionType: {
        messages: [`actionType must be one of the following values: ${buttonTypes.join(', ')}`],
        value: type,
      },
    });
  return changeButton(ofInbox(call), type as 'primary', status) as never;
}

export const keyHandlers = {
  listNotifications: serve('listInbox'),
  countNotifications({ path, query, scope }) {
    // The reader below has read the text.
    const { filters } = query as object as Parameters<
      typeof notificationHandlers.countInbox
    >[0]['query'];
    const call = { ...ofInbox({ path, scope }), query: { filters }, body: undefined };
    return notificationHandlers.countInbox(call).data;
  },
  readNotification: serve('read'),
  unreadNotification: serve('unread'),
  archiveNotification: serve('archive'),
  unarchiveNotification: serve('unarchive'),
  snoozeNotification: serve('snooze'),
  unsnoozeNotification: serve('unsnooze'),
  deleteNotification: serve('remove'),
  completeNotificationAction: (call) => setAction(call, 'done'),
  revertNotificationAction: (call) => setAction(call, 'pending'),
  seeNotifications: serve('seeAll'),
  readNotifications: serve('readAll'),
  archiveNotifications: serve('archiveAll'),
  archiveReadNotifications: serve('archiveAllRead'),
  deleteNotifications: serve('removeAll'),
} satisfies Partial<Handlers>;

/** Read a query before it is checked. */
export const keyReaders = { countNotifications: inboxReaders.countInbox };
