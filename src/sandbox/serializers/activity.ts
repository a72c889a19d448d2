// Serializes items of the activity listing: notifications with their jobs and execution details.

import type { ActivityItem } from '../../service/schemas/activity.ts';
import type { Job } from '../../service/schemas/job.ts';
import { addressFields } from '../../service/schemas/vocabulary.ts';
import { listJobs, type StoredJob } from '../store/jobs.ts';
import { findNotification, type StoredNotification } from '../store/notifications.ts';
import { isChannel } from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { findWorkflow, type StoredWorkflow } from '../store/workflows.ts';
import { userId } from '../values/fixed-ids.ts';
import { derivedId, withBothIds } from '../values/ids.ts';
import { pickProfileFields } from './subscriber.ts';

/** Reads the jobs with one query for the whole page. */
export function serializeActivity(
  scope: Scope,
  notifications: readonly StoredNotification[],
): ActivityItem[] {
  const ids = notifications.map(({ id }) => id);
  const jobsByNotification = groupBy(listJobs(scope, ids), ({ notification }) => notification);
  // Most items of a page have the same workflow.
  const templates = new Map(
    [...new Set(notifications.map(({ workflow }) => workflow))].map((id) => [
      id,
      serializeTemplate(findWorkflow(scope, 'id', id)),
    ]),
  );
  return notifications.map((notification) => ({
    ...notificationFields(scope, notification),
    template: templates.get(notification.workflow),
    jobs: (jobsByNotification.get(notification.id) ?? []).map((job) =>
      serializeJob(scope, notification, job),
    ),
  }));
}

/** Returns the function that finds the event whose digest carries a step, for its verdict. */
export const eventFinder =
  (scope: Scope) =>
  (id: string): ActivityItem | undefined => {
    const notification = findNotification(scope, id);
    return notification && serializeActivity(scope, [notification])[0];
  };

/** JSON leaves out members that are undefined. */
const notificationFields = (
  { environmentId, organizationId }: Scope,
  notification: StoredNotification,
) => ({
  _id: notification.id,
  _environmentId: environmentId,
  _organizationId: organizationId,
  _subscriberId: notification.subscriber,
  _templateId: notification.workflow,
  _digestedNotificationId: notification.digestedBy,
  transactionId: notification.transactionId,
  createdAt: notification.createdAt,
  updatedAt: notification.updatedAt,
  channels: notification.channels,
  payload: unlessEmpty(notification.payload),
  tags: notification.tags,
  to: {
    ...notification.to,
    ...(notification.topics.length === 0
      ? {}
      : { topics: notification.topics.map(({ _topicId: _id, topicKey: key }) => ({ _id, key })) }),
  },
  topics: notification.topics,
  severity: notification.severity,
  critical: notification.critical,
  contextKeys: notification.contextKeys,
  subscriber: serializeRecipient(notification),
});

/** The service leaves out an empty payload and empty overrides. */
const unlessEmpty = (members: Record<string, unknown>) =>
  Object.keys(members).length === 0 ? undefined : members;

const serializeRecipient = ({ subscriber, recipient }: StoredNotification) =>
  recipient && {
    subscriberId: recipient.subscriberId,
    _id: subscriber,
    ...pickProfileFields(recipient, ['firstName', 'lastName', 'email', 'phone']),
  };

const serializeTemplate = (workflow: StoredWorkflow | undefined) =>
  workflow && {
    _id: workflow.id,
    name: workflow.name,
    origin: workflow.origin,
    triggers: [serializeTrigger(workflow)],
  };

export const serializeTrigger = (workflow: StoredWorkflow) => ({
  type: 'event' as const,
  identifier: workflow.identifier,
  variables: [],
  reservedVariables: [],
  subscriberVariables: subscriberVariables(workflow),
  ...withBothIds(derivedId(`${workflow.id}:trigger`)),
});

/** The fields of a subscriber that the channels of a workflow need. */
function subscriberVariables({ id, steps }: StoredWorkflow) {
  return Object.entries(addressFields)
    .filter(([channel]) => steps.some(({ type }) => type === channel))
    .map(([channel, name]) => ({
      name,
      ...withBothIds(derivedId(`${id}:${channel}`)),
    }));
}

function serializeJob(
  { dialect: { hasRequiredMembers } }: Scope,
  notification: StoredNotification,
  job: StoredJob,
): Job {
  const fields = {
    _id: job.id,
    type: job.type,
    digest: job.digest,
    executionDetails: serializeDetails(job),
    step: serializeStep(job),
    overrides: unlessEmpty(notification.overrides),
    payload: unlessEmpty(notification.payload),
    // The service sends no provider for the job of an action step, which the specification requires.
    providerId: hasRequiredMembers || isChannel(job.type) ? job.providerId : undefined,
    status: job.status,
    updatedAt: job.updatedAt,
    scheduleExtensionsCount: job.scheduleExtensionsCount,
  };
  return fields as Job;
}

export const serializeDetails = ({ details }: StoredJob) =>
  details.map((detail) => ({
    _id: detail.id,
    createdAt: detail.createdAt,
    status: detail.status,
    detail: detail.detail,
    isRetry: false,
    isTest: false,
    providerId: detail.providerId,
    raw: detail.raw,
    source: 'Internal' as const,
  }));

const noLayoutId = derivedId('layout');

function serializeStep({ type, step }: StoredJob): Job['step'] {
  const { controlVariables: _, ...stored } = step;
  return {
    ...stored,
    metadata: {
      timed: { weekDays: [], monthDays: [] },
      ...step.metadata,
    },
    template: {
      type,
      content: '',
      variables: [],
      _feedId: null,
      _layoutId: type === 'email' ? noLayoutId : null,
      name: step.name,
      _creatorId: userId,
    },
    variants: [],
  };
}

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
