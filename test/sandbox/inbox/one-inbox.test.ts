// There is one store of in-app messages: what an inbox client changes shows in every other view of them.
import { describe, expect, it, test } from 'vitest';
import { serveInbox } from './served-inbox.ts';

const shown = ({ read, seen, archived }: Record<string, unknown>) => ({ read, seen, archived });

it('shows in the feed, in sent messages and in captured messages what a client changed', async () => {
  const { ask, control, openSession, trigger } = await serveInbox();
  const session = await openSession('u1');
  await trigger('u1');
  const [{ id }] = (await session.ask('GET /notifications')).body.data;
  const views = async () => {
    const feed = (await ask('GET /v1/subscribers/u1/notifications/feed')).body.data[0];
    const sent = (await ask('GET /v1/messages')).body.data[0];
    const [captured] = (await control.messages({ limit: 1 })).data;
    return { feed, sent, captured: captured as Record<string, unknown> };
  };
  await session.ask(`PATCH /notifications/${id}/archive`);
  const { feed, sent, captured } = await views();
  const archived = { read: true, seen: true, archived: true };
  expect([feed, sent, captured].map(shown)).toEqual([archived, archived, archived]);
  expect([feed.archivedAt, feed.firstSeenDate, sent.archivedAt]).toEqual([
    ...[expect.any(String), expect.any(String), feed.archivedAt],
  ]);
  const snoozeUntil = new Date(Date.now() + 7_200_000).toISOString();
  await session.ask(`PATCH /notifications/${id}/snooze`, { snoozeUntil });
  const snoozed = await views();
  expect([snoozed.feed.snoozedUntil, snoozed.captured.snoozedUntil]).toEqual([
    snoozeUntil,
    snoozeUntil,
  ]);
  expect(shown(snoozed.captured)).toEqual({ ...archived, archived: false });
  await ask('POST /v1/subscribers/u1/messages/mark-as', { messageId: id, markAs: 'unread' });
  const [listed] = (await session.ask('GET /notifications?snoozed=true')).body.data;
  expect(listed).toMatchObject({ isRead: false, isSnoozed: true, snoozedUntil: snoozeUntil });
  await session.ask(`DELETE /notifications/${id}/delete`);
  expect((await control.messages({ limit: 1 })).data).toEqual([]);
  expect((await control.advanceClock(10_800_000)).jobsRun).toBe(0);
});

it.each([
  ['in any contexts', undefined, []],
  ['in one of the contexts', { tenant: 'a' }, ['email', 'in_app']],
])(
  'marks and deletes the messages of every channel %s, as the service does',
  async (_, context, left) => {
    const { ask, control, openSession } = await serveInbox();
    const to = { subscriberId: 'u1', email: 'u1@example.com' };
    const event = { name: 'note-and-email', to, payload: {} };
    await ask('POST /v1/events/trigger', event);
    await ask('POST /v1/events/trigger', { ...event, context: { tenant: 'a', app: 'b' } });
    const session = await openSession('u1', context && { context });
    await session.ask('POST /notifications/read', {});
    const read = (await ask('GET /v1/messages')).body.data.map((sent: object) =>
      Reflect.get(sent, 'read'),
    );
    expect(read).toEqual(context ? [true, true, false, false] : [true, true, true, true]);
    await session.ask('POST /notifications/delete', {});
    const { data } = await control.messages({ limit: 10 });
    expect(data.map(({ channel }) => channel)).toEqual(left);
  },
);

test('faults of the sandbox also apply to inbox clients', async () => {
  const { control, openSession } = await serveInbox();
  const { ask } = await openSession('u1');
  await control.setFaults({ failNext: 1, status: 502 });
  expect((await ask('GET /notifications')).status).toBe(502);
  expect((await ask('GET /notifications')).status).toBe(200);
});

