// The sandbox in the mode `specification`: what every operation returns to literal requests, compared with
// support/specification.ts, and the limits of the specification.
import { describe, expect, it } from 'vitest';
import { developmentId, seedId } from '../src/sandbox/store/ids.ts';
import { openSandbox } from './sandbox/open.ts';
import { operations } from './support/specification.ts';
import { differences } from './support/wire-shapes.ts';

const open = () => openSandbox({ mode: 'specification' });

const u1 = '/v1/subscribers/u1';
const people = 'POST /v1/subscribers/bulk';
const bulk = 'POST /v1/events/trigger/bulk';
const mail = seedId('integration:sendgrid-email');
/** A message in the inbox of u1. */
const message = '67748580259aa8ef98259b2b';
const seeded = ['welcome', 'comment-digest'];
const contexts = [
  { type: 'tenant', id: 'org-acme' },
  { type: 'tenant', id: 'org-globex' },
  { type: 'app', id: 'jira' },
] as const;
const slack = { providerId: 'slack', credentials: { webhookUrl: 'https://hooks.slack.test/1' } };
const phone = { providerId: 'fcm', credentials: { deviceTokens: ['token-1'] } };
const channels = { email: false, sms: true, in_app: true, chat: false, push: true };
const day = { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] };
const schedule = { isEnabled: true, weeklySchedule: { monday: day, sunday: { isEnabled: false } } };
const proPlan = {
  ...{ isNegated: false, type: 'GROUP', value: 'AND' },
  children: [{ field: 'plan', value: 'pro', operator: 'EQUAL', on: 'payload' }],
};
const settings = {
  ...{ name: 'Mail 2', identifier: 'mail-2', active: true, _environmentId: developmentId },
  ...{ conditions: [proPlan], configurations: { inboundWebhookEnabled: true } },
};
const sender = { from: 'noreply@acme.test', senderName: 'Acme' };
const isMail = { _id: mail, providerId: 'sendgrid', channel: 'email', deleted: false };
const profile = {
  ...{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+15550100' },
  ...{ avatar: 'https://example.com/ada.png', locale: 'en_GB', timezone: 'Europe/London' },
  data: { plan: 'pro' },
};
const event = (name: string, transactionId: string, subscriberId = 'u1') => ({
  ...{ name, transactionId, to: [{ subscriberId }] },
});
const eventOfAll = {
  ...{ name: 'welcome', payload: { orderId: '42' }, overrides: { fcm: { data: { badge: '1' } } } },
  to: [{ subscriberId: 'ada', ...profile, channels: [slack] }],
  ...{ transactionId: 'all', actor: 'u1', tenant: 'org-acme' },
  context: { tenant: 'org-acme', app: 'jira' },
};
const digested = { ...event('comment-digest', 'tx 1/a'), payload: { postId: '7' } };
const all = (items: unknown[]): unknown => expect.arrayContaining(items);
const some = (members: object): unknown => expect.objectContaining(members);

type Line = [line: string, body?: unknown];
type Id = keyof typeof operations;
interface Row {
  before?: Line[];
  /** A part of the response. */
  returns?: unknown;
  /** Optional members that the response has. */
  shows?: string;
}

const newEnvironment = { name: 'Staging', parentId: developmentId, color: '#ff8800' };
const welcomeOff = { workflowId: 'welcome', channels: { email: false } };
const rows: [id: Id, request: Line, row: Row][] = [
  [
    'updateIntegration',
    [`PUT /v1/integrations/${mail}`, { ...settings, credentials: { apiKey: 'SG.key', ...sender } }],
    { returns: { ...settings, ...isMail, credentials: sender } },
  ],
  [
    'deleteIntegration',
    [`DELETE /v1/integrations/${mail}`],
    { returns: expect.not.arrayContaining([some({ _id: mail })]), shows: '_id' },
  ],
  [
    'setSubscriberCredentials',
    [`PATCH ${u1}/credentials`, slack],
    { returns: { subscriberId: 'u1', channels: all([some(slack)]) } },
  ],
  [
    'setSubscriberCredentials',
    ['PATCH /v1/subscribers/a%40b.c%2F1/credentials', phone],
    { before: [[people, { subscribers: [{ subscriberId: 'a@b.c/1' }] }]] },
  ],
  [
    'deleteSubscriberCredentials',
    [`DELETE ${u1}/credentials/slack`],
    { before: [[`PATCH ${u1}/credentials`, slack]] },
  ],
  [
    'bulkCreateSubscribers',
    [people, { subscribers: [{ subscriberId: 'ada', ...profile }, { subscriberId: 'u1' }] }],
    {
      returns: {
        ...{ updated: [{ subscriberId: 'u1' }], created: [{ subscriberId: 'ada' }], failed: [] },
      },
    },
  ],
  [
    'getSubscriberPreferences',
    ['GET /v2/subscribers/u1/preferences?criticality=all'],
    {
      returns: {
        workflows: all(seeded.map((identifier) => some({ workflow: some({ identifier }) }))),
      },
    },
  ],
  [
    'updateSubscriberPreferences',
    ['PATCH /v2/subscribers/u1/preferences', { channels, schedule }],
    { returns: { global: { channels, schedule } } },
  ],
  [
    'updateSubscriberPreferences',
    ['PATCH /v2/subscribers/u1/preferences', welcomeOff],
    {
      returns: {
        global: { channels: { email: true } },
        workflows: all([
          some({
            channels: some({ email: false }),
            overrides: all([{ channel: 'email', source: 'subscriber' }]),
            workflow: some({ identifier: 'welcome' }),
          }),
        ]),
      },
    },
  ],
  [
    'listInboxNotifications',
    [`GET ${u1}/notifications/feed?page=0&limit=100`],
    {
      returns: { page: 0, data: all([some({ channel: 'in_app' })]) },
      shows: 'data.actor data.subscriber',
    },
  ],
  [
    'markInboxNotifications',
    [`POST ${u1}/messages/mark-as`, { messageId: [message], markAs: 'read' }],
    { returns: [{ _id: message, read: true, channel: 'in_app' }] },
  ],
  [
    'subscribeToTopic',
    ['POST /v2/topics/news/subscriptions', { subscriberIds: ['u1', 'unknown'] }],
    {
      returns: {
        data: [{ topic: { key: 'news' }, subscriber: { subscriberId: 'u1' } }],
        meta: { totalCount: 2, successful: 1, failed: 1 },
        errors: [{ subscriberId: 'unknown', code: 'SUBSCRIBER_NOT_FOUND' }],
      },
    },
  ],
  [
    'listTopics',
    ['GET /v2/topics?limit=2&orderDirection=ASC&orderBy=createdAt'],
    {
      returns: {
        ...{ data: [{}, {}], next: expect.any(String), previous: null },
        ...{ totalCount: 3, totalCountCapped: false },
      },
    },
  ],
  ['getTopic', ['GET /v2/topics/announcements'], { returns: { key: 'announcements' } }],
  [
    'renameTopic',
    ['PATCH /v2/topics/announcements', { name: 'News' }],
    { returns: { key: 'announcements', name: 'News' } },
  ],
  [
    'listContexts',
    ['GET /v2/contexts?limit=10&orderDirection=DESC&orderBy=createdAt&includeCursor=false'],
    { returns: { data: all(contexts.map(some)) } },
  ],
  ['getContext', ['GET /v2/contexts/tenant/org-acme'], { returns: contexts[0] }],
  [
    'createEnvironment',
    ['POST /v1/environments', newEnvironment],
    { returns: { name: 'Staging', _parentId: developmentId } },
  ],
  [
    'listEnvironments',
    ['GET /v1/environments'],
    {
      before: [['POST /v1/environments', newEnvironment]],
      returns: all(['Development', 'Production', 'Staging'].map((name) => some({ name }))),
      shows: 'apiKeys',
    },
  ],
  [
    'listWorkflows',
    ['GET /v2/workflows?limit=50&offset=0&orderDirection=ASC&orderBy=name'],
    {
      returns: { workflows: all(seeded.map((workflowId) => some({ workflowId }))) },
      shows: 'workflows.steps.issues.controls workflows.updatedBy',
    },
  ],
  [
    'getWorkflow',
    [`GET /v2/workflows/welcome?environmentId=${developmentId}`],
    { returns: { workflowId: 'welcome', steps: [{ workflowId: 'welcome' }, {}] } },
  ],
  ['getWorkflow', ['GET /v2/workflows/broken-invoice'], { shows: 'steps.issues.controls' }],
  [
    'getWorkflowStep',
    ['GET /v2/workflows/welcome/steps/welcome-email'],
    { returns: { stepId: 'welcome-email', workflowId: 'welcome' } },
  ],
  ['triggerEvents', [bulk, { events: [eventOfAll] }], { returns: [{ status: 'processed' }] }],
  [
    'triggerEvents',
    [bulk, { events: [digested, event('unknown', 'tx2'), event('welcome', 'tx3')] }],
    {
      returns: [
        { acknowledged: true, status: 'processed', transactionId: 'tx 1/a' },
        { status: 'error', error: [expect.any(String)] },
        { acknowledged: true, status: 'processed', transactionId: 'tx3' },
      ],
    },
  ],
  [
    'cancelEvent',
    ['DELETE /v1/events/trigger/tx%201%2Fa'],
    { before: [[bulk, { events: [digested] }]], returns: true },
  ],
  [
    'listActivity',
    ['GET /v1/notifications?subscriberIds=u1&page=0&limit=50'],
    {
      before: [[bulk, { events: [digested, { ...eventOfAll, transactionId: 'tx2', to: 'u1' }] }]],
      returns: {
        page: 0,
        data: all([
          some({ transactionId: 'tx 1/a', payload: { postId: '7' } }),
          some({ transactionId: 'tx2' }),
        ]),
      },
      shows:
        'data.topics.topicKey data.contextKeys data.tags data.severity data.critical data.template.triggers data.jobs.digest data.jobs.executionDetails.raw',
    },
  ],
];

it('covers every operation', () => {
  expect(new Set(rows.map(([id]) => id))).toEqual(new Set(Object.keys(operations)));
});

it.each(rows)('%s returns what is specified (row %#)', async (id, request, row) => {
  const { ask } = await open();
  for (const line of row.before ?? []) await ask(...line);
  const { status, body } = await ask(...request);
  const [type = '', specifiedStatus] = operations[id].split(' ').reverse();
  if (type === '204') return expect([status, body]).toEqual([204, undefined]);
  expect(String(status)).toBe(specifiedStatus);
  const seen = new Set<string>();
  expect(differences(body, type, '', seen)).toEqual([]);
  if (typeof body === 'object') expect(body).toMatchObject(row.returns ?? {});
  else expect(body).toEqual(row.returns);
  expect([...seen]).toEqual(all(row.shows?.split(' ') ?? []));
});

describe('a listing', () => {
  it.each<[query: string, transactions: string[]]>([
    ['transactionId=tx1', ['tx1']],
    ['subscriberIds=ada', ['tx2']],
    ['subscriberIds=u1&subscriberIds=ada', ['tx1', 'tx2', 'tx3']],
    ['contextKeys=app:jira&contextKeys=tenant:org-acme', ['tx3']],
    [`templates=${seedId('workflow:welcome')}`, ['tx1', 'tx2']],
    ['channels=in_app&channels=email&severity=high&severity=none', ['tx1', 'tx2']],
    ['channels=push', []],
    ['topicKey=no-such-topic', []],
    ['emails=unknown@example.test', []],
    ['after=2027-01-01T00:00:00.000Z', []],
    ['after=2000-01-01T00:00:00.000Z&before=2000-01-02T00:00:00.000Z', []],
  ])('of activity filters by %s', async (query, transactions) => {
    const { ask } = await open();
    await ask(people, { subscribers: [{ subscriberId: 'ada' }] });
    const context = { tenant: 'org-acme', app: 'jira' };
    const events = [event('welcome', 'tx1'), event('welcome', 'tx2', 'ada')];
    await ask(bulk, { events: [...events, { ...event('comment-digest', 'tx3'), context }] });
    const { status, body } = await ask(`GET /v1/notifications?limit=50&${query}`);
    const found = body.data.map((item: { transactionId: string }) => item.transactionId);
    const named = found.filter((transaction: string) => /^tx\d$/.test(transaction)).toSorted();
    expect([status, named]).toEqual([200, transactions]);
  });
});

describe('a limit', () => {
  const many = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, n) => make(n));
  const subscriberIds = (count: number) => many(count, (n) => `s${n}`);

  it.each<[string, number, (count: number) => object, (body: never) => number]>([
    [
      people,
      500,
      (count) => ({ subscribers: subscriberIds(count).map((subscriberId) => ({ subscriberId })) }),
      ({ created }: { created: unknown[] }) => created.length,
    ],
    [
      bulk,
      100,
      (count) => ({ events: many(count, (n) => event('welcome', `tx${n}`)) }),
      (results: unknown[]) => results.length,
    ],
    [
      'POST /v2/topics/crowd/subscriptions',
      100,
      (count) => ({ subscriberIds: ['u1', ...subscriberIds(count - 1)] }),
      ({ meta }: { meta: { totalCount: number } }) => meta.totalCount,
    ],
  ])('of %s is %i items', async (line, limit, make, count) => {
    const { ask } = await open();
    expect((await ask(line, make(limit + 1))).status).toBe(422);
    const { status, body } = await ask(line, make(limit));
    expect([status, count(body as never)]).toEqual([201, limit]);
  });

  it.each([
    ['/v2/topics?limit=', [100], [101]],
    [`${u1}/notifications/feed?limit=`, [100], [101]],
    ['/v1/notifications?limit=', [1, 50], [0, 51]],
    ['/v1/notifications?page=', [0], [-1]],
  ])('of %s accepts %j and rejects %j', async (target, accepted, rejected) => {
    const { ask } = await open();
    for (const value of accepted) expect((await ask(`GET ${target}${value}`)).status).toBe(200);
    for (const value of rejected) expect((await ask(`GET ${target}${value}`)).status).toBe(422);
  });

  it('is ten items by default, of the feed and of triggered events', async () => {
    const { ask } = await open();
    await ask(bulk, { events: many(20, (n) => event('welcome', `tx${n}`)) });
    const activity = (await ask('GET /v1/notifications')).body;
    expect(activity).toMatchObject({ hasMore: true, pageSize: 10, page: 0 });
    expect(activity.data).toHaveLength(10);
    const sizes = ['?limit=100', ''].map(async (query) => {
      const { body } = await ask(`GET ${u1}/notifications/feed${query}`);
      expect(body.pageSize).toBe(body.data.length);
      return body.data.length;
    });
    const [whole, first] = await Promise.all(sizes);
    expect([whole > 10, first]).toEqual([true, 10]);
  });
});
