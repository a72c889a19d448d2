// Counts the notifications of an inbox, for the session and for the socket.
import { limits } from '../../service/limits.ts';
import { severities } from '../../service/schemas/vocabulary.ts';
import { countInbox } from '../store/inbox.ts';
import type { Scope } from '../store/scope.ts';

const maxCount = limits.countedNotifications;

type Contexts = readonly string[] | undefined;

/** The unread ones that are not snoozed, in all and by severity. */
export function unreadCounts(scope: Scope, subscriber: string, contextKeys: Contexts) {
  const filter = { read: false, snoozed: false, contextKeys, limit: maxCount };
  return {
    total: countInbox(scope, subscriber, filter),
    severity: countBySeverity(scope, subscriber, contextKeys, maxCount),
  };
}

const countBySeverity = (
  scope: Scope,
  subscriber: string,
  contextKeys: Contexts,
  limit: number,
): Record<string, number> =>
  Object.fromEntries(
    severities.map((severity) => [
      severity,
      countInbox(scope, subscriber, {
        ...{ read: false, snoozed: false, severities: [severity], contextKeys, limit },
      }),
    ]),
  );

/** The socket event `unread_count_changed`. Its total includes snoozed notifications. */
export function unreadEvent(scope: Scope, subscriber: string, contextKeys: Contexts) {
  const total = countInbox(scope, subscriber, { read: false, contextKeys, limit: maxCount + 1 });
  return {
    unreadCount: Math.min(total, maxCount),
    counts: { total, severity: countBySeverity(scope, subscriber, contextKeys, maxCount - 1) },
    hasMore: total > maxCount,
  };
}

/** The socket event `unseen_count_changed`. */
export function unseenEvent(scope: Scope, subscriber: string, contextKeys: Contexts) {
  const total = countInbox(scope, subscriber, { seen: false, contextKeys, limit: maxCount + 1 });
  return { unseenCount: Math.min(total, maxCount), hasMore: total > maxCount };
}
