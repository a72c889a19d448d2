// The subscriptions of the subscriber of a session to topics, since 3.13.
import { describe, expect, it, test } from 'vitest';
import { serveInbox } from './served-inbox.ts';

const list = '/topics/news/subscriptions';
const own = `${list}/own`;
const choice = '/subscriptions/own/preferences/note';
/** True for a payload with `n: 1`. */
const onlyOne = { '==': [{ var: 'payload.n' }, 1] };

async function open() {
  const inbox = await serveInbox({ service: '3.19' });
  const ada = await inbox.openSession('ada');
  const publish = (n: number, more: object = {}) =>
    inbox.trigger([{ type: 'Topic', topicKey: 'news' }], n, more);
  /** The subjects of the notifications of a session, oldest first. */
  const subjects = async ({ ask } = ada): Promise<string[]> =>
    (await ask('GET /notifications')).body.data
      .map(({ subject }: { subject: string }) => subject)
      .reverse();
  return { ...inbox, ada, publish, subjects };
}

describe('the subscriptions of a session', () => {
  it('are none, one or many, and those of the topic alone', async () => {
    const { ada } = await open();
    expect(await ada.ask(`GET ${list}`)).toMatchObject({ status: 200, body: { data: [] } });
    const name = '体育 🏅 '.repeat(20);
    const identifier = 'ü'.repeat(512);
    const topic = { name: '新闻' };
    const { status, body } = await ada.ask(`POST ${list}`, { identifier, name, topic });
    expect([status, body.data]).toEqual([201, { id: expect.any(String), identifier, name }]);
    await ada.ask(`POST ${list}`, {});
    await ada.ask('POST /topics/other/subscriptions', {});
    const all = (await ada.ask(`GET ${list}`)).body.data;
    expect(all).toEqual([
      { ...body.data, contextKeys: [] },
      { id: expect.any(String), identifier: 'tk_news:si_ada', contextKeys: [] },
    ]);
    const path = `${list}/${encodeURIComponent(identifier)}`;
    expect((await ada.ask(`GET ${path}`)).body.data).toEqual(all[0]);
  });

  it('are created once for an identifier', async () => {
    const { ada, ask } = await open();
    const first = await ada.ask(`POST ${list}`, { identifier: 'own', name: 'A' });
    const again = await ada.ask(`POST ${list}`, { identifier: 'own', name: 'B' });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect((await ask('GET /v2/topics/news/subscriptions')).body.data).toHaveLength(1);
  });

  it('show the preferences that would hold for workflows and tags that a request names', async () => {
    const { ada } = await open();
    await ada.ask(`POST ${list}`, {
      identifier: 'own',
      preferences: [{ workflowId: 'note', enabled: false }],
    });
    const shown = async (query: string) =>
      (await ada.ask(`GET ${own}${query}`)).body.data.preferences.map(
        ({ enabled, workflow }: { enabled: boolean; workflow: { identifier: string } }) => [
          workflow.identifier,
          enabled,
        ],
      );
    const stored = ['note', false];
    expect(await shown('')).toEqual([stored]);
    expect(await shown('?tags=news&workflowIds=')).toEqual([stored]);
    for (const query of [
      '?workflowIds=note-and-email',
      '?workflowIds=note-and-email&tags=a&tags=b',
    ])
      expect(await shown(query)).toEqual([stored, ['note-and-email', true]]);
  });

  it('of an unknown topic or identifier are empty, and cannot be changed', async () => {
    const { ada } = await open();
    expect((await ada.ask(`GET ${own}`)).status).toBe(204);
    const noTopic = [404, 'Topic with key news not found'];
    const failure = async (line: string) => {
      const { status, body } = await ada.ask(line, line.startsWith('PATCH') ? {} : undefined);
      return [status, body.message];
    };
    expect(await failure(`PATCH ${own}`)).toEqual(noTopic);
    expect(await failure(`DELETE ${own}`)).toEqual(noTopic);
    await ada.ask(`POST ${list}`, {});
    const unknown = 'Subscription with identifier own not found';
    expect(await failure(`PATCH ${own}`)).toEqual([404, `${unknown} for topic news`]);
    expect(await failure(`DELETE ${own}`)).toEqual([404, unknown]);
    expect(await failure(`PATCH ${choice}`)).toEqual([
      404,
      'Subscription with identifier: own is not found for the authenticated subscriber',
    ]);
    expect(await failure('PATCH /subscriptions/own/preferences/nope')).toEqual([
      404,
      'Workflow cannot be found',
    ]);
  });

  it.each([
    [{ identifier: 'x'.repeat(513) }, ['Subscription identifier must not exceed 512 characters']],
    [
      { identifier: 5, name: 6, topic: { name: 7 }, preferences: 'x' },
      [
        'Subscription identifier must not exceed 512 characters',
        'identifier must be a string',
        'name must be a string',
        'topic.name must be a string',
        'preferences must be an array',
      ],
    ],
  ])('are not created with an invalid body', async (sent, messages) => {
    const { ada, ask } = await open();
    const { status, body } = await ada.ask(`POST ${list}`, sent);
    expect([status, body.errors.general.messages]).toEqual([422, messages]);
    expect((await ask('GET /v2/topics/news')).status).toBe(404);
  });

  it.each([null, { filter: { tags: 5 } }])(
    'are not created with a preference that the service cannot read: %o',
    async (preference) => {
      const { ada, ask } = await open();
      expect((await ada.ask(`POST ${list}`, { preferences: [preference] })).status).toBe(422);
      expect((await ask('GET /v2/topics/news')).status).toBe(404);
    },
  );

  it('are at most ten in a topic; the topic still gets its name', async () => {
    const { ada, ask, openSession } = await open();
    for (let n = 0; n < 10; n += 1) await ada.ask(`POST ${list}`, { identifier: `s${n}` });
    const { status, body } = await ada.ask(`POST ${list}`, { topic: { name: 'Full' } });
    expect([status, body.message]).toEqual([
      400,
      'Subscriber ada has reached the maximum allowed of 10 subscriptions for topic "news"',
    ]);
    expect((await ask('GET /v2/topics/news')).body.data.name).toBe('Full');
    const eve = await openSession('eve');
    expect((await eve.ask(`POST ${list}`, {})).status).toBe(201);
  });
});

