// Activity: triggered events, newest first.
import { unitMs } from '../../core/durations.ts';
import { activityRetentionMs } from '../../service/plans.ts';
import { serializeActivity, serializeDetails } from '../serializers/activity.ts';
import { listJobs } from '../store/jobs.ts';
import {
  countNotifications,
  findNotification,
  searchNotifications,
  selectsSubscribers,
} from '../store/notifications.ts';
import type { Scope } from '../store/scope.ts';
import { findSubscriber } from '../store/subscribers.ts';
import { badRequest, notFound, paymentRequired } from '../values/http-error.ts';
import type { Handler } from './handler.ts';
import { requireObjectId } from './object-id.ts';

export const listActivity: Handler<'listActivity'> = ({ query, scope }) => {
  const { page = 0, limit = 10, ...given } = query;
  const earliest = earliestTime(scope);
  const after = toTime('after', given.after) ?? earliest;
  const before = toTime('before', given.before);
  const filters = { ...given, after, before };
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
  requireObjectId('notificationId', notificationId);
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
      ...{ _jobId: job.id, _environmentId, _organizationId },
      ...{ _notificationId: notification.id, _notificationTemplateId: notification.workflow },
      ...{ _subscriberId: subscriber.id, transactionId: notification.transactionId },
      channel: job.type,
    })),
  );
};
