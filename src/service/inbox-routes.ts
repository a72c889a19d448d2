// The routes of inbox clients, each for the session of one subscriber. A fixed word stands before a parameter in the same
// place, because the first match counts.
import type { z } from 'zod';
import {
  buttonBody,
  changeAllBody,
  changeManyPreferencesBody,
  changePreferencesBody,
  inboxPreferencesQuery,
  notificationCountQuery,
  notificationsQuery,
  seenBody,
  snoozeBody,
} from './schemas/inbox-client.ts';

export interface InboxRoute {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to /v1/inbox. */
  path: string;
  query?: z.ZodObject;
  body?: z.ZodObject;
}

export const inboxRoutes = {
  listNotifications: { method: 'GET', path: '/notifications', query: notificationsQuery },
  countNotifications: {
    method: 'GET',
    path: '/notifications/count',
    query: notificationCountQuery,
  },
  read: { method: 'PATCH', path: '/notifications/{id}/read' },
  unread: { method: 'PATCH', path: '/notifications/{id}/unread' },
  archive: { method: 'PATCH', path: '/notifications/{id}/archive' },
  unarchive: { method: 'PATCH', path: '/notifications/{id}/unarchive' },
  snooze: { method: 'PATCH', path: '/notifications/{id}/snooze', body: snoozeBody },
  unsnooze: { method: 'PATCH', path: '/notifications/{id}/unsnooze' },
  remove: { method: 'DELETE', path: '/notifications/{id}/delete' },
  completeAction: { method: 'PATCH', path: '/notifications/{id}/complete', body: buttonBody },
  revertAction: { method: 'PATCH', path: '/notifications/{id}/revert', body: buttonBody },
  readAll: { method: 'POST', path: '/notifications/read', body: changeAllBody },
  archiveAll: { method: 'POST', path: '/notifications/archive', body: changeAllBody },
  archiveAllRead: { method: 'POST', path: '/notifications/read-archive', body: changeAllBody },
  seeAll: { method: 'POST', path: '/notifications/seen', body: seenBody },
  removeAll: { method: 'POST', path: '/notifications/delete', body: changeAllBody },
  listPreferences: { method: 'GET', path: '/preferences', query: inboxPreferencesQuery },
  getGlobalPreference: { method: 'GET', path: '/preferences/global' },
  changeGlobalPreference: { method: 'PATCH', path: '/preferences', body: changePreferencesBody },
  changePreferences: {
    method: 'PATCH',
    path: '/preferences/bulk',
    body: changeManyPreferencesBody,
  },
  changePreference: { method: 'PATCH', path: '/preferences/{id}', body: changePreferencesBody },
} as const satisfies Record<string, InboxRoute>;

export type InboxRouteId = keyof typeof inboxRoutes;