test('a session neither reads, changes nor takes the subscription of another subscriber', async () => {
  const { ada, ask, openSession } = await open();
  await ada.ask(`POST ${list}`, { identifier: 'own', preferences: ['note'] });
  const before = (await ada.ask(`GET ${list}`)).body.data;
  const eve = await openSession('eve');
  expect((await eve.ask(`GET ${list}`)).body.data).toEqual([]);
  expect((await eve.ask(`GET ${own}`)).status).toBe(204);
  const id = before[0].id;
  const attacks: [line: string, status: number, body?: object][] = [
    [`PATCH ${own}`, 404, { name: 'Eve', preferences: [] }],
    [`DELETE ${own}`, 404],
    [`PATCH ${choice}`, 404, { enabled: false }],
    [`PATCH /subscriptions/${id}/preferences/note`, 404, { enabled: false }],
    [
      'PATCH /preferences/bulk',
      404,
      { preferences: [{ workflowId: 'note', subscriptionIdentifier: 'own', enabled: false }] },
    ],
    [`POST ${list}`, 400, { identifier: 'own' }],
  ];
  for (const [line, status, body] of attacks)
    expect([line, (await eve.ask(line, body)).status]).toEqual([line, status]);
  expect((await ada.ask(`GET ${list}`)).body.data).toEqual(before);
  expect((await ask('GET /v2/topics/news/subscriptions')).body.data).toHaveLength(1);
});

