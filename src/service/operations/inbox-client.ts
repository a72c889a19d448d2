// The operations of inbox clients (@novu/js), each for the session of one subscriber. svc itself does not call them. A
// path with a fixed word stands before one with a parameter in the same place, because the first match counts.
import { operationsWith, schemasIn } from '../operation.ts';

const load = schemasIn(() => import('../schemas/inbox-client.ts'));

const { serviceOperation } = operationsWith({ section: 'Inbox clients', auth: 'session' });

/** Changes a notification, which the path names. */
const change = { schemas: load((s) => ({ response: s.anything })) };
/** Changes many notifications. */
const changeAll = {
  success: 204,
  schemas: load((s) => ({ body: s.changeAllBody, response: s.nothing })),
} as const;
const button = { schemas: load((s) => ({ body: s.buttonBody, response: s.anything })) };

export const inboxClient = {
  openSession: serviceOperation('POST /v1/inbox/session', {
    summary: 'Open the session of a subscriber',
    auth: 'none',
    schemas: load((s) => ({ body: s.sessionBody, response: s.anything })),
  }),
  listInbox: serviceOperation('GET /v1/inbox/notifications', {
    summary: 'List notifications',
    schemas: load((s) => ({ query: s.notificationsQuery, response: s.anything })),
  }),
  countInbox: serviceOperation('GET /v1/inbox/notifications/count', {
    summary: 'Count notifications by each of several filters',
    schemas: load((s) => ({ query: s.notificationCountQuery, response: s.anything })),
  }),
  read: serviceOperation('PATCH /v1/inbox/notifications/{id}/read', {
    ...change,
    summary: 'Mark as read',
  }),
  unread: serviceOperation('PATCH /v1/inbox/notifications/{id}/unread', {
    ...change,
    summary: 'Mark as unread',
  }),
  archive: serviceOperation('PATCH /v1/inbox/notifications/{id}/archive', {
    ...change,
    summary: 'Archive',
  }),
  unarchive: serviceOperation('PATCH /v1/inbox/notifications/{id}/unarchive', {
    ...change,
    summary: 'Take out of the archive',
  }),
  snooze: serviceOperation('PATCH /v1/inbox/notifications/{id}/snooze', {
    summary: 'Hide until a time',
    schemas: load((s) => ({ body: s.snoozeBody, response: s.anything })),
  }),
  unsnooze: serviceOperation('PATCH /v1/inbox/notifications/{id}/unsnooze', {
    ...change,
    summary: 'Show a snoozed notification again',
  }),
  remove: serviceOperation('DELETE /v1/inbox/notifications/{id}/delete', {
    success: 204,
    summary: 'Delete a notification',
    schemas: load((s) => ({ response: s.nothing })),
  }),
  completeAction: serviceOperation('PATCH /v1/inbox/notifications/{id}/complete', {
    ...button,
    summary: 'Mark the action of a button as done',
  }),
  revertAction: serviceOperation('PATCH /v1/inbox/notifications/{id}/revert', {
    ...button,
    summary: 'Mark the action of a button as pending',
  }),
  readAll: serviceOperation('POST /v1/inbox/notifications/read', {
    ...changeAll,
    summary: 'Mark matching notifications as read',
  }),
  archiveAll: serviceOperation('POST /v1/inbox/notifications/archive', {
    ...changeAll,
    summary: 'Archive matching notifications',
  }),
  archiveAllRead: serviceOperation('POST /v1/inbox/notifications/read-archive', {
    ...changeAll,
    summary: 'Archive matching notifications that are read',
  }),
  seeAll: serviceOperation('POST /v1/inbox/notifications/seen', {
    success: 204,
    summary: 'Mark matching notifications as seen',
    schemas: load((s) => ({ body: s.seenBody, response: s.nothing })),
  }),
  removeAll: serviceOperation('POST /v1/inbox/notifications/delete', {
    ...changeAll,
    summary: 'Delete matching notifications',
  }),
  listPreferences: serviceOperation('GET /v1/inbox/preferences', {
    summary: 'List preferences',
    schemas: load((s) => ({ query: s.inboxPreferencesQuery, response: s.anything })),
  }),
  getGlobalPreference: serviceOperation('GET /v1/inbox/preferences/global', {
    summary: 'Show the preferences for all workflows',
    schemas: load((s) => ({ response: s.anything })),
  }),
  changeGlobalPreference: serviceOperation('PATCH /v1/inbox/preferences', {
    summary: 'Change the preferences for all workflows',
    schemas: load((s) => ({ body: s.changePreferencesBody, response: s.anything })),
  }),
  changePreferences: serviceOperation('PATCH /v1/inbox/preferences/bulk', {
    summary: 'Change the preferences for several workflows',
    schemas: load((s) => ({ body: s.changeManyPreferencesBody, response: s.anything })),
  }),
  changePreference: serviceOperation('PATCH /v1/inbox/preferences/{id}', {
    summary: 'Change the preferences for a workflow',
    schemas: load((s) => ({ body: s.changePreferencesBody, response: s.anything })),
  }),
} as const;

export type InboxOperations = typeof inboxClient;
export type InboxId = keyof InboxOperations;
