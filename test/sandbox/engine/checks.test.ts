import { describe, expect, test } from 'vitest';
import { email, inbox, openScene } from './scene.ts';

type Scene = Awaited<ReturnType<typeof openScene>>;

const both = { steps: [inbox, email] };
const text = { name: 'Text', type: 'sms', controls: { body: 'Hello' } } as const;
const chat = { name: 'Chat', type: 'chat', controls: { body: 'Hello' } } as const;
const push = { name: 'Push', type: 'push', controls: { subject: 'Hi', body: 'Hello' } } as const;

const send = ({ trigger }: Scene, to: unknown = 'u1', more: object = {}) =>
  trigger({ name: 'test', to, transactionId: 'a', ...more });

const prefer = async ({ ask }: Scene, body: object, subscriberId = 'u1') =>
  expect((await ask(`PATCH /v2/subscribers/${subscriberId}/preferences`, body)).status).toBe(200);

const off = { email: { enabled: false } };
const workflowDefault = { all: { enabled: true, readOnly: false }, channels: off };

describe('preferences', () => {
  test('of a workflow by default keep a channel back', async () => {
    const scene = await openScene();
    scene.define(both, { preferences: { user: null, default: workflowDefault } as never });
    await send(scene);
    expect(await scene.one('a')).toMatchObject({
      statuses: ['completed', 'canceled'],
      details: [expect.anything(), ['Success: Step filtered by workflow preferences']],
    });
  });

  test('set for a workflow win over its defaults', async () => {
    const scene = await openScene();
    const user = {
      all: { enabled: true, readOnly: false },
      channels: { email: { enabled: true } },
    };
    scene.define(both, { preferences: { user, default: workflowDefault } as never });
    await send(scene);
    expect((await scene.one('a')).statuses).toEqual(['completed', 'completed']);
  });

  test('that switch a whole workflow off keep every channel back', async () => {
    const scene = await openScene();
    const user = { all: { enabled: false, readOnly: false } };
    scene.define(both, { preferences: { user, default: workflowDefault } as never });
    await send(scene);
    expect((await scene.one('a')).statuses).toEqual(['canceled', 'canceled']);
  });

  test('of the subscriber for everything win over those of the workflow', async () => {
    const scene = await openScene();
    scene.define(both);
    await prefer(scene, { channels: { email: false } });
    await send(scene);
    expect(await scene.one('a')).toMatchObject({
      statuses: ['completed', 'canceled'],
      details: [expect.anything(), ['Success: Step filtered by subscriber global preferences']],
    });
  });

  test('of the subscriber for the workflow win over all', async () => {
    const scene = await openScene();
    scene.define(both);
    await prefer(scene, { channels: { email: true, in_app: false } });
    await prefer(scene, { workflowId: 'test', channels: { email: false, in_app: true } });
    await send(scene);
    expect(await scene.one('a')).toMatchObject({
      statuses: ['completed', 'canceled'],
      details: [expect.anything(), ['Success: Step filtered by subscriber workflow preferences']],
    });
  });

  test('of the subscriber do not count for a critical workflow', async () => {
    const scene = await openScene();
    await prefer(scene, { channels: { email: false, sms: false } });
    await scene.trigger({ name: 'one-time-code', to: 'u1', transactionId: 'a' });
    expect((await scene.one('a')).statuses).toEqual(['completed', 'completed']);
  });

  test('do not filter delays, digests, throttles and custom steps', async () => {
    const scene = await openScene();
    const controls = { amount: 1, unit: 'minutes' };
    scene.define(
      {
        steps: [
          { name: 'Custom', type: 'custom', controls: { custom: { a: 1 } } },
          { name: 'Limit', type: 'throttle', controls },
          { name: 'Wait', type: 'delay', controls },
          inbox,
        ],
      },
      { preferences: { user: { all: { enabled: false } }, default: workflowDefault } as never },
    );
    await send(scene);
    await scene.advance(1);
    expect((await scene.one('a')).statuses).toEqual([
      'completed',
      'completed',
      'completed',
      'canceled',
    ]);
  });
});

