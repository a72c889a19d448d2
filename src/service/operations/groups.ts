// Groups, feeds and changes, which older clients of the service call. The sandbox serves them.
import { serviceOperation } from '../operation.ts';

const schemas = () => import('../schemas/groups.ts');

export const groups = {
  listNotificationGroups: serviceOperation({
    method: 'GET',
    path: '/v1/notification-groups',
    summary: 'List the groups of workflows (deprecated)',
    section: 'Notification groups',
    schemas: async () => {
      const { notificationGroupList } = await schemas();
      return { response: notificationGroupList };
    },
  }),

  createNotificationGroup: serviceOperation({
    method: 'POST',
    path: '/v1/notification-groups',
    summary: 'Create a group of workflows (deprecated)',
    section: 'Notification groups',
    success: 201,
    schemas: async () => {
      const { nameBody, notificationGroup } = await schemas();
      return { body: nameBody, response: notificationGroup };
    },
  }),

  getNotificationGroup: serviceOperation({
    method: 'GET',
    path: '/v1/notification-groups/{id}',
    summary: 'Retrieve a group of workflows (deprecated)',
    section: 'Notification groups',
    schemas: async () => {
      const { notificationGroup } = await schemas();
      return { response: notificationGroup };
    },
  }),

  renameNotificationGroup: serviceOperation({
    method: 'PATCH',
    path: '/v1/notification-groups/{id}',
    summary: 'Rename a group of workflows (deprecated)',
    section: 'Notification groups',
    idempotent: () => true,
    schemas: async () => {
      const { nameBody, notificationGroup } = await schemas();
      return { body: nameBody, response: notificationGroup };
    },
  }),

  deleteNotificationGroup: serviceOperation({
    method: 'DELETE',
    path: '/v1/notification-groups/{id}',
    summary: 'Delete a group of workflows (deprecated)',
    section: 'Notification groups',
    schemas: async () => {
      const { acknowledgement } = await schemas();
      return { response: acknowledgement };
    },
  }),

  listFeeds: serviceOperation({
    method: 'GET',
    path: '/v1/feeds',
    summary: 'List the feeds of notifications (deprecated)',
    section: 'Feeds',
    schemas: async () => {
      const { feedList } = await schemas();
      return { response: feedList };
    },
  }),

  createFeed: serviceOperation({
    method: 'POST',
    path: '/v1/feeds',
    summary: 'Create a feed of notifications (deprecated)',
    section: 'Feeds',
    success: 201,
    schemas: async () => {
      const { nameBody, feed } = await schemas();
      return { body: nameBody, response: feed };
    },
  }),

  deleteFeed: serviceOperation({
    method: 'DELETE',
    path: '/v1/feeds/{feedId}',
    summary: 'Delete a feed of notifications; returns the other ones (deprecated)',
    section: 'Feeds',
    schemas: async () => {
      const { feedList } = await schemas();
      return { response: feedList };
    },
  }),

  listChanges: serviceOperation({
    method: 'GET',
    path: '/v1/changes',
    summary: 'List the changes that can be promoted (deprecated)',
    section: 'Changes',
    hasDataField: true,
    schemas: async () => {
      const { changesQuery, changeList } = await schemas();
      return { query: changesQuery, response: changeList };
    },
  }),

  countChanges: serviceOperation({
    method: 'GET',
    path: '/v1/changes/count',
    summary: 'Count the changes that can be promoted (deprecated)',
    section: 'Changes',
    schemas: async () => {
      const { changeCount } = await schemas();
      return { response: changeCount };
    },
  }),

  applyChanges: serviceOperation({
    method: 'POST',
    path: '/v1/changes/bulk/apply',
    summary: 'Promote changes (deprecated)',
    section: 'Changes',
    success: 201,
    schemas: async () => {
      const { applyChangesBody, appliedChanges } = await schemas();
      return { body: applyChangesBody, response: appliedChanges };
    },
  }),

  applyChange: serviceOperation({
    method: 'POST',
    path: '/v1/changes/{changeId}/apply',
    summary: 'Promote a change (deprecated)',
    section: 'Changes',
    success: 201,
    schemas: async () => {
      const { appliedChanges } = await schemas();
      return { response: appliedChanges };
    },
  }),
};
