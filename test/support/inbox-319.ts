// The routes of server 3.19 for the notifications of a subscriber, as they were recorded. Only u1 has an inbox.
import type { Answerer, FakeAnswer } from './rig.ts';
import { answered, refused } from './server-319.ts';

export interface Notification319 {
  id: string;
  isRead: boolean;
  isSeen: boolean;
  isArchived: boolean;
  isSnoozed: boolean;
  createdAt: string;
  tags: string[];
  severity: string;
  snoozedUntil?: string;
  primaryAction?: { label: string; isCompleted: boolean; redirect?: object };
  [member: string]: unknown;
}

export const notification319 = (
  id: string,
  more: Partial<Notification319> = {},
): Notification319 => ({
  ...{ id, transactionId: `tx-${id.slice(-2)}`, subject: 'Hi A', body: 'Welcome N1' },
  to: { id: 'a'.repeat(24), firstName: 'A', subscriberId: 'u1' },
  ...{ isRead: false, isSeen: false, isArchived: false, isSnoozed: false },
  ...{ deliveredAt: ['2026-01-15T11:00:00.000Z'], createdAt: '2026-01-15T11:00:00.000Z' },
  ...{ channelType: 'in_app', tags: ['onboarding'], severity: 'none', data: { name: 'N1' } },
  workflow: {
    ...{ critical: false, id: 'b'.repeat(24), identifier: 'welcome', name: 'Welcome' },
    ...{ tags: ['onboarding'], severity: 'none' },
  },
  ...more,
});

/** Ids that the examples of commands name. */
export const ids319 = [
  '67748580259aa8ef98259b5a',
  '67748580259aa8ef98259b4b',
  '67748580259aa8ef98259b2b',
] as const;

const button = { label: 'Yes', isCompleted: false, redirect: { url: '/yes', target: '_self' } };

/** The notifications that the examples name. The one of the examples of `unsnooze` is snoozed. */
export const examples319 = () =>
  ids319.map((id, index) =>
    notification319(id, { primaryAction: button, isSnoozed: index === ids319.length - 1 }),
  );

/** Answers the routes; leaves other requests to the sandbox. The newest notification comes first. */
export function inbox319(
  items = ids319.map((id) => notification319(id, { primaryAction: button })),
): Answerer {
  const inbox = [...items];
  return ({ method, url, body }) => {
    const [, subscriber, rest = ''] =
      /^\/v2\/subscribers\/([^/]+)\/notifications(?:\/(.+))?$/.exec(url.pathname) ?? [];
    if (subscriber === undefined) return undefined;
    if (subscriber !== 'u1')
      return refused(400, 'Bad Request', `Subscriber with id: ${subscriber} is not found.`);
    if (method === 'GET') return rest === 'count' ? count(inbox, url) : list(inbox, url);
    const [id = '', ...change] = rest.split('/');
    if (!/^[0-9a-f]{24}$/.test(id))
      return {
        status: 422,
        body: {
          statusCode: 422,
          message: 'notificationId must be a mongodb id',
          errors: { notificationId: { messages: ['notificationId must be a mongodb id'] } },
        },
      };
    const item = inbox.find((one) => one.id === id);
    if (!item) return refused(404, 'Not Found', `Notification with id: ${id} is not found.`);
    if (method === 'PATCH') return patch(item, change, body);
    inbox.splice(inbox.indexOf(item), 1);
    return { status: 204 };
  };
}

function list(inbox: readonly Notification319[], { searchParams }: URL): FakeAnswer {
  const flag = (name: string) =>
    searchParams.has(name) ? searchParams.get(name) === 'true' : undefined;
  const filter = {
    ...{ read: flag('read'), seen: flag('seen') },
    ...{ archived: flag('archived'), snoozed: flag('snoozed') },
    ...{ tags: searchParams.getAll('tags'), severity: searchParams.getAll('severity') },
  };
  if (filter.read === false && filter.archived)
    return refused(400, 'Bad Request', 'Filtering for unread and archived is not supported.');
  const since = Number(searchParams.get('createdGte') ?? 0);
  const matches = inbox.filter((one) => isMatch(one, filter) && Date.parse(one.createdAt) >= since);
  const limit = Number(searchParams.get('limit') ?? 10);
  const offset = Number(searchParams.get('offset') ?? 0);
  const data = matches.slice(offset, offset + limit);
  return { status: 200, body: { data, hasMore: offset + limit < matches.length, filter } };
}

function count(inbox: readonly Notification319[], { searchParams }: URL): FakeAnswer {
  const filters = JSON.parse(searchParams.get('filters') ?? '[]') as Filter[];
  return answered(
    200,
    filters.map((filter) => ({
      count: Math.min(100, inbox.filter((one) => isMatch(one, filter)).length),
      filter,
    })),
  );
}

interface Filter {
  read?: boolean | undefined;
  seen?: boolean | undefined;
  archived?: boolean | undefined;
  snoozed?: boolean | undefined;
  tags?: string[];
  severity?: string[];
}

function isMatch(one: Notification319, { tags = [], severity = [], ...states }: Filter): boolean {
  const is = (wanted: boolean | undefined, state: boolean) => (wanted ?? state) === state;
  return (
    is(states.read, one.isRead) &&
    is(states.seen, one.isSeen) &&
    is(states.archived, one.isArchived) &&
    is(states.snoozed, one.isSnoozed) &&
    (tags.length === 0 || tags.some((tag) => one.tags.includes(tag))) &&
    (severity.length === 0 || severity.includes(one.severity))
  );
}

function patch(item: Notification319, [change = '', type, verb]: string[], body: unknown) {
  if (change === 'archive' || change === 'unarchive')
    Object.assign(item, { isArchived: change === 'archive', isRead: true, isSeen: true });
  if (change === 'unsnooze' && !item.isSnoozed)
    return refused(404, 'Not Found', `Could not find a snoozed notification with id '${item.id}'.`);
  if (change === 'snooze' || change === 'unsnooze') {
    const { snoozeUntil } = (body ?? {}) as { snoozeUntil?: string };
    Object.assign(item, { isSnoozed: change === 'snooze', snoozedUntil: snoozeUntil });
  }
  if (change === 'actions') {
    if (type !== 'primary' || !item.primaryAction)
      return refused(
        ...([400, 'Bad Request'] as const),
        `Could not perform action on the ${type} button because it does not exist.`,
      );
    item.primaryAction = { ...item.primaryAction, isCompleted: verb === 'complete' };
    Object.assign(item, { isRead: true, isSeen: true });
  }
  return answered(200, item);
}