describe('a schedule', () => {
  const outside = "Success: The step was skipped as it fell outside the subscriber's schedule";
  const day = (start: string, end: string) => ({ isEnabled: true, hours: [{ start, end }] });
  const schedule = (weeklySchedule: object) => ({ schedule: { isEnabled: true, weeklySchedule } });

  test('keeps everything but the inbox back outside its hours', async () => {
    const scene = await openScene();
    scene.define({ steps: [inbox, email, text, push] });
    // Thursday noon is 7 in the morning in New York.
    await prefer(scene, schedule({ thursday: day('09:00 AM', '05:00 PM') }));
    await send(scene);
    expect(await scene.one('a')).toMatchObject({
      statuses: ['completed', 'canceled', 'canceled', 'canceled'],
      details: [expect.anything(), [outside], [outside], [outside]],
    });
  });

  test.each([
    ['u1', 'America/New_York', 'thursday', '07:00 AM', '07:01 AM', true],
    ['u1', 'America/New_York', 'thursday', '07:01 AM', '11:59 PM', false],
    ['u1', 'America/New_York', 'friday', '12:00 AM', '11:59 PM', false],
    ['u4', 'Europe/Berlin', 'thursday', '01:00 PM', '02:00 PM', true],
    ['u4', 'Europe/Berlin', 'thursday', '12:00 PM', '01:00 PM', false],
    ['u7', 'none', 'thursday', '12:00 PM', '12:01 PM', true],
    ['u7', 'none', 'wednesday', '11:00 PM', '01:00 PM', true],
    ['u7', 'none', 'wednesday', '11:00 PM', '12:00 PM', false],
    ['u7', 'none', 'thursday', '11:00 AM', '03:00 AM', true],
  ])('of %s in zone %s on %s from %s to %s: %j', async (who, _, weekday, start, end, open) => {
    const scene = await openScene();
    scene.define({ steps: [email] });
    await prefer(scene, schedule({ [weekday]: day(start, end) }), who);
    await send(scene, who);
    expect((await scene.one('a')).statuses).toEqual([open ? 'completed' : 'canceled']);
  });

  test('holds over the change of clocks', async () => {
    const scene = await openScene();
    scene.define({ steps: [email] });
    await prefer(scene, schedule({ monday: day('09:00 AM', '05:00 PM') }));
    // New York is four hours behind UTC from 8 March 2026 on.
    for (const [at, status] of [
      ['2026-03-02T13:30:00Z', 'canceled'],
      ['2026-03-09T13:30:00Z', 'completed'],
    ]) {
      await scene.ask('POST /__sandbox/clock', { set: at });
      await scene.trigger({ name: 'test', to: 'u1', transactionId: at });
      expect((await scene.one(at ?? '')).statuses).toEqual([status]);
    }
  });

  test('that is off, or of a critical run, keeps nothing back', async () => {
    const scene = await openScene();
    await prefer(scene, schedule({ friday: day('09:00 AM', '05:00 PM') }));
    await scene.trigger({ name: 'one-time-code', to: 'u1', transactionId: 'critical' });
    expect((await scene.one('critical')).statuses).toEqual(['completed', 'completed']);
    scene.define(both);
    await prefer(scene, { schedule: { isEnabled: false } });
    await send(scene);
    expect((await scene.one('a')).statuses).toEqual(['completed', 'completed']);
  });

  test('puts the end of a delay off until it opens, three times at most', async () => {
    const scene = await openScene();
    const { define, one, advance, messages } = scene;
    const controls = { amount: 1, unit: 'hours', extendToSchedule: true };
    define({ steps: [{ name: 'Wait', type: 'delay', controls }, email] });
    const hours = (weekday: string) =>
      prefer(scene, schedule({ [weekday]: day('09:00 AM', '05:00 PM') }), 'u7');
    await hours('friday');
    await send(scene, 'u7');
    await advance(60);
    expect((await one('a')).item.jobs[0]).toMatchObject({
      status: 'delayed',
      scheduleExtensionsCount: 1,
    });
    for (const weekday of ['saturday', 'sunday', 'monday']) {
      await hours(weekday);
      await advance(24 * 60);
    }
    const { statuses, item, details } = await one('a');
    expect(item.jobs[0].scheduleExtensionsCount).toBe(3);
    expect(statuses).toEqual(['completed', 'canceled']);
    expect(details[1]).toEqual([outside]);
    expect(await messages('transactionId=a')).toEqual([]);
  });

  test('lets what was put off go out when it opens', async () => {
    const { trigger, messages, advance, ask } = await openScene();
    // Three days later is a Sunday; u4 is reached on weekdays from nine, in Berlin.
    await trigger({ name: 'trial-ending', to: 'u4', transactionId: 'a', payload: { plan: 'pro' } });
    await advance(7 * 24 * 60);
    expect((await messages('transactionId=a'))[0].createdAt).toBe('2026-01-19T08:00:00.000Z');
    const { body } = await ask('GET /v1/notifications?transactionId=a');
    expect(body.data[0].jobs[0].scheduleExtensionsCount).toBe(1);
  });
});