it('lists notifications by every filter of the service, and by those of newer clients', async () => {
  const { openSession, trigger } = await serveInbox();
  const { ask } = await openSession('u1');
  for (const n of [1, 2, 3]) await trigger('u1', n);
  const listed = async (query: string) => {
    const { body } = await ask(`GET /notifications?${query}`);
    return body.data.map(({ subject }: { subject: string }) => subject.slice(-1)).join('');
  };
  const [third, , first] = (await ask('GET /notifications')).body.data;
  await ask(`PATCH /notifications/${third.id}/archive`);
  const at = Date.parse(first.createdAt);
  const cases: Record<string, string> = {
    'archived=false': '21',
    'read=true&archived=true': '3',
    'seen=false&snoozed=false': '21',
    'tags[]=news&limit=1': '3',
    'tags[]=none': '',
    'tags[0][]=news&tags[0][]=x&tags[1][]=none': '',
    'tags[0][]=news&tags[0][]=x': '321',
    'severity=high&offset=1': '21',
    'severity[]=low&severity[]=none': '',
    'data={"kind":"k2"}': '2',
    'data={"kind":{"k":2}}': '',
    [`after=${third.id}`]: '21',
    [`createdLte=${at}`]: '1',
    [`createdGte=${at + 60_000}`]: '',
    'createdGte=-1e300&createdLte=1e300': '321',
  };
  const results: Record<string, string> = {};
  for (const query of Object.keys(cases)) results[query] = await listed(query);
  expect(results).toEqual(cases);
  const count = async (filters: unknown) =>
    (await ask(`GET /notifications/count?filters=${JSON.stringify(filters)}`)).body;
  const tags = { and: [{ or: ['news'] }, { or: ['none'] }] };
  const { data } = await count([
    { archived: false },
    { tags },
    { tags: { or: ['news'] } },
    { data: { kind: 'k1' } },
  ]);
  expect(data.map((entry: { count: number }) => entry.count)).toEqual([2, 0, 3, 1]);
});

it('says what is wrong with a filter', async () => {
  const { openSession } = await serveInbox();
  const { ask } = await openSession('u1');
  const message = async (query: string) => {
    const { status, body } = await ask(`GET /notifications${query}`);
    return [status, body.errors?.general.messages.join('; ') ?? body.message];
  };
  const unreadArchived = [400, 'Filtering for unread and archived notifications is not supported.'];
  expect(await message('?read=false&archived=true')).toEqual(unreadArchived);
  const filters = encodeURIComponent('[{"read":false,"archived":true}]');
  expect(await message(`/count?filters=${filters}`)).toEqual(unreadArchived);
  const cases: [query: string, status: number, text: string][] = [
    ['?tags=news', 422, 'each value in tags must be a string; tags must be an array'],
    ['?after=x', 422, 'The after cursor must be a valid MongoDB ObjectId'],
    ['?offset=-1', 422, 'offset must not be less than 0'],
    ['?data=[1]', 400, 'Data must be an object'],
    ['?data={"a":[1]}', 400, 'Arrays are not supported in data filter'],
    ['?data={"a":{"b":{"c":1}}}', 400, 'Maximum nesting level exceeded (2 levels max)'],
    [`?data={"a":"${'x'.repeat(257)}"}`, 400, 'String value for a exceeds 256 characters'],
    ['/count?filters=[{"read":"no"}]', 422, 'filters.0.read must be a boolean value'],
  ];
  for (const [query, status, text] of cases) expect(await message(query)).toEqual([status, text]);
});

