// Serializes items of the activity listing: notifications with their jobs and execution details.
import type { ActivityItem } from '../../api/schemas/activity.ts';
import type { Job } from '../../api/schemas/job.ts';
import { derivedId } from '../ids.ts';
import { userId } from '../seed/ids.ts';
import { jobsOf, type StoredJob } from '../store/jobs.ts';
import type { StoredNotification } from '../store/notifications.ts';
import { isChannel } from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { findWorkflow, type StoredWorkflow } from '../store/workflows.ts';
import { pickProfileFields } from './subscriber.ts';

/** Reads the jobs with one query for the whole page. */
export function serializeActivity(
  scope: Scope,
  notifications: readonly StoredNotification[],
): ActivityItem[] {
  const ids = notifications.map(({ id }) => id);
  const jobsByNotification = groupBy(jobsOf(scope, ids), ({ notification }) => notification);
  // Most items of a page have the same workflow.
  const templates = new Map(
    [...new Set(notifications.map(({ workflow }) => workflow))].map((id) => [
      id,
      serializeTemplate(scope.compat, findWorkflow(scope, 'id', id)),
    ]),
  );
  return notifications.map((notification) => ({
    ...notificationFields(scope, notification),
    template: templates.get(notification.workflow),
    jobs: (jobsByNotification.get(notification.id) ?? []).map((job) =>
      serializeJob(scope.compat, notification, job),
    ),
  }));
}

/** JSON leaves out members that are undefined. */
const notificationFields = (
  { compat, environmentId, organizationId }: Scope,
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
  payload: givenPayload(compat, notification),
  tags: notification.tags,
  controls: compat ? undefined : {},
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
const givenPayload = (compat: boolean, { payload }: StoredNotification) =>
  compat && Object.keys(payload).length === 0 ? undefined : payload;

const givenOverrides = (compat: boolean, { overrides }: StoredNotification) =>
  compat && Object.keys(overrides).length === 0 ? undefined : overrides;

const serializeRecipient = ({ subscriber, recipient }: StoredNotification) =>
  recipient && {
    subscriberId: recipient.subscriberId,
    _id: subscriber,
    ...pickProfileFields(recipient, ['firstName', 'lastName', 'email', 'phone']),
  };

const serializeTemplate = (compat: boolean, workflow: StoredWorkflow | undefined) =>
  workflow && {
    _id: workflow.id,
    name: workflow.name,
    origin: workflow.origin,
    triggers: [
      {
        type: 'event' as const,
        identifier: workflow.identifier,
        ...(compat
          ? {
              variables: [],
              reservedVariables: [],
              subscriberVariables: subscriberVariables(workflow),
              ...withBothIds(derivedId(`${workflow.id}:trigger`)),
            }
          : {
              variables: Object.keys(workflow.payloadExample ?? {}).map((name) => ({ name })),
              subscriberVariables: [],
            }),
      },
    ],
  };

/** The fields of a subscriber that the channels of a workflow need. */
function subscriberVariables({ id, steps }: StoredWorkflow) {
  const needed = { sms: 'phone', email: 'email' } as const;
  return (['sms', 'email'] as const)
    .filter((channel) => steps.some(({ type }) => type === channel))
    .map((channel) => ({
      name: needed[channel],
      ...withBothIds(derivedId(`${id}:${channel}`)),
    }));
}

const withBothIds = (_id: string) => ({ _id, id: _id });

function serializeJob(compat: boolean, notification: StoredNotification, job: StoredJob): Job {
  const fields = {
    _id: job.id,
    type: job.type,
    digest: job.digest,
    executionDetails: job.details.map((detail) => ({
      _id: detail.id,
      createdAt: detail.createdAt,
      status: detail.status,
      detail: detail.detail,
      isRetry: false,
      isTest: false,
      providerId: detail.providerId,
      raw: detail.raw ?? (compat ? undefined : null),
      source: 'Internal',
    })),
    step: serializeStep(compat, job),
    overrides: givenOverrides(compat, notification),
    payload: givenPayload(compat, notification),
    providerId: compat && !isChannel(job.type) ? undefined : job.providerId,
    status: job.status,
    updatedAt: job.updatedAt,
    scheduleExtensionsCount: job.scheduleExtensionsCount,
  };
  // The service sends no provider for the job of an action step, which the specification requires.
  return fields as Job;
}

const noLayoutId = derivedId('layout');

function serializeStep(compat: boolean, { type, step }: StoredJob): Job['step'] {
  const { controlVariables = {}, ...stored } = step;
  return {
    ...stored,
    ...(compat ? {} : { controlVariables }),
    metadata: {
      timed: { weekDays: [], monthDays: [] },
      ...(type === 'delay' ? delayMetadata(controlVariables) : {}),
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

const delayMetadata = (controls: Record<string, unknown>) =>
  Object.fromEntries(
    ['type', 'amount', 'unit', 'cron', 'dynamicKey'].flatMap((name) =>
      controls[name] === undefined ? [] : [[name, controls[name]]],
    ),
  );

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
