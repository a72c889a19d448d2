// Lists activity: triggered events, newest first.
import { badRequest } from '../http/http-error.ts';
import { serializeActivity } from '../serializers/activity.ts';
import { searchNotifications } from '../store/notifications.ts';
import type { Handler } from './handler.ts';

export const listActivity: Handler<'listActivity'> = ({ query, scope }) => {
  const { page = 0, limit = 10, ...filters } = query;
  const after = filters.after === undefined ? undefined : toTimestamp(filters.after);
  const before = filters.before === undefined ? undefined : toTimestamp(filters.before);
  if (after !== undefined && before !== undefined && after > before) {
    throw badRequest('Invalid date range: `after` must be earlier than `before`');
  }
  const found = searchNotifications(
    scope,
    { ...filters, after, before: before ?? scope.now },
    { limit: limit + 1, offset: page * limit },
  );
  const items = serializeActivity(scope, found.slice(0, limit));
  return { data: items, hasMore: found.length > limit, pageSize: items.length, page };
};

/** Returns the stored format, UTC with milliseconds. A time without a zone is read as UTC. */
function toTimestamp(time: string): string {
  const withZone =
    /T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(time) || !time.includes('T') ? time : `${time}Z`;
  const date = new Date(withZone);
  if (Number.isNaN(date.getTime())) throw badRequest(`Invalid date: ${time}`);
  return date.toISOString();
}
