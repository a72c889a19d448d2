// Groups, feeds and changes, which older clients of the service call. The sandbox serves them.
import { schemasIn, serviceOperation } from '../operation.ts';

const load = schemasIn(() => import('../schemas/workflows-v1.ts'));

export const groups = {
  listNotificationGroups: serviceOperation({
    method: 'GET',
    path: '/v1/notification-groups',
    summary: 'List the groups of workflows (deprecated)',
    section: 'Notification groups',
    schemas: load((s) => ({ response: s.notificationGroupList })),
  }),

  createNotificationGroup: serviceOperation({
    method: 'POST',
    path: '/v1/notification-groups',
    summary: 'Create a group of workflows (deprecated)',
    section: 'Notification groups',
    success: 201,
    schemas: load((s) => ({ body: s.nameBody, response: s.notificationGroup })),
  }),

  getNotificationGroup: serviceOperation({
    method: 'GET',
    path: '/v1/notification-groups/{id}',
    summary: 'Retrieve a group of workflows (deprecated)',
    section: 'Notification groups',
    schemas: load((s) => ({ response: s.notificationGroup })),
  }),

  renameNotificationGroup: serviceOperation({
    method: 'PATCH',
    path: '/v1/notification-groups/{id}',
    summary: 'Rename a group of workflows (deprecated)',
    section: 'Notification groups',
    idempotent: () => true,
    schemas: load((s) => ({ body: s.nameBody, response: s.notificationGroup })),
  }),

  deleteNotificationGroup: serviceOperation({
    method: 'DELETE',
    path: '/v1/notification-groups/{id}',
    summary: 'Delete a group of workflows (deprecated)',
    section: 'Notification groups',
    schemas: load((s) => ({ response: s.acknowledgement })),
  }),

  listFeeds: serviceOperation({
    method: 'GET',
    path: '/v1/feeds',
    summary: 'List the feeds of notifications (deprecated)',
    section: 'Feeds',
    schemas: load((s) => ({ response: s.feedList })),
  }),

  createFeed: serviceOperation({
    method: 'POST',
    path: '/v1/feeds',
    summary: 'Create a feed of notifications (deprecated)',
    section: 'Feeds',
    success: 201,
    schemas: load((s) => ({ body: s.nameBody, response: s.feed })),
  }),

  deleteFeed: serviceOperation({
    method: 'DELETE',
    path: '/v1/feeds/{feedId}',
    summary: 'Delete a feed of notifications; returns the other ones (deprecated)',
    section: 'Feeds',
    schemas: load((s) => ({ response: s.feedList })),
  }),

  listChanges: serviceOperation({
    method: 'GET',
    path: '/v1/changes',
    summary: 'List the changes that can be promoted (deprecated)',
    section: 'Changes',
    hasDataField: true,
    schemas: load((s) => ({ query: s.changesQuery, response: s.changeList })),
  }),

  countChanges: serviceOperation({
    method: 'GET',
    path: '/v1/changes/count',
    summary: 'Count the changes that can be promoted (deprecated)',
    section: 'Changes',
    schemas: load((s) => ({ response: s.changeCount })),
  }),

  applyChanges: serviceOperation({
    method: 'POST',
    path: '/v1/changes/bulk/apply',
    summary: 'Promote changes (deprecated)',
    section: 'Changes',
    success: 201,
    schemas: load((s) => ({ body: s.applyChangesBody, response: s.appliedChanges })),
  }),

  applyChange: serviceOperation({
    method: 'POST',
    path: '/v1/changes/{changeId}/apply',
    summary: 'Promote a change (deprecated)',
    section: 'Changes',
    success: 201,
    schemas: load((s) => ({ response: s.appliedChanges })),
  }),
};