describe('the preferences of a subscription', () => {
  it('decide whether an event of the topic reaches the subscriber', async () => {
    const { ada, publish, subjects } = await open();
    await ada.ask(`POST ${list}`, { identifier: 'own' });
    await publish(1);
    await ada.ask(`PATCH ${choice}`, { enabled: false });
    await publish(2);
    await ada.ask(`PATCH ${choice}`, { enabled: true });
    await publish(3);
    await ada.ask(`PATCH ${own}`, { preferences: [{ workflowId: 'note', condition: onlyOne }] });
    await publish(4);
    await publish(1);
    await ada.ask(`PATCH ${choice}`, { condition: { '==': [{ var: 'payload.n' }, 5] } });
    await publish(1);
    await publish(5);
    await ada.ask(`PATCH ${own}`, { preferences: [] });
    await publish(6);
    expect(await subjects()).toEqual(['Note 1', 'Note 3', 'Note 1', 'Note 5', 'Note 6']);
    await ada.ask(`DELETE ${own}`);
    await publish(7);
    expect(await subjects()).toHaveLength(5);
  });

  it('have a condition of JSON logic, which can be true or false, or none', async () => {
    const { ada, publish, subjects, control } = await open();
    await ada.ask(`POST ${list}`, { identifier: 'own' });
    const set = (condition: unknown, enabled: boolean) =>
      ada.ask(`PATCH ${own}`, { preferences: [{ workflowId: 'note', condition, enabled }] });
    await set(true, false);
    await publish(1);
    await set(null, true);
    await publish(2);
    expect((await set(false, true)).body.data.preferences).toMatchObject([{ condition: false }]);
    await publish(3);
    expect(await subjects()).toEqual(['Note 1', 'Note 2']);
    const stored = await control.exportState(true);
    await control.seed(stored);
    expect((await control.exportState(true)).environments).toEqual(stored.environments);
    expect(JSON.stringify(stored)).toContain('"condition":false');
  });

  it('are those of a workflow id, of an object and of a filter', async () => {
    const { ada, publish, subjects } = await open();
    const { body } = await ada.ask(`POST ${list}`, {
      identifier: 'own',
      preferences: ['nope', { filter: { tags: ['news'] }, condition: onlyOne }, 'note-and-email'],
    });
    expect(body.data.preferences).toMatchObject([
      {
        subscriptionId: 'own',
        enabled: true,
        condition: onlyOne,
        workflow: { identifier: 'note' },
      },
      { subscriptionId: 'own', enabled: true, workflow: { identifier: 'note-and-email' } },
    ]);
    await publish(1);
    await publish(2);
    await publish(3, { name: 'note-and-email' });
    expect(await subjects()).toEqual(['Note 1', 'Note 3']);
  });

  it('are changed for one workflow, with the channels, by identifier or internal id', async () => {
    const { ada, ask } = await open();
    const { body } = await ada.ask(`POST ${list}`, { identifier: 'own', preferences: ['note'] });
    const all = (enabled: boolean) => ({
      ...{ email: enabled, sms: enabled, in_app: enabled, chat: enabled, push: enabled },
    });
    const preference = {
      ...{ level: 'template', enabled: false, subscriptionId: 'own', channels: all(true) },
      workflow: {
        ...{ id: expect.any(String), identifier: 'note', name: 'Note', critical: false },
        ...{ tags: ['news'], severity: 'high' },
      },
    };
    const change = async (line: string, sent: object) => (await ada.ask(line, sent)).body.data;
    expect(await change(`PATCH ${choice}`, { enabled: false })).toEqual(preference);
    expect(
      await change(`PATCH /subscriptions/${body.data.id}/preferences/note`, {
        ...{ enabled: true, condition: onlyOne, sms: false },
      }),
    ).toEqual({
      ...{ ...preference, enabled: true, condition: onlyOne, subscriptionId: body.data.id },
      channels: { ...all(true), sms: false },
    });
    expect(await change(`PATCH ${choice}`, { push: false })).toMatchObject({
      ...{ enabled: true, condition: onlyOne, channels: { ...all(true), sms: false, push: false } },
    });
    // A workflow without a choice of its own follows the switch of the request.
    const other = 'PATCH /subscriptions/own/preferences/note-and-email';
    expect((await change(other, { enabled: false, email: true })).channels).toEqual({
      ...all(false),
      email: true,
    });
    expect((await change(other, { enabled: true })).channels).toEqual(all(true));
    const stored = (await ask('GET /v2/topics/news/subscriptions/own')).body.data.preferences;
    expect(stored.map(({ enabled }: { enabled: boolean }) => enabled)).toEqual([true, true]);
  });

  it('do not say that a workflow is critical, and can turn it off, as in the service', async () => {
    const { ada, ask, trigger } = await open();
    const all = { enabled: true, readOnly: true };
    const created = await ask('POST /v2/workflows', {
      ...{ name: 'Alarm', workflowId: 'alarm', active: true },
      steps: [{ name: 'In-app', type: 'in_app', controlValues: { body: 'Alarm' } }],
      preferences: { user: { all, channels: {} } },
    });
    expect(created.status).toBe(201);
    const { body } = await ada.ask(`POST ${list}`, { identifier: 'own', preferences: ['alarm'] });
    expect(body.data.preferences[0].workflow).toMatchObject({ critical: false, severity: 'none' });
    const changed = await ada.ask('PATCH /subscriptions/own/preferences/alarm', { enabled: false });
    expect(changed.body.data.workflow.critical).toBe(false);
    await trigger([{ type: 'Topic', topicKey: 'news' }], 1, { name: 'alarm' });
    expect((await ada.ask('GET /notifications')).body.data).toEqual([]);
  });

  it('are changed together with other preferences', async () => {
    const { ada, publish, subjects } = await open();
    await ada.ask(`POST ${list}`, { identifier: 'own' });
    const { body } = await ada.ask('PATCH /preferences/bulk', {
      preferences: [
        { workflowId: 'note', subscriptionIdentifier: 'own', condition: onlyOne },
        { workflowId: 'note-and-email', email: false },
      ],
    });
    expect(body.data).toMatchObject([
      { subscriptionId: 'own', enabled: true, condition: onlyOne },
      { channels: { in_app: true, email: false } },
    ]);
    await publish(2);
    await publish(1);
    expect(await subjects()).toEqual(['Note 1']);
  });

  it('are exported without their channels, which decide nothing', async () => {
    const { ada, control } = await open();
    await ada.ask(`POST ${list}`, { identifier: 'own' });
    await ada.ask(`PATCH ${choice}`, { condition: onlyOne, email: false });
    const state = await control.exportState();
    expect(state.environments[0]?.topics?.[0]?.subscriptions).toEqual([
      {
        ...{ subscriberId: 'ada', identifier: 'own' },
        preferences: [{ workflowId: 'note', enabled: true, condition: onlyOne }],
      },
    ]);
  });
});

