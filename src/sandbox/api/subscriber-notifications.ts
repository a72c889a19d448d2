// Notifications of a subscriber with an API key, since 3.15: what the inbox of the subscriber does, for any contexts.
import { buttonTypes } from '../../service/schemas/vocabulary.ts';
import { badRequest, checkFields } from '../http/http-error.ts';
import { changeAllHandlers } from '../inbox/filters.ts';
import {
  changeButton,
  queryReaders as inboxReaders,
  notificationHandlers,
} from '../inbox/notifications.ts';
import type { Scope } from '../store/scope.ts';
import { findSubscriber, type StoredSubscriber } from '../store/subscribers.ts';
import type { Handler } from './handler.ts';

function requireInbox(scope: Scope, subscriberId: string): StoredSubscriber {
  const subscriber = findSubscriber(scope, subscriberId);
  if (subscriber) return subscriber;
  throw badRequest(`Subscriber with id: ${subscriberId} is not found.`);
}

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

// The handlers of inbox clients know no types of responses.
const inboxHandlers = { ...notificationHandlers, ...changeAllHandlers } as unknown as {
  [Id in keyof (typeof notificationHandlers & typeof changeAllHandlers)]: (call: object) => never;
};
const serve =
  (id: keyof typeof inboxHandlers) =>
  (call: AnyCall): never =>
    inboxHandlers[id](ofInbox(call));

export const listNotifications: Handler<'listNotifications'> = serve('listInbox');
export const readNotification: Handler<'readNotification'> = serve('read');
export const unreadNotification: Handler<'unreadNotification'> = serve('unread');
export const archiveNotification: Handler<'archiveNotification'> = serve('archive');
export const unarchiveNotification: Handler<'unarchiveNotification'> = serve('unarchive');
export const snoozeNotification: Handler<'snoozeNotification'> = serve('snooze');
export const unsnoozeNotification: Handler<'unsnoozeNotification'> = serve('unsnooze');
export const deleteNotification: Handler<'deleteNotification'> = serve('remove');
export const seeNotifications: Handler<'seeNotifications'> = serve('seeAll');
export const readNotifications: Handler<'readNotifications'> = serve('readAll');
export const archiveNotifications: Handler<'archiveNotifications'> = serve('archiveAll');
export const archiveReadNotifications: Handler<'archiveReadNotifications'> =
  serve('archiveAllRead');
export const deleteNotifications: Handler<'deleteNotifications'> = serve('removeAll');

export const countNotifications: Handler<'countNotifications'> = ({ path, query, scope }) => {
  const { filters } = query as object as Parameters<
    typeof notificationHandlers.countInbox
  >[0]['query'];
  const call = { ...ofInbox({ path, scope }), query: { filters }, body: undefined };
  return notificationHandlers.countInbox(call).data;
};

/** Read a query before it is checked. */
export const queryReaders = { countNotifications: inboxReaders.countInbox };

function setAction(call: AnyCall & { path: { type: string } }, status: 'done' | 'pending'): never {
  const { type } = call.path;
  if (!isButton(type))
    checkFields(call.scope.dialect, 'UpdateNotificationActionCommand', {
      actionType: {
        messages: [`actionType must be one of the following values: ${buttonTypes.join(', ')}`],
        value: type,
      },
    });
  return changeButton(ofInbox(call), type as 'primary', status) as never;
}

const isButton = (type: string) => (buttonTypes as readonly string[]).includes(type);

export const completeNotificationAction: Handler<'completeNotificationAction'> = (call) =>
  setAction(call, 'done');
export const revertNotificationAction: Handler<'revertNotificationAction'> = (call) =>
  setAction(call, 'pending');
