// Lists activity: triggered events, newest first.
import { badRequest } from '../http/http-error.ts';
import { serializeActivity } from '../serializers/activity.ts';
import { searchNotifications } from '../store/notifications.ts';
import type { Handler } from './handler.ts';

export const listActivity: Handler<'listActivity'> = ({ query, scope }) => {
  const { page = 0, limit = 10, ...filters } = query;
  const { after, before } = filters;
  if (after !== undefined && before !== undefined && after > before) {
    throw badRequest(
      'Invalid date range: start date (after) must be earlier than end date (before)',
      { hasNoContext: true },
    );
  }
  const found = searchNotifications(scope, filters, { limit: limit + 1, offset: page * limit });
  const items = serializeActivity(scope, found.slice(0, limit));
  // The service says that more follows whenever the page is full.
  return scope.compat
    ? { data: items, hasMore: items.length === limit, pageSize: limit, page }
    : { data: items, hasMore: found.length > limit, pageSize: items.length, page };
};
