// Groups, feeds and changes, which older clients of the service call. The sandbox serves them.
import { schemasIn, serviceOperation } from '../operation.ts';

const load = schemasIn(() => import('../schemas/workflows-v1.ts'));

export const groups = {
  listNotificationGroups: serviceOperation({
    route: 'GET /v1/notification-groups',
    summary: 'List the groups of workflows (deprecated)',
    section: 'Notification groups',
    schemas: load((s) => ({ response: s.notificationGroupList })),
  }),

  createNotificationGroup: serviceOperation({
    route: 'POST /v1/notification-groups',
    summary: 'Create a group of workflows (deprecated)',
    section: 'Notification groups',
    success: 201,
    schemas: load((s) => ({ body: s.nameBody, response: s.notificationGroup })),
  }),

  getNotificationGroup: serviceOperation({
    route: 'GET /v1/notification-groups/{id}',
    summary: 'Retrieve a group of workflows (deprecated)',
    section: 'Notification groups',
    schemas: load((s) => ({ response: s.notificationGroup })),
  }),

  renameNotificationGroup: serviceOperation({
    route: 'PATCH /v1/notification-groups/{id}',
    summary: 'Rename a group of workflows (deprecated)',
    section: 'Notification groups',
    idempotent: () => true,
    schemas: load((s) => ({ body: s.nameBody, response: s.notificationGroup })),
  }),

  deleteNotificationGroup: serviceOperation({
    route: 'DELETE /v1/notification-groups/{id}',
    summary: 'Delete a group of workflows (deprecated)',
    section: 'Notification groups',
    schemas: load((s) => ({ response: s.acknowledgement })),
  }),

  listFeeds: serviceOperation({
    route: 'GET /v1/feeds',
    summary: 'List the feeds of notifications (deprecated)',
    section: 'Feeds',
    schemas: load((s) => ({ response: s.feedList })),
  }),

  createFeed: serviceOperation({
    route: 'POST /v1/feeds',
    summary: 'Create a feed of notifications (deprecated)',
    section: 'Feeds',
    success: 201,
    schemas: load((s) => ({ body: s.nameBody, response: s.feed })),
  }),

  deleteFeed: serviceOperation({
    route: 'DELETE /v1/feeds/{feedId}',
    summary: 'Delete a feed of notifications; returns the other ones (deprecated)',
    section: 'Feeds',
    schemas: load((s) => ({ response: s.feedList })),
  }),

  listChanges: serviceOperation({
    route: 'GET /v1/changes',
    summary: 'List the changes that can be promoted (deprecated)',
    section: 'Changes',
    hasDataField: true,
    schemas: load((s) => ({ query: s.changesQuery, response: s.changeList })),
  }),

  countChanges: serviceOperation({
    route: 'GET /v1/changes/count',
    summary: 'Count the changes that can be promoted (deprecated)',
    section: 'Changes',
    schemas: load((s) => ({ response: s.changeCount })),
  }),

  applyChanges: serviceOperation({
    route: 'POST /v1/changes/bulk/apply',
    summary: 'Promote changes (deprecated)',
    section: 'Changes',
    success: 201,
    schemas: load((s) => ({ body: s.applyChangesBody, response: s.appliedChanges })),
  }),

  applyChange: serviceOperation({
    route: 'POST /v1/changes/{changeId}/apply',
    summary: 'Promote a change (deprecated)',
    section: 'Changes',
    success: 201,
    schemas: load((s) => ({ response: s.appliedChanges })),
  }),
};