describe('version 3.19', () => {
  const values = (count: number) => Array.from({ length: count }, (_, index) => index);

  it('filters by lists of values, and by groups of which each has one', async () => {
    const { openSession, trigger } = await serveInbox({ service: '3.19' });
    const { ask } = await openSession('u1');
    for (const n of [1, 2, 3]) await trigger('u1', n);
    const cases: Record<string, string> = {
      'data={"kind":["k1","k3"]}': '31',
      'data={"kind":{"or":["k2","none"]}}': '2',
      'data={"kind":{"and":[{"or":["k1","k2"]},{"or":["k2","k3"]}]}}': '2',
      'data={"kind":{"and":[{"or":["k1"]},{"or":["k2"]}]}}': '',
      'data={"kind":[],"other":{"or":[]},"more":{"and":[]}}': '321',
      'data={"other":[null,1]}': '321',
      'data={"kind":{"k":["k1"]}}': '',
      'tags=news': '321',
      'tags[or][]=none&tags[or][]=news': '321',
      'tags[and][0][or][]=news&tags[and][1][or][]=none': '',
      'tags[and][0][]=news': '321',
    };
    for (const [query, expected] of Object.entries(cases)) {
      const { body } = await ask(`GET /notifications?${query}`);
      const found = body.data.map(({ subject }: { subject: string }) => subject.slice(-1)).join('');
      expect([query, found]).toEqual([query, expected]);
    }
    await ask('POST /notifications/read', { data: '{"kind":["k1","k2"]}' });
    const filters = encodeURIComponent('[{"data":{"kind":["k1","k3"]},"read":true}]');
    expect((await ask(`GET /notifications/count?filters=${filters}`)).body.data[0].count).toBe(1);
  });

  it.each([
    ['[1]', 'Data filter must be an object'],
    ['{"":1}', 'Empty keys are not allowed under data'],
    ['{"a":{"$b":1}}', 'Key "$b" under a cannot start with "$" or "."'],
    ['{"constructor":1}', 'Key "constructor" under data is not allowed'],
    ['{"a":{"b":{"c":1}}}', 'Maximum nesting level exceeded (2 levels max) at a.b'],
    ['{"a":[[1]]}', 'Nested arrays are not supported for a; use { and: [{ or: Scalar[] }, ...] }'],
    ['{"a":[{}]}', 'Value for a must be a scalar (string, number, boolean, or null)'],
    ['{"a":{"or":[1],"and":[]}}', 'Filter for a cannot have both "or" and "and"'],
    ['{"a":{"or":[1],"b":1}}', 'Invalid filter object for a'],
    ['{"a":{"or":1}}', '"or" for a must be an array of scalars'],
    ['{"a":{"and":1}}', '"and" for a must be an array'],
    ['{"a":{"and":[[1]]}}', 'Each "and" entry for a must be { or: Scalar[] }'],
    ['{"a":{"and":[{"or":[]}]}}', 'Each group for a must be a non-empty array'],
    [
      JSON.stringify({ a: values(101) }),
      'At most 100 values are allowed in a single OR-group for a',
    ],
    [
      JSON.stringify({ a: { and: values(31).map((value) => ({ or: [value] })) } }),
      'At most 30 groups are allowed for a',
    ],
    [
      JSON.stringify({ a: { and: values(3).map(() => ({ or: values(67) })) } }),
      'At most 200 total values are allowed for a',
    ],
    [JSON.stringify({ a: ['x'.repeat(257)] }), 'String value for a exceeds 256 characters'],
  ])('rejects %s', async (data, message) => {
    const { openSession } = await serveInbox({ service: '3.19' });
    const { ask } = await openSession('u1');
    const { status, body } = await ask(`GET /notifications?data=${encodeURIComponent(data)}`);
    expect(status).toBe(400);
    expect(body.message).toContain(message);
  });
});

it('keeps the default schedule of the first session until the subscriber changes it', async () => {
  const { ask, openSession } = await serveInbox();
  const week = (day: string) => ({
    isEnabled: true,
    weeklySchedule: { [day]: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] } },
  });
  const readSchedule = async (defaultSchedule?: object) =>
    (await openSession('u1', defaultSchedule ? { defaultSchedule } : {})).session.schedule;
  expect(await readSchedule()).toBeUndefined();
  expect(await readSchedule(week('monday'))).toEqual(week('monday'));
  expect(await readSchedule(week('friday'))).toEqual(week('monday'));
  const { body } = await ask('GET /v2/subscribers/u1/preferences');
  expect(body.data.global.schedule).toEqual(week('monday'));
  const { ask: change } = await openSession('u1');
  await change('PATCH /preferences', { schedule: week('sunday') });
  expect(await readSchedule()).toEqual(week('sunday'));
});
