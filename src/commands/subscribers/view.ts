// The columns of subscribers and of the topics of a subscriber.

import type { Cursor } from '../../api/pages-by-cursor.ts';
import type { Item } from '../../api/paginate.ts';
import type { Context } from '../../app/context.ts';
import { json, text } from '../../cli/options.ts';
import { dashed } from '../../cli/spelling.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import type { Column } from '../../output/result.ts';
import type { Input, OperationId } from '../../service/operations/index.ts';
import type { ChannelSettings, Subscriber } from '../../service/schemas/subscribers.ts';
import type { ListedSubscription } from '../../service/schemas/topics.ts';
import { identifierColumns } from '../shared/subscription-columns.ts';

export const subscriberColumns: readonly Column<Subscriber>[] = [
  { field: 'subscriberId', header: 'SUBSCRIBER', tone: () => 'strong' },
  { field: 'email', header: 'EMAIL' },
  { field: 'firstName', header: 'FIRST NAME', shrink: true, drop: 1 },
  { field: 'lastName', header: 'LAST NAME', shrink: true, drop: 1 },
  { field: 'phone', header: 'PHONE', drop: 2 },
  { field: 'locale', header: 'LOCALE', drop: 6 },
  { field: 'timezone', header: 'TIME ZONE', drop: 7 },
  { field: 'avatar', header: 'AVATAR', shrink: true, drop: 9 },
  { field: 'data', header: 'DATA', shrink: true, drop: 5 },
  { field: 'createdAt', header: 'CREATED', time: true, drop: 4 },
  { field: 'updatedAt', header: 'UPDATED', time: true, drop: 3 },
  { field: '_id', header: 'ID', drop: 10, tone: () => 'muted' },
];

export const subscriberId = (subscriber: Subscriber) => subscriber.subscriberId;

export const channelColumns: readonly Column<ChannelSettings>[] = [
  { field: 'providerId', header: 'PROVIDER', tone: () => 'strong' },
  { field: 'integrationIdentifier', header: 'INTEGRATION' },
  { field: 'credentials', header: 'CREDENTIALS', shrink: true },
];

export const subscribedTopicColumns: readonly Column<ListedSubscription>[] = [
  { field: 'topic.key', header: 'KEY', tone: () => 'strong' },
  { field: 'topic.name', header: 'NAME', shrink: true },
  { field: 'createdAt', header: 'SUBSCRIBED', time: true, drop: 1 },
  ...identifierColumns,
];

// Listings that can continue from a stored position.

export const firstCursor: Cursor = { ids: [], hasMore: false };

/** All items after a position, oldest first, with the position after each page. Includes those that are created meanwhile. */
export async function* oldestFirst<Id extends OperationId>(
  context: Context,
  id: Id,
  input: Input<Id>,
  from: Cursor,
): AsyncGenerator<{ items: Item<Id>[]; cursor: Cursor }, void, void> {
  const sorted = { ...input, query: { orderDirection: 'ASC' } } as Input<Id>;
  for await (const { items, cursor = from } of context.pages(id, sorted, { all: true, from }))
    yield { items, cursor };
}

export const subscriberPages = (context: Context, from: Cursor) =>
  oldestFirst(context, 'listSubscribers', {}, from);

/** Requests of an export for single subscribers or subscriptions, at the same time. */
export const concurrentRequests = 16;

// The options for the profile of a subscriber, and errors that name them.

export const profileOptions = {
  firstName: text('--first-name <text>', 'First name'),
  lastName: text('--last-name <text>', 'Last name'),
  email: text('--email <address>', 'E-mail address'),
  phone: text('--phone <number>', 'Phone number'),
  avatar: text('--avatar <url>', 'URL of a picture'),
  locale: text('--locale <locale>', 'Locale such as en or en-US'),
  timezone: text('--timezone <zone>', 'IANA time zone such as Europe/Berlin'),
  data: json('--data <json|@file>', 'Custom data as a JSON object'),
};

const invalidField = /^The request is not valid: `(?:subscribers\.0\.)?(\w+)` (.*)$/;

/** Names the option of an invalid field instead of the place in the request. */
export function nameOptions(error: unknown, options: Readonly<Record<string, unknown>>): unknown {
  if (!(error instanceof SvcError) || error.exitReason !== 'usage') return error;
  const [, field = '', problem = ''] = invalidField.exec(error.message) ?? [];
  if (!Object.hasOwn(profileOptions, field) || typeof options[field] !== 'string') return error;
  const fieldErrors = error.details.fieldErrors?.map((fieldError) => ({
    ...fieldError,
    field: fieldError.field.replace(/^subscribers\.0\./, ''),
  }));
  return usageError(`${dashed(field)}: \`${options[field]}\` ${problem}`, {
    ...error.details,
    ...(fieldErrors ? { fieldErrors } : {}),
  });
}
