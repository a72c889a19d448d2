// Groups, feeds and changes, which older clients of the service call. The sandbox serves them.
import { operationsWith, schemasIn } from '../operation.ts';

const load = schemasIn(() => import('../schemas/workflows-v1.ts'));

const { serviceOperation: groupOperation } = operationsWith({ section: 'Notification groups' });
const { serviceOperation: feedOperation } = operationsWith({ section: 'Feeds' });
const { serviceOperation: changeOperation } = operationsWith({ section: 'Changes' });

export const groups = {
  listNotificationGroups: groupOperation('GET /v1/notification-groups', {
    summary: 'List the groups of workflows (deprecated)',
    schemas: load((s) => ({ response: s.notificationGroupList })),
  }),

  createNotificationGroup: groupOperation('POST /v1/notification-groups', {
    summary: 'Create a group of workflows (deprecated)',
    schemas: load((s) => ({ body: s.nameBody, response: s.notificationGroup })),
  }),

  getNotificationGroup: groupOperation('GET /v1/notification-groups/{id}', {
    summary: 'Retrieve a group of workflows (deprecated)',
    schemas: load((s) => ({ response: s.notificationGroup })),
  }),

  renameNotificationGroup: groupOperation('PATCH /v1/notification-groups/{id}', {
    summary: 'Rename a group of workflows (deprecated)',
    schemas: load((s) => ({ body: s.nameBody, response: s.notificationGroup })),
  }),

  deleteNotificationGroup: groupOperation('DELETE /v1/notification-groups/{id}', {
    summary: 'Delete a group of workflows (deprecated)',
    schemas: load((s) => ({ response: s.acknowledgement })),
  }),

  listFeeds: feedOperation('GET /v1/feeds', {
    summary: 'List the feeds of notifications (deprecated)',
    schemas: load((s) => ({ response: s.feedList })),
  }),

  createFeed: feedOperation('POST /v1/feeds', {
    summary: 'Create a feed of notifications (deprecated)',
    schemas: load((s) => ({ body: s.nameBody, response: s.feed })),
  }),

  deleteFeed: feedOperation('DELETE /v1/feeds/{feedId}', {
    summary: 'Delete a feed of notifications; returns the other ones (deprecated)',
    schemas: load((s) => ({ response: s.feedList })),
  }),

  listChanges: changeOperation('GET /v1/changes', {
    summary: 'List the changes that can be promoted (deprecated)',
    hasDataField: true,
    schemas: load((s) => ({ query: s.changesQuery, response: s.changeList })),
  }),

  countChanges: changeOperation('GET /v1/changes/count', {
    summary: 'Count the changes that can be promoted (deprecated)',
    schemas: load((s) => ({ response: s.changeCount })),
  }),

  applyChanges: changeOperation('POST /v1/changes/bulk/apply', {
    summary: 'Promote changes (deprecated)',
    schemas: load((s) => ({ body: s.applyChangesBody, response: s.appliedChanges })),
  }),

  applyChange: changeOperation('POST /v1/changes/{changeId}/apply', {
    summary: 'Promote a change (deprecated)',
    schemas: load((s) => ({ response: s.appliedChanges })),
  }),
};
