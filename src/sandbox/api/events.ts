// Triggers events, one or many, and cancels transactions.

import { unitMs } from '../../core/durations.ts';
import { groupBy } from '../../core/objects.ts';
import { activityRetentionMs } from '../../service/plans.ts';
import type { ActivityItem, Job } from '../../service/schemas/activity.ts';
import { addressFields } from '../../service/schemas/vocabulary.ts';
import { acceptBroadcast, acceptEvent, acceptSingle } from '../engine/accept-event.ts';
import { cancelTransaction } from '../engine/cancel.ts';
import { badRequest, notFound, paymentRequired } from '../http/http-error.ts';
import { derivedId, userId, withBothIds } from '../store/ids.ts';
import { listJobs, type StoredJob } from '../store/jobs.ts';
import {
  countNotifications,
  findNotification,
  type StoredNotification,
  searchNotifications,
  selectsSubscribers,
} from '../store/notifications.ts';
import { isChannel } from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { findSubscriber } from '../store/subscribers.ts';
import { findWorkflow, type StoredWorkflow } from '../store/workflows.ts';
import type { Handler } from './handler.ts';
import { requireObjectId } from './parameters.ts';
import { pickProfileFields } from './subscribers.ts';

/** Events are accepted or rejected one by one, in order. The request succeeds even if all fail. */
export const triggerEvents: Handler<'triggerEvents'> = ({ body, scope, prepared }) =>
  body.events.map((event: unknown, index) =>
    acceptEvent(scope, event, prepared?.problems?.get(index)),
  );

export const cancelEvent: Handler<'cancelEvent'> = ({ path: { transactionId }, scope }) =>
  cancelTransaction(scope, transactionId);

export const triggerEvent: Handler<'triggerEvent'> = ({ body, scope, prepared }) =>
  acceptSingle(scope, body, prepared?.problems?.get(0));

export const broadcastEvent: Handler<'broadcastEvent'> = ({ body, scope, prepared }) =>
  acceptBroadcast(scope, body, prepared?.problems?.get(0));

// Activity: triggered events, newest first.

export const listActivity: Handler<'listActivity'> = ({ query, scope }) => {
  const { page = 0, limit = 10, ...requested } = query;
  const earliest = earliestTime(scope);
  const after = toTime('after', requested.after) ?? earliest;
  const before = toTime('before', requested.before);
  const filters = { ...requested, after, before };
  if (after !== undefined && before !== undefined && after > before) {
    throw badRequest(
      'Invalid date range: start date (after) must be earlier than end date (before)',
      { hasNoContext: true },
    );
  }
  checkRetention(earliest, after, before);
  const notifications = searchNotifications(scope, filters, { limit, offset: page * limit });
  const items = serializeActivity(scope, notifications);
  // The service says that more follows whenever the page is full.
  return {
    data: items,
    hasMore: items.length === limit,
    pageSize: limit,
    page: notifications.length > 0 || selectsSubscribers(scope, filters) ? page : 0,
  };
};

/** The time from which the plan keeps activity; undefined without a limit. */
function earliestTime({ plan, now }: Scope): string | undefined {
  const retentionMs = plan && activityRetentionMs[plan];
  if (retentionMs === undefined || !Number.isFinite(retentionMs)) return undefined;
  return new Date(Date.parse(now) - retentionMs).toISOString();
}

const toleranceMs = unitMs.h;

function checkRetention(earliest: string | undefined, ...dates: (string | undefined)[]): void {
  if (earliest === undefined) return;
  const limit = Date.parse(earliest) - toleranceMs;
  if (dates.every((date) => date === undefined || Date.parse(date) >= limit)) return;
  throw paymentRequired(
    `Requested date range exceeds your plan's retention period. The earliest accessible date for your plan is ${earliest.slice(0, 10)}. Please upgrade your plan to access older activities.`,
    { hasNoContext: true },
  );
}

/** Returns the stored format, UTC with milliseconds. A time without a zone is read as UTC. */
function toTime(name: string, text: string | undefined): string | undefined {
  if (!text) return undefined;
  const hasZone = /T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes('T');
  const date = new Date(hasZone ? text : `${text}Z`);
  if (!Number.isNaN(date.getTime())) return date.toISOString();
  throw badRequest(
    `Invalid date format for parameter '${name}': ${text}. Please provide a valid ISO 8601 date string.`,
    { hasNoContext: true },
  );
}

export const getActivityStats: Handler<'getActivityStats'> = ({ scope }) => {
  const now = new Date(scope.now);
  const week = new Date(now.getTime() - 7 * unitMs.d).toISOString();
  const month = new Date(new Date(now).setUTCMonth(now.getUTCMonth() - 1)).toISOString();
  return {
    weeklySent: countNotifications(scope, week),
    monthlySent: countNotifications(scope, month),
  };
};

export const getActivity: Handler<'getActivity'> = ({ path: { notificationId }, scope }) => {
  requireObjectId(scope, 'GetActivityCommand', 'notificationId', notificationId);
  const notification = findNotification(scope, notificationId);
  const [item] = notification ? serializeActivity(scope, [notification]) : [];
  if (!item) throw notFound('Notification not found', { context: { statusCode: 404 } });
  return item;
};

export const listExecutionDetails: Handler<'listExecutionDetails'> = ({
  query: { notificationId, subscriberId },
  scope,
}) => {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) throw notFound(`Subscriber not found for id ${subscriberId}`);
  const notification = findNotification(scope, notificationId);
  if (notification?.subscriber !== subscriber.id) return [];
  const { environmentId: _environmentId, organizationId: _organizationId } = scope;
  return listJobs(scope, [notification.id]).flatMap((job) =>
    serializeDetails(job).map((detail) => ({
      ...detail,
      _jobId: job.id,
      _environmentId,
      _organizationId,
      _notificationId: notification.id,
      _notificationTemplateId: notification.workflow,
      _subscriberId: subscriber.id,
      transactionId: notification.transactionId,
      channel: job.type,
    })),
  );
};

// Serializes items of the activity listing: notifications with their jobs and execution details.

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
  { environmentId, organizationId, dialect }: Scope,
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
      : {
          topics: notification.topics.map(
            ({ _topicId: _id, topicKey: key, preferenceEvaluation: _, ...subscription }) =>
              dialect.hasNamedSubscriptions
                ? { _topicId: _id, topicKey: key, ...subscription }
                : { _id, key },
          ),
        }),
  },
  topics: notification.topics.map(({ _topicId, topicKey }) => ({ _topicId, topicKey })),
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
    .map(([channel, name]) => ({ name, ...withBothIds(derivedId(`${id}:${channel}`)) }));
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
    metadata: { timed: { weekDays: [], monthDays: [] }, ...step.metadata },
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
