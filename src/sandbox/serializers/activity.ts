// Serializes items of the activity listing: notifications with their jobs and execution details.
import type { ActivityItem } from '../../api/schemas/activity.ts';
import type { Job } from '../../api/schemas/job.ts';
import { detailsOf, jobsOf, type StoredDetail, type StoredJob } from '../store/jobs.ts';
import type { StoredNotification } from '../store/notifications.ts';
import type { Scope } from '../store/scope.ts';
import { type StoredSubscriber, subscribersById } from '../store/subscribers.ts';
import { findWorkflow, type StoredWorkflow } from '../store/workflows.ts';
import { pickProfileFields } from './subscriber.ts';

/** Reads jobs, details and subscribers with one query each for the whole page. */
export function serializeActivity(
  scope: Scope,
  notifications: readonly StoredNotification[],
): ActivityItem[] {
  const ids = notifications.map(({ id }) => id);
  const jobs = jobsOf(scope, ids);
  const details = groupBy(
    detailsOf(
      scope,
      jobs.map(({ id }) => id),
    ),
    ({ job }) => job,
  );
  const jobsByNotification = groupBy(jobs, ({ notification }) => notification);
  const subscribers = subscribersById(
    scope,
    notifications.map(({ subscriber }) => subscriber),
  );
  const workflows = new Map(
    [...new Set(notifications.map(({ workflow }) => workflow))].map((id) => [
      id,
      findWorkflow(scope, 'id', id),
    ]),
  );
  return notifications.map((notification) => ({
    ...notificationFields(scope, notification),
    ...subscriberFields(subscribers.get(notification.subscriber)),
    ...templateFields(workflows.get(notification.workflow)),
    jobs: (jobsByNotification.get(notification.id) ?? []).map((job) =>
      serializeJob(notification, job, details.get(job.id) ?? []),
    ),
  }));
}

const notificationFields = (
  { environmentId, organizationId }: Scope,
  notification: StoredNotification,
) => ({
  _id: notification.id,
  _environmentId: environmentId,
  _organizationId: organizationId,
  _subscriberId: notification.subscriber,
  _templateId: notification.workflow,
  ...(notification.digestedBy === undefined
    ? {}
    : { _digestedNotificationId: notification.digestedBy }),
  transactionId: notification.transactionId,
  createdAt: notification.createdAt,
  updatedAt: notification.updatedAt,
  channels: notification.channels,
  payload: notification.payload,
  tags: notification.tags,
  controls: {},
  to: notification.to,
  topics: notification.topics,
  severity: notification.severity,
  critical: notification.critical,
  contextKeys: notification.contextKeys,
});

const subscriberFields = (subscriber: StoredSubscriber | undefined) =>
  subscriber
    ? {
        subscriber: {
          subscriberId: subscriber.subscriberId,
          _id: subscriber.id,
          ...pickProfileFields(subscriber, ['firstName', 'lastName', 'email', 'phone']),
        },
      }
    : {};

const templateFields = (workflow: StoredWorkflow | undefined) =>
  workflow
    ? {
        template: {
          _id: workflow.id,
          name: workflow.name,
          origin: workflow.origin,
          triggers: [
            {
              type: 'event' as const,
              identifier: workflow.identifier,
              variables: Object.keys(workflow.payloadExample ?? {}).map((name) => ({ name })),
              subscriberVariables: [],
            },
          ],
        },
      }
    : {};

const serializeJob = (
  { payload, overrides }: StoredNotification,
  { id, type, status, updatedAt, step, providerId, digest, scheduleExtensionsCount }: StoredJob,
  details: readonly StoredDetail[],
): Job => ({
  _id: id,
  type,
  ...(digest ? { digest } : {}),
  executionDetails: details.map((detail) => ({
    _id: detail.id,
    createdAt: detail.createdAt,
    status: detail.status,
    detail: detail.detail,
    isRetry: false,
    isTest: false,
    ...(detail.providerId === undefined ? {} : { providerId: detail.providerId }),
    raw: detail.raw ?? null,
    source: 'Internal',
  })),
  step,
  overrides,
  payload,
  providerId,
  status,
  updatedAt,
  ...(scheduleExtensionsCount === undefined ? {} : { scheduleExtensionsCount }),
});

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
