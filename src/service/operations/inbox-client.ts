// The operations of inbox clients (@novu/js), each for the session of one subscriber. svc itself does not call them. A
// path with a fixed word stands before one with a parameter in the same place, because the first match counts.
import { schemasIn, serviceOperation } from '../operation.ts';

const load = schemasIn(() => import('../schemas/inbox-client.ts'));

const section = 'Inbox clients';
const inSession = { section, auth: 'session' } as const;
/** Responds without a body. */
const silent = { ...inSession, success: 204 } as const;
/** Changes a notification, which the path names. */
const change = { ...inSession, schemas: load((s) => ({ response: s.anything })) } as const;
const changeAll = {
  ...silent,
  schemas: load((s) => ({ body: s.changeAllBody, response: s.nothing })),
} as const;
const button = {
  ...inSession,
  schemas: load((s) => ({ body: s.buttonBody, response: s.anything })),
} as const;

const notifications = '/v1/inbox/notifications';
const notification = `${notifications}/{id}` as const;
const preferences = '/v1/inbox/preferences';

export const inboxClient = {
  openSession: serviceOperation({
    route: 'POST /v1/inbox/session',
    summary: 'Open the session of a subscriber',
    section,
    auth: 'none',
    success: 201,
    schemas: load((s) => ({ body: s.sessionBody, response: s.anything })),
  }),
  listInbox: serviceOperation({
    ...inSession,
    route: `GET ${notifications}`,
    summary: 'List notifications',
    schemas: load((s) => ({ query: s.notificationsQuery, response: s.anything })),
  }),
  countInbox: serviceOperation({
    ...inSession,
    route: `GET ${notifications}/count`,
    summary: 'Count notifications by each of several filters',
    schemas: load((s) => ({ query: s.notificationCountQuery, response: s.anything })),
  }),
  read: serviceOperation({
    ...change,
    route: `PATCH ${notification}/read`,
    summary: 'Mark as read',
  }),
  unread: serviceOperation({
    ...change,
    route: `PATCH ${notification}/unread`,
    summary: 'Mark as unread',
  }),
  archive: serviceOperation({
    ...change,
    route: `PATCH ${notification}/archive`,
    summary: 'Archive',
  }),
  unarchive: serviceOperation({
    ...change,
    route: `PATCH ${notification}/unarchive`,
    summary: 'Take out of the archive',
  }),
  snooze: serviceOperation({
    ...inSession,
    route: `PATCH ${notification}/snooze`,
    summary: 'Hide until a time',
    schemas: load((s) => ({ body: s.snoozeBody, response: s.anything })),
  }),
  unsnooze: serviceOperation({
    ...change,
    route: `PATCH ${notification}/unsnooze`,
    summary: 'Show a snoozed notification again',
  }),
  remove: serviceOperation({
    ...silent,
    route: `DELETE ${notification}/delete`,
    summary: 'Delete a notification',
    schemas: load((s) => ({ response: s.nothing })),
  }),
  completeAction: serviceOperation({
    ...button,
    route: `PATCH ${notification}/complete`,
    summary: 'Mark the action of a button as done',
  }),
  revertAction: serviceOperation({
    ...button,
    route: `PATCH ${notification}/revert`,
    summary: 'Mark the action of a button as pending',
  }),
  readAll: serviceOperation({
    ...changeAll,
    route: `POST ${notifications}/read`,
    summary: 'Mark matching notifications as read',
  }),
  archiveAll: serviceOperation({
    ...changeAll,
    route: `POST ${notifications}/archive`,
    summary: 'Archive matching notifications',
  }),
  archiveAllRead: serviceOperation({
    ...changeAll,
    route: `POST ${notifications}/read-archive`,
    summary: 'Archive matching notifications that are read',
  }),
  seeAll: serviceOperation({
    ...silent,
    route: `POST ${notifications}/seen`,
    summary: 'Mark matching notifications as seen',
    schemas: load((s) => ({ body: s.seenBody, response: s.nothing })),
  }),
  removeAll: serviceOperation({
    ...changeAll,
    route: `POST ${notifications}/delete`,
    summary: 'Delete matching notifications',
  }),
  listPreferences: serviceOperation({
    ...inSession,
    route: `GET ${preferences}`,
    summary: 'List preferences',
    schemas: load((s) => ({ query: s.inboxPreferencesQuery, response: s.anything })),
  }),
  getGlobalPreference: serviceOperation({
    ...inSession,
    route: `GET ${preferences}/global`,
    summary: 'Show the preferences for all workflows',
    schemas: load((s) => ({ response: s.anything })),
  }),
  changeGlobalPreference: serviceOperation({
    ...inSession,
    route: `PATCH ${preferences}`,
    summary: 'Change the preferences for all workflows',
    schemas: load((s) => ({ body: s.changePreferencesBody, response: s.anything })),
  }),
  changePreferences: serviceOperation({
    ...inSession,
    route: `PATCH ${preferences}/bulk`,
    summary: 'Change the preferences for several workflows',
    schemas: load((s) => ({ body: s.changeManyPreferencesBody, response: s.anything })),
  }),
  changePreference: serviceOperation({
    ...inSession,
    route: `PATCH ${preferences}/{id}`,
    summary: 'Change the preferences for a workflow',
    schemas: load((s) => ({ body: s.changePreferencesBody, response: s.anything })),
  }),
} as const;

export type InboxOperations = typeof inboxClient;
export type InboxId = keyof InboxOperations;
