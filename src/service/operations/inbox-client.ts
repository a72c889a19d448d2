// The operations of inbox clients (@novu/js), each for the session of one subscriber. svc itself does not call them. A
// path with a fixed word stands before one with a parameter in the same place, because the first match counts.
import { operationsWith, schemasIn } from '../operation.ts';

const load = schemasIn(() => import('../schemas/inbox-client.ts'));

const { serviceOperation, operationSince } = operationsWith({
  section: 'Inbox clients',
  auth: 'session',
});
const since313 = operationSince('3.13');
const since317 = operationSince('3.17');

/** The path says everything. */
const bare = { schemas: load((s) => ({ response: s.anything })) };
/** Changes many notifications. */
const changeAll = {
  success: 204,
  schemas: load((s) => ({ body: s.changeAllBody, response: s.nothing })),
} as const;
const deletion = { success: 204, schemas: load((s) => ({ response: s.nothing })) } as const;
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
    ...bare,
    summary: 'Mark as read',
  }),
  unread: serviceOperation('PATCH /v1/inbox/notifications/{id}/unread', {
    ...bare,
    summary: 'Mark as unread',
  }),
  archive: serviceOperation('PATCH /v1/inbox/notifications/{id}/archive', {
    ...bare,
    summary: 'Archive',
  }),
  unarchive: serviceOperation('PATCH /v1/inbox/notifications/{id}/unarchive', {
    ...bare,
    summary: 'Take out of the archive',
  }),
  snooze: serviceOperation('PATCH /v1/inbox/notifications/{id}/snooze', {
    summary: 'Hide until a time',
    schemas: load((s) => ({ body: s.snoozeBody, response: s.anything })),
  }),
  unsnooze: serviceOperation('PATCH /v1/inbox/notifications/{id}/unsnooze', {
    ...bare,
    summary: 'Show a snoozed notification again',
  }),
  remove: serviceOperation('DELETE /v1/inbox/notifications/{id}/delete', {
    ...deletion,
    summary: 'Delete a notification',
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
  listOwnSubscriptions: since313('GET /v1/inbox/topics/{topicKey}/subscriptions', {
    ...bare,
    summary: 'List the subscriptions to a topic',
  }),
  createOwnSubscription: since313('POST /v1/inbox/topics/{topicKey}/subscriptions', {
    summary: 'Subscribe to a topic',
    schemas: load((s) => ({ body: s.ownSubscriptionBody, response: s.anything })),
  }),
  getOwnSubscription: since313('GET /v1/inbox/topics/{topicKey}/subscriptions/{identifier}', {
    summary: 'Show a subscription',
    schemas: load((s) => ({ query: s.ownSubscriptionQuery, response: s.anything })),
  }),
  updateOwnSubscription: since313('PATCH /v1/inbox/topics/{topicKey}/subscriptions/{identifier}', {
    summary: 'Change a subscription',
    schemas: load((s) => ({ body: s.updateOwnSubscriptionBody, response: s.anything })),
  }),
  deleteOwnSubscription: since313('DELETE /v1/inbox/topics/{topicKey}/subscriptions/{identifier}', {
    ...bare,
    summary: 'Delete a subscription',
  }),
  changeOwnChoice: since313('PATCH /v1/inbox/subscriptions/{identifier}/preferences/{workflowId}', {
    summary: 'Change whether a workflow reaches the subscriber through a subscription',
    schemas: load((s) => ({ body: s.changePreferencesBody, response: s.anything })),
  }),
  listOwnConnections: since317('GET /v1/inbox/channel-connections', {
    summary: 'List the connections to channels',
    schemas: load((s) => ({ query: s.listConnectionsQuery, response: s.anything })),
  }),
  getOwnConnection: since317('GET /v1/inbox/channel-connections/{identifier}', {
    summary: 'Show a connection to a channel',
    schemas: load((s) => ({ query: s.ownConnectionQuery, response: s.anything })),
  }),
  deleteOwnConnection: since317('DELETE /v1/inbox/channel-connections/{identifier}', {
    ...deletion,
    summary: 'Delete a connection to a channel',
  }),
  listOwnEndpoints: since317('GET /v1/inbox/channel-endpoints', {
    summary: 'List the endpoints in channels',
    schemas: load((s) => ({ query: s.listEndpointsQuery, response: s.anything })),
  }),
  deleteOwnEndpoint: since317('DELETE /v1/inbox/channel-endpoints/{identifier}', {
    ...deletion,
    summary: 'Delete an endpoint in a channel',
  }),
} as const;

export type InboxOperations = typeof inboxClient;
export type InboxId = keyof InboxOperations;