describe('with contexts', () => {
  const context = { tenant: 'acme' };
  const latest = { 'novu-client-version': '@novu/js@3.19.2' };

  it('a session sees the subscriptions with its own contexts', async () => {
    const { ada, openSession, publish, subjects } = await open();
    const acme = await openSession('ada', { context });
    const { body } = await acme.ask(`POST ${list}`, {}, latest);
    const { identifier } = body.data;
    expect(identifier).toBe('tk_news:si_ada:ctx_tenant:acme');
    expect((await acme.ask(`GET ${list}`, undefined, latest)).body.data).toEqual([
      { ...body.data, contextKeys: ['tenant:acme'] },
    ]);
    expect((await ada.ask(`GET ${list}`)).body.data).toEqual([]);
    expect((await ada.ask(`GET ${list}/${identifier}`)).status).toBe(204);
    expect((await ada.ask(`DELETE ${list}/${identifier}`)).status).toBe(404);
    await publish(1);
    await publish(2, { context });
    expect(await subjects(acme)).toEqual(['Note 2']);
    expect(await subjects()).toEqual([]);
  });

  it.each([{}, { 'novu-client-version': '@novu/js@3.12.4' }, { 'novu-client-version': 'curl' }])(
    'a client that does not know them uses subscriptions without contexts (%o)',
    async (headers) => {
      const { ada, openSession } = await open();
      const acme = await openSession('ada', { context });
      await acme.ask(`POST ${list}`, { identifier: 'own' }, headers);
      const all = (await acme.ask(`GET ${list}`, undefined, headers)).body.data;
      expect(all).toMatchObject([{ identifier: 'own', contextKeys: [] }]);
      expect((await ada.ask(`GET ${list}`)).body.data).toEqual(all);
      expect((await acme.ask(`PATCH ${choice}`, { enabled: false }, headers)).status).toBe(200);
      expect((await acme.ask(`PATCH ${choice}`, { enabled: false }, latest)).status).toBe(404);
    },
  );
});

test('version 3.11 has none of these routes', async () => {
  const { openSession } = await serveInbox({ service: '3.11' });
  const { ask } = await openSession('ada');
  for (const line of [
    ...[`GET ${list}`, `POST ${list}`, `GET ${own}`, `PATCH ${own}`, `DELETE ${own}`],
    ...[`PATCH ${choice}`, 'GET /channel-connections', 'DELETE /channel-endpoints/x'],
  ]) {
    const { status, body } = await ask(line, /^P/.test(line) ? {} : undefined);
    expect([status, body.message]).toEqual([404, `Cannot ${line.replace(' ', ' /v1/inbox')}`]);
  }
  const preferences = [{ workflowId: 'note', subscriptionIdentifier: 5, in_app: false }];
  const { body } = await ask('PATCH /preferences/bulk', { preferences });
  expect(body.data).toMatchObject([{ channels: { in_app: false } }]);
});
