// The notifications of a subscriber: by the newer routes where the server has them, else by the feed. The items have the
// members of the feed in both cases.
import type { Context } from '../../app/context.ts';
import type { Values } from '../../cli/command.ts';
import { findProfile } from '../../config/store.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import { readTime } from '../../input/values.ts';
import type { ListPage } from '../../output/result.ts';
import type { Input } from '../../service/operations/index.ts';
import type { FeedItem } from '../../service/schemas/inbox.ts';
import type { Notification } from '../../service/schemas/notifications.ts';
import {
  feedFilter,
  type inboxFilters,
  type newerInboxFilters,
  type sinceFilter,
} from './filters.ts';

/** A notification with the members of the feed that the newer routes have, too. */
export type InboxItem = Pick<FeedItem, '_id'> & Partial<FeedItem>;

type Filters = Partial<Values<typeof inboxFilters & typeof newerInboxFilters & typeof sinceFilter>>;
type NewerQuery = NonNullable<Input<'listNotifications'>['query']>;

interface Paging {
  limit?: number;
  all?: boolean;
  pageSize?: number;
  page?: number;
}

/** Yields the notifications that match, newest first. */
export async function* notificationPages(
  context: Context,
  subscriberId: string,
  options: Filters & Paging,
): AsyncGenerator<ListPage<InboxItem>, void, void> {
  const newer = newerQuery(options, context.host.clock.now());
  const needsNewer = Object.keys(newer).length > 0;
  if (needsNewer || (options.payload === undefined && triesNewer(context))) {
    const pages = newerPages(context, subscriberId, options, newer);
    const first = await orNotOffered(context, needsNewer, () => pages.next());
    if (first) {
      if (!first.done) yield first.value;
      yield* pages;
      return;
    }
  }
  const query = { ...(await feedFilter(options, context.host)), page: options.page };
  yield* context.pages('listInboxNotifications', { path: { subscriberId }, query }, options);
}

const defaultLimit = 50;

async function* newerPages(
  context: Context,
  subscriberId: string,
  options: Filters & Paging,
  newer: NewerQuery,
): AsyncGenerator<ListPage<InboxItem>, void, void> {
  const { read, unread, seen, unseen, page = 0, pageSize, limit = defaultLimit } = options;
  const query = {
    ...newer,
    ...(read || unread ? { read: read === true } : {}),
    ...(seen || unseen ? { seen: seen === true } : {}),
    ...(page > 0 ? { offset: page * (pageSize ?? limit) } : {}),
  };
  const pages = context.pages('listNotifications', { path: { subscriberId }, query }, options);
  for await (const { items, info } of pages) {
    // The command for the next page counts in pages, as for the feed.
    const { offset: _offset, ...rest } = { offset: undefined, ...info };
    yield { items: items.map(toFeedItem), info: rest };
  }
}

/** The filters that only the newer routes have. Empty if none is given. */
export function newerQuery(
  { archived, snoozed, severity, tag, since }: Filters,
  now: number,
): NewerQuery {
  return {
    ...(archived ? { archived } : {}),
    ...(snoozed ? { snoozed } : {}),
    ...(severity?.length ? { severity } : {}),
    ...(tag?.length ? { tags: tag } : {}),
    ...(since === undefined ? {} : { createdGte: Date.parse(readTime(since, now, '--since')) }),
  };
}

/** The members of an item of the newer routes, with the names of the feed. */
export const notificationFields = [
  ...['_id', 'transactionId', 'subject', 'content', 'to', 'read', 'seen', 'isArchived'],
  ...['isSnoozed', 'snoozedUntil', 'deliveredAt', 'createdAt', 'readAt', 'firstSeenAt'],
  ...['archivedAt', 'avatar', 'primaryAction', 'secondaryAction', 'channel', 'tags', 'severity'],
  ...['data', 'redirect', 'workflow', 'templateIdentifier'],
];

/** An item of the newer routes with the names of the feed. Its other members keep their names. */
export function toFeedItem(item: Notification): InboxItem {
  const { id, body, isRead, isSeen, workflow, channelType, ...rest } = item;
  return {
    ...rest,
    _id: id,
    ...(isRead === undefined ? {} : { read: isRead }),
    ...(isSeen === undefined ? {} : { seen: isSeen }),
    ...(workflow === undefined ? {} : { templateIdentifier: workflow.identifier, workflow }),
    ...(typeof body === 'string' ? { content: body } : {}),
    ...(channelType === undefined ? {} : { channel: channelType }),
  } as InboxItem;
}

/** Only a profile can remember that its server lacks the newer routes. A sandbox does not have them. */
function triesNewer({ connection }: Context): boolean {
  const { keyFrom } = connection.target();
  if (keyFrom.kind !== 'profile' || keyFrom.profile.sandbox) return false;
  const { lacksNotifications, serviceVersion = '' } = keyFrom.profile;
  return lacksNotifications !== serviceVersion;
}

/**
 * Returns undefined if the server does not have the newer routes, which the profile remembers until another version of
 * the server is read. Throws a usage error if they are needed.
 */
export async function orNotOffered<T>(
  context: Context,
  isNeeded: boolean,
  call: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof SvcError && error.details.notOffered)) throw error;
    if (isNeeded) throw olderServer(error);
  }
  const { keyFrom } = context.connection.target();
  if (keyFrom.kind === 'profile')
    await context.configuration.change(({ profiles }) => {
      const profile = findProfile({ profiles }, keyFrom.name);
      if (profile) profile.lacksNotifications = profile.serviceVersion ?? '';
    });
  return undefined;
}

export const olderServer = ({ details }: SvcError) =>
  usageError(
    'This server does not archive, snooze or filter notifications: it needs version 3.15.',
    {
      status: details.status,
      notOffered: true,
      hint: 'Without these options, `svc inbox list`, `count` and `mark` work with every version.',
    },
  );
