// The notifications of a subscriber: by the newer routes where the server has them, else by the feed. The items have the
// members of the feed in both cases.
import type { Context } from '../../app/context.ts';
import type { Values } from '../../cli/command.ts';
import { flag, json, several, severalOf, text } from '../../cli/options.ts';
import { findProfile } from '../../config/store.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import { stringifyExact } from '../../core/lossless-json.ts';
import { readJsonObject, readTime, type WorkingFolder } from '../../input/values.ts';
import type { Column, ListPage } from '../../output/result.ts';
import type { Input } from '../../service/operations/index.ts';
import type { FeedItem } from '../../service/schemas/inbox.ts';
import type { Notification } from '../../service/schemas/notifications.ts';
import { severities } from '../../service/schemas/vocabulary.ts';

/** A notification with the members of the feed that the newer routes have, too. */
type InboxItem = Pick<FeedItem, '_id'> & Partial<FeedItem>;

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

/** Only a profile can remember that its server lacks the newer routes. A sandbox can get another version. */
function triesNewer({ connection }: Context): boolean {
  const { keyFrom } = connection.target();
  if (keyFrom.type !== 'profile') return false;
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
  if (keyFrom.type === 'profile' && !keyFrom.profile.sandbox)
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
      hint: 'Without these options, list, count and mark work with every version.',
    },
  );

// Filters for the inbox of a subscriber, for listing notifications and for marking all that match.

const filters = 'Filters';

export const inboxFilters = {
  read: flag('--read', 'Only notifications that are read', {
    group: filters,
    conflicts: ['unread'],
  }),
  unread: flag('--unread', 'Only notifications that are unread', { group: filters }),
  seen: flag('--seen', 'Only notifications that are seen', {
    group: filters,
    conflicts: ['unseen'],
  }),
  unseen: flag('--unseen', 'Only notifications that are unseen', { group: filters }),
  payload: json(
    '--payload <json|@file>',
    'Only notifications whose payload contains these fields',
    { group: filters, conflicts: ['archived', 'snoozed', 'severity', 'tag', 'since'] },
  ),
};

const since = ', on servers since 3.15';

/** Filters that only servers with the newer routes have. */
export const newerInboxFilters = {
  archived: flag('--archived', `Only notifications that are archived${since}`, { group: filters }),
  snoozed: flag('--snoozed', `Only notifications that are snoozed${since}`, { group: filters }),
  severity: severalOf('--severity <severity>', severities, `Only with this severity${since}`, {
    group: filters,
  }),
  tag: several('--tag <tag>', `Only with this tag of their workflow${since}`, { group: filters }),
};

export const sinceFilter = {
  since: text('--since <2h|ISO>', `Only notifications after this time${since}`, { group: filters }),
};

/** Returns the query parameters of these filters. The service takes the payload as base64. */
async function feedFilter(
  { read, unread, seen, unseen, payload }: Partial<Values<typeof inboxFilters>>,
  folder: WorkingFolder,
) {
  const json =
    payload === undefined
      ? undefined
      : stringifyExact(await readJsonObject(payload, '--payload', folder));
  return {
    read: read ? true : unread ? false : undefined,
    seen: seen ? true : unseen ? false : undefined,
    payload: json === undefined ? undefined : Buffer.from(json).toString('base64'),
  };
}

// Table of in-app notifications; unread ones are emphasized.

export const inboxColumns: readonly Column<InboxItem>[] = [
  { field: '_id', header: 'ID', drop: 7, tone: ({ read }) => (read ? 'muted' : 'strong') },
  { field: 'createdAt', header: 'WHEN', time: true },
  {
    field: 'read',
    header: 'READ',
    value: ({ read }) => (read ? 'yes' : 'no'),
    tone: ({ read }) => (read ? 'muted' : 'good'),
  },
  { field: 'seen', header: 'SEEN', value: ({ seen }) => (seen ? 'yes' : 'no'), drop: 4 },
  { field: 'templateIdentifier', header: 'WORKFLOW', drop: 1 },
  { field: 'subject', header: 'SUBJECT', shrink: true, wholeWords: true },
  { field: 'content', header: 'CONTENT', shrink: true, wholeWords: true },
  { field: 'status', header: 'STATUS', tone: ({ status }) => (status === 'sent' ? 'good' : 'bad') },
  { field: 'transactionId', header: 'TRANSACTION', drop: 8 },
];
