// The activity listing: triggered events, newest first.

import { badRequest } from '../http/http-error.ts';
import { activityItems } from '../serializers/activity.ts';
import { searchNotifications } from '../store/notifications.ts';
import type { Handler } from './handler.ts';

export const listActivity: Handler<'listActivity'> = ({ query, scope }) => {
  const { page = 0, limit = 10, ...filters } = query;
  const after = filters.after === undefined ? undefined : moment(filters.after);
  const before = filters.before === undefined ? undefined : moment(filters.before);
  if (after !== undefined && before !== undefined && after > before) {
    throw badRequest('Invalid date range: `after` must be earlier than `before`');
  }
  const found = searchNotifications(
    scope,
    { ...filters, after, before: before ?? scope.now },
    { limit: limit + 1, offset: page * limit },
  );
  const items = activityItems(scope, found.slice(0, limit));
  return { data: items, hasMore: found.length > limit, pageSize: items.length, page };
};

/** As stored: UTC with milliseconds. A time without a zone is taken for UTC. */
function moment(time: string): string {
  const zoned = /T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(time) || !time.includes('T') ? time : `${time}Z`;
  const date = new Date(zoned);
  if (Number.isNaN(date.getTime())) throw badRequest(`Invalid date: ${time}`);
  return date.toISOString();
}
