// The operations of inbox clients (@novu/js), each for the session of one subscriber. svc itself does not call them. A
// path with a fixed word stands before one with a parameter in the same place, because the first match counts.
import { schemasIn, serviceOperation } from '../operation.ts';

const load = schemasIn(() => import('../schemas/inbox-client.ts'));

const section = 'Inbox clients';
const get = { method: 'GET', section, auth: 'session' } as const;
const patch = { method: 'PATCH', section, auth: 'session' } as const;
/** Changes many notifications. */
const post = { method: 'POST', section, auth: 'session', success: 204 } as const;
/** Changes a notification, which the path names. */
const change = { ...patch, schemas: load((s) => ({ response: s.anything })) } as const;
const changeAll = {
  ...post,
  schemas: load((s) => ({ body: s.changeAllBody, response: s.nothing })),
} as const;
const button = {
  ...patch,
  schemas: load((s) => ({ body: s.buttonBody, response: s.anything })),
} as const;

const notifications = '/v1/inbox/notifications';
const notification = `${notifications}/{id}` as const;
const preferences = '/v1/inbox/preferences';

export const inboxClient = {
  openSession: serviceOperation({
    method: 'POST',
    path: '/v1/inbox/session',
    summary: 'Open the session of a subscriber',
    section,
    auth: 'none',
    success: 201,
    schemas: load((s) => ({ body: s.sessionBody, response: s.anything })),
  }),
  listInbox: serviceOperation({
    ...get,
    path: notifications,
    summary: 'List notifications',
    schemas: load((s) => ({ query: s.notificationsQuery, response: s.anything })),
  }),
  countInbox: serviceOperation({
    ...get,
    path: `${notifications}/count`,
    summary: 'Count notifications by each of several filters',
    schemas: load((s) => ({ query: s.notificationCountQuery, response: s.anything })),
  }),
  read: serviceOperation({ ...change, path: `${notification}/read`, summary: 'Mark as read' }),
  unread: serviceOperation({
    ...change,
    path: `${notification}/unread`,
    summary: 'Mark as unread',
  }),
  archive: serviceOperation({ ...change, path: `${notification}/archive`, summary: 'Archive' }),
  unarchive: serviceOperation({
    ...change,
    path: `${notification}/unarchive`,
    summary: 'Take out of the archive',
  }),
  snooze: serviceOperation({
    ...patch,
    path: `${notification}/snooze`,
    summary: 'Hide until a time',
    schemas: load((s) => ({ body: s.snoozeBody, response: s.anything })),
  }),
  unsnooze: serviceOperation({
    ...change,
    path: `${notification}/unsnooze`,
    summary: 'Show a snoozed notification again',
  }),
  remove: serviceOperation({
    method: 'DELETE',
    section,
    auth: 'session',
    success: 204,
    path: `${notification}/delete`,
    summary: 'Delete a notification',
    schemas: load((s) => ({ response: s.nothing })),
  }),
  completeAction: serviceOperation({
    ...button,
    path: `${notification}/complete`,
    summary: 'Mark the action of a button as done',
  }),
  revertAction: serviceOperation({
    ...button,
    path: `${notification}/revert`,
    summary: 'Mark the action of a button as pending',
  }),
  readAll: serviceOperation({
    ...changeAll,
    path: `${notifications}/read`,
    summary: 'Mark matching notifications as read',
  }),
  archiveAll: serviceOperation({
    ...changeAll,
    path: `${notifications}/archive`,
    summary: 'Archive matching notifications',
  }),
  archiveAllRead: serviceOperation({
    ...changeAll,
    path: `${notifications}/read-archive`,
    summary: 'Archive matching notifications that are read',
  }),
  seeAll: serviceOperation({
    ...post,
    path: `${notifications}/seen`,
    summary: 'Mark matching notifications as seen',
    schemas: load((s) => ({ body: s.seenBody, response: s.nothing })),
  }),
  removeAll: serviceOperation({
    ...changeAll,
    path: `${notifications}/delete`,
    summary: 'Delete matching notifications',
  }),
  listPreferences: serviceOperation({
    ...get,
    path: preferences,
    summary: 'List preferences',
    schemas: load((s) => ({ query: s.inboxPreferencesQuery, response: s.anything })),
  }),
  getGlobalPreference: serviceOperation({
    ...get,
    path: `${preferences}/global`,
    summary: 'Show the preferences for all workflows',
    schemas: load((s) => ({ response: s.anything })),
  }),
  changeGlobalPreference: serviceOperation({
    ...patch,
    path: preferences,
    summary: 'Change the preferences for all workflows',
    schemas: load((s) => ({ body: s.changePreferencesBody, response: s.anything })),
  }),
  changePreferences: serviceOperation({
    ...patch,
    path: `${preferences}/bulk`,
    summary: 'Change the preferences for several workflows',
    schemas: load((s) => ({ body: s.changeManyPreferencesBody, response: s.anything })),
  }),
  changePreference: serviceOperation({
    ...patch,
    path: `${preferences}/{id}`,
    summary: 'Change the preferences for a workflow',
    schemas: load((s) => ({ body: s.changePreferencesBody, response: s.anything })),
  }),
} as const;

export type InboxOperations = typeof inboxClient;
export type InboxId = keyof InboxOperations;