describe('what is missing', () => {
  test.each([
    ['u2', email, 'canceled', 'Failed: Subscriber missing email address', 'warning'],
    ['u3', text, 'canceled', 'Failed: Subscriber missing phone number', 'warning'],
    ['u2', chat, 'failed', 'Failed: Subscriber does not have a configured channel', undefined],
    ['u2', push, 'failed', 'Failed: Subscriber does not have a configured channel', undefined],
    [
      { subscriberId: 'n', email: 'n@nowhere.invalid' },
      email,
      'failed',
      'Failed: Unexpected provider error',
      'error',
    ],
  ])('%j reached by %j', async (to, step, status, detail, message) => {
    const scene = await openScene();
    scene.define({ steps: [step, inbox] });
    await send(scene, to);
    const { statuses, details } = await scene.one('a');
    expect(statuses).toEqual([status, 'completed']);
    expect(details[0]?.at(-1)).toBe(detail);
    const made = await scene.messages(`transactionId=a&channel=${step.type}`);
    expect(made.map((one: { status: string }) => one.status)).toEqual(message ? [message] : []);
  });

  test('an integration', async () => {
    const scene = await openScene();
    scene.define({ steps: [email, inbox] });
    scene.store.sql.run("UPDATE integrations SET active = 0 WHERE channel IN ('email', 'in_app')");
    await send(scene);
    expect(await scene.one('a')).toMatchObject({
      statuses: ['failed', 'failed'],
      details: [
        ['Failed: Subscriber does not have an active integration'],
        ['Failed: Subscriber does not have an active integration'],
      ],
    });
  });

  test('and what fails ends the run where the step says so', async () => {
    const scene = await openScene();
    scene.define({ steps: [{ ...chat, shouldStopOnFail: true }, inbox] });
    await send(scene, 'u2');
    expect((await scene.one('a')).statuses).toEqual(['failed', 'canceled']);
  });

  test('nothing: push and chat go where the credentials say', async () => {
    const scene = await openScene();
    scene.define({ steps: [chat, push] });
    await send(scene);
    expect(await scene.messages('transactionId=a')).toMatchObject([
      { channel: 'push', provider: 'fcm', recipient: 'ada-phone, ada-tablet', title: 'Hi' },
      {
        channel: 'chat',
        provider: 'slack',
        recipient: 'https://hooks.slack.example.com/services/ada',
      },
    ]);
  });
});

describe('conditions', () => {
  const skip = { '==': [{ var: 'payload.quiet' }, true] };

  test('skip a step when they hold', async () => {
    const scene = await openScene();
    scene.define({ steps: [{ ...email, controls: { ...email.controls, skip } }, inbox] });
    await send(scene, 'u1', { payload: { quiet: true } });
    await send(scene, 'u1', { payload: { quiet: false }, transactionId: 'b' });
    expect(await scene.one('a')).toMatchObject({
      statuses: ['canceled', 'completed'],
      details: [['Failed: Step was skipped based on steps conditions'], expect.anything()],
    });
    expect((await scene.one('b')).statuses).toEqual(['completed', 'completed']);
  });

  test.each([{}, { log: 'x' }, { method: ['x', 'trim'] }, { nope: 1 }, 'x', null])(
    'that cannot be computed skip nothing: %j',
    async (broken) => {
      const scene = await openScene();
      scene.define({ steps: [{ ...inbox, controls: { body: 'x', skip: broken } }] });
      await send(scene);
      expect((await scene.one('a')).statuses).toEqual(['completed']);
    },
  );

  test('know what became of earlier steps', async () => {
    const scene = await openScene();
    const unlessSeen = { var: 'steps.inbox.seen' };
    scene.define({
      steps: [
        inbox,
        { name: 'Wait', type: 'delay', controls: { amount: 5, unit: 'minutes' } },
        { ...email, controls: { ...email.controls, skip: unlessSeen } },
      ],
    });
    await send(scene, ['u1', 'u7']);
    const [message] = await scene.feed('u1');
    await scene.ask('POST /v1/subscribers/u1/messages/mark-as', {
      messageId: message._id,
      markAs: 'seen',
    });
    await scene.advance(5);
    const items = await scene.shown('a');
    const stateOf = (who: string) =>
      items.find(({ subscriberId }) => subscriberId === who)?.statuses.at(-1);
    expect([stateOf('u1'), stateOf('u7')]).toEqual(['canceled', 'completed']);
  });

  test('of the older kind filter by payload and subscriber', async () => {
    const scene = await openScene();
    const filter = (
      isNegated: boolean,
      operator: string,
      on: string,
      field: string,
      value: string,
    ) =>
      ({
        isNegated,
        type: 'GROUP',
        value: 'AND',
        children: [{ field, value, operator, on }],
      }) as const;
    const steps = [
      filter(false, 'LARGER', 'payload', 'amount', '10'),
      filter(true, 'LARGER', 'payload', 'amount', '10'),
      filter(false, 'EQUAL', 'subscriber', 'data.plan', 'team'),
      filter(false, 'IN', 'subscriber', 'locale', 'de,fr'),
    ].map((condition, index) => ({
      ...inbox,
      name: `Inbox ${index}`,
      filters: [condition as never],
    }));
    scene.define({ steps });
    await send(scene, 'u1', { payload: { amount: 20 } });
    expect((await scene.one('a')).statuses).toEqual([
      'completed',
      'canceled',
      'completed',
      'canceled',
    ]);
  });
});

describe('content', () => {
  test('is rendered over payload, subscriber, context and steps', async () => {
    const scene = await openScene();
    const controls = {
      subject: 'Hi {{ subscriber.firstName }}',
      body: '{{ payload.items | join: "+" }} for {{ context.tenant.data.name }}, {{ steps.enrich.score }} {{ payload.o }}',
      avatar: '/a/{{ subscriber.subscriberId }}.png',
      primaryAction: { label: 'Go {{ payload.items[0] }}', redirect: { url: '/go' } },
      data: { who: '{{ subscriber.data.plan }}' },
    };
    scene.define({
      steps: [
        { name: 'Enrich', type: 'custom', controls: { custom: { score: 7 } } },
        { ...inbox, controls },
      ],
    });
    await send(scene, 'u1', {
      payload: { items: ['a', 'b'], o: { x: 1 } },
      context: { tenant: 'org-acme' },
    });
    expect((await scene.feed('u1'))[0]).toMatchObject({
      subject: 'Hi Ada',
      content: 'a+b for Acme, 7 {"x":1}',
      actor: { type: 'system_custom', data: '/a/u1.png' },
      cta: {
        type: 'redirect',
        data: { url: '/go' },
        action: { buttons: [{ type: 'primary', content: 'Go a' }] },
      },
      data: { who: 'team' },
      providerId: 'svc',
      status: 'sent',
    });
  });

  test.each(['{{ payload.a', '{% if %}', '{{ payload.a | nope }}', '{% include "/etc/passwd" %}'])(
    'that cannot be rendered fails its step alone: %s',
    async (body) => {
      const scene = await openScene();
      scene.define({ steps: [{ ...inbox, controls: { body } }, email] });
      await send(scene);
      const { statuses, details, item } = await scene.one('a');
      expect(statuses).toEqual(['failed', 'completed']);
      expect(details[0]).toEqual(['Failed: Message content could not be generated']);
      expect(JSON.parse(item.jobs[0].executionDetails.at(-1).raw)).toHaveProperty('error');
    },
  );

  test('knows the time of the sandbox, in UTC', async () => {
    const scene = await openScene();
    const body =
      '{{ "now" | date: "%Y-%m-%d %H:%M" }} {{ "2026-01-01T10:00:00Z" | date: "%H:%M" }}';
    scene.define({ steps: [{ ...inbox, controls: { body } }] });
    await scene.ask('POST /__sandbox/clock', { set: '2031-05-06T07:08:00Z' });
    await send(scene);
    expect((await scene.feed('u1'))[0].content).toBe('2031-05-06 07:08 10:00');
  });

  test('reaches no inherited members', async () => {
    const scene = await openScene();
    scene.define({ steps: [{ ...inbox, controls: { body: '[{{ payload.constructor.name }}]' } }] });
    await send(scene);
    expect((await scene.feed('u1'))[0].content).toBe('[]');
  });
});

describe('a payload', () => {
  const valid = { invoiceId: 'INV-9', amount: 5, currency: 'EUR' };

  test.each([
    [valid, []],
    [{ ...valid, amount: 0 }, ['payload.amount must be > 0']],
    [
      { ...valid, currency: 'GBP' },
      ['payload.currency must be equal to one of the allowed values'],
    ],
    [{ invoiceId: 'INV-9', amount: 1 }, ["payload must have required property 'currency'"]],
    [{ ...valid, x: 1 }, ['payload must NOT have additional properties: x']],
    [undefined, expect.any(Array)],
  ])('%j is checked by the schema of its workflow: %j', async (payload, error) => {
    const { trigger } = await openScene();
    const [result] = await trigger({ name: 'invoice-paid', to: 'u1', payload });
    const ok = Array.isArray(error) && error.length === 0;
    expect(result).toMatchObject(
      ok ? { status: 'processed' } : { acknowledged: true, status: 'error', error },
    );
  });

  test('is not checked by a workflow that does not ask for it', async () => {
    const scene = await openScene();
    const payloadSchema = { type: 'object', required: ['a'] };
    scene.define({ steps: [inbox], payloadSchema }, { validatePayload: false });
    expect((await send(scene))[0].status).toBe('processed');
  });
});
