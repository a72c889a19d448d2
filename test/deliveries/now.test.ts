// The evidence from settings of today, fact by fact.
import { describe, expect, it } from 'vitest';
import {
  type Facts,
  neededFacts,
  nowEvidence,
  recordedValues,
  refineVerdict,
} from '../../src/deliveries/now.ts';
import type { StepVerdict } from '../../src/deliveries/verdict.ts';
import type { ChannelCause } from '../../src/service/job-outcomes.ts';
import type { ActivityItem } from '../../src/service/schemas/activity.ts';

const item = {
  ...{ _id: 'e1', transactionId: 't1', _environmentId: 'dev', _subscriberId: 's1' },
  template: { _id: 'w1', name: 'Welcome', triggers: [{ identifier: 'welcome' }] },
} as unknown as ActivityItem;

const step = (cause: ChannelCause | null, more: Partial<StepVerdict> = {}): StepVerdict => ({
  ...{ channel: 'email', verdict: cause === null ? 'delivered' : 'skipped', cause },
  ...more,
});
const evidence = (facts: object, verdict: StepVerdict, event: object = {}) =>
  nowEvidence({ ...item, ...event }, facts as Facts, verdict);

describe('the facts that are needed', () => {
  const needed = (...verdicts: StepVerdict[]) => [...neededFacts(verdicts)].sort();

  it.each<[ChannelCause, string[]]>([
    ['workflow_preference', ['preferences']],
    ['global_preference', ['preferences']],
    ['schedule', ['preferences']],
    ['workflow_default', ['workflow']],
    ['condition', ['subscriber', 'workflow']],
    ['missing_email', ['subscriber']],
    ['missing_phone', ['subscriber']],
    ['missing_channel', ['endpoints', 'subscriber']],
    ['no_active_integration', ['integrations']],
    ['provider_error', []],
  ])('for %s', (cause, names) => {
    expect(needed(step(cause, { channel: 'chat' }))).toEqual(names);
  });

  it('have no endpoints for push, and are the notifications for what was delivered to the inbox', () => {
    expect(needed(step('missing_channel', { channel: 'push' }))).toEqual(['subscriber']);
    expect(needed(step('schedule', { channel: 'push' }))).toEqual(['preferences']);
    expect(needed(step(null, { channel: 'in_app' }))).toEqual(['feed']);
    expect(needed(step(null))).toEqual([]);
    expect(needed(step(null, { channel: 'in_app', verdict: 'waiting' }))).toEqual([]);
    expect(needed(step('missing_email'), step('missing_phone'), step('schedule'))).toEqual([
      ...['preferences', 'subscriber'],
    ]);
  });
});

describe('preferences', () => {
  const preferences = {
    global: { channels: { email: true, sms: false }, schedule: undefined as object | undefined },
    workflows: [
      {},
      { workflow: { identifier: 'other' }, channels: { email: true } },
      { workflow: { identifier: 'welcome' }, channels: { email: false, sms: true } },
    ],
  };

  it.each<[ChannelCause, string, string[]]>([
    ['workflow_preference', 'email', ['now: e-mail for this workflow is off']],
    ['workflow_preference', 'sms', ['now: SMS for this workflow is on']],
    ['workflow_preference', 'push', []],
    ['global_preference', 'email', ['now: e-mail for all workflows is on']],
    ['global_preference', 'sms', ['now: SMS for all workflows is off']],
    ['global_preference', 'chat', []],
  ])('for %s of %s', (cause, channel, lines) => {
    expect(evidence({ preferences }, step(cause, { channel }))).toEqual(lines);
    expect(evidence({}, step(cause, { channel }))).toEqual([]);
    expect(evidence({ preferences: {} }, step(cause, { channel }))).toEqual([]);
  });

  it('have a schedule that is on or off', () => {
    const withSchedule = (schedule: object | undefined) =>
      evidence({ preferences: { global: { schedule } } }, step('schedule'));
    expect(withSchedule(undefined)).toEqual(['now: the schedule is off']);
    expect(withSchedule({ isEnabled: false })).toEqual(['now: the schedule is off']);
    expect(withSchedule({ isEnabled: true })).toEqual(['now: the schedule is on']);
    const monday = { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] };
    expect(withSchedule({ isEnabled: true, weeklySchedule: { monday } })).toEqual([
      'now: the schedule is mon 09:00 AM-05:00 PM',
    ]);
    expect(evidence({ preferences: {} }, step('schedule'))).toEqual(['now: the schedule is off']);
    expect(evidence({}, step('schedule'))).toEqual([]);
  });
});

describe('the workflow', () => {
  it.each<[object, string[]]>([
    [{ user: { channels: { email: { enabled: false } } } }, ['now: the workflow has e-mail off']],
    [
      {
        user: { channels: { email: { enabled: true } } },
        default: { channels: { email: { enabled: false } } },
      },
      ['now: the workflow has e-mail on'],
    ],
    [
      { user: { all: { enabled: false } }, default: { channels: { email: { enabled: true } } } },
      ['now: the workflow has e-mail on'],
    ],
    [
      { user: { all: { enabled: false } }, default: { all: { enabled: true } } },
      ['now: the workflow has e-mail off'],
    ],
    [{ default: { all: { enabled: true } } }, ['now: the workflow has e-mail on']],
    [{ user: {}, default: { all: { enabled: true } } }, ['now: the workflow has e-mail on']],
    [{ default: {} }, []],
    [{}, []],
  ])('with the preferences %j', (preferences, lines) => {
    expect(evidence({ workflow: { preferences } }, step('workflow_default'))).toEqual(lines);
  });

  it('is not known, or inactive', () => {
    expect(evidence({}, step('workflow_default'))).toEqual([]);
    const inactive = ['now: the workflow is inactive'];
    expect(evidence({ workflow: { active: false } }, step('provider_error'))).toEqual(inactive);
    expect(evidence({ workflow: { status: 'INACTIVE' } }, step(null))).toEqual(inactive);
    expect(evidence({ workflow: { status: 'ACTIVE' } }, step('provider_error'))).toEqual([]);
  });
});

describe('the address', () => {
  it('is that of today, or that of the event', () => {
    const subscriber = { email: 'new@example.com', phone: '+491' };
    expect(evidence({ subscriber }, step('missing_email'))).toEqual([
      'now: the subscriber has the e-mail address new@example.com',
    ]);
    expect(evidence({ subscriber }, step('missing_phone'))).toEqual([
      'now: the subscriber has the phone number +491',
    ]);
    expect(evidence({}, step('missing_email'), { subscriber: { email: 'old@x.y' } })).toEqual([
      'now: the subscriber has the e-mail address old@x.y',
    ]);
    expect(evidence({ subscriber: { email: '' } }, step('missing_email'))).toEqual([
      'now: the subscriber has no e-mail address',
    ]);
    expect(evidence({ subscriber: {} }, step('missing_phone'))).toEqual([
      'now: the subscriber has no phone number',
    ]);
    expect(evidence({}, step('missing_email'))).toEqual([]);
    expect(evidence({}, step('missing_phone'), { subscriber: { phone: '1' } })).toEqual([
      'now: the subscriber has the phone number 1',
    ]);
  });

  it('of chat or push is that of credentials and endpoints', () => {
    const chat = step('missing_channel', { channel: 'chat' });
    const subscriber = {
      channels: [{ providerId: 'slack' }, { providerId: 'fcm' }, { providerId: 'slack' }, {}],
    };
    const credentials = 'now: the subscriber has credentials for slack and fcm';
    expect(evidence({ subscriber }, chat)).toEqual([credentials]);
    const none = 'now: the subscriber has no credentials for chat or push';
    for (const channels of [undefined, null, [], [{}]])
      expect(evidence({ subscriber: { channels } }, chat)).toEqual([none]);
    expect(evidence({}, chat)).toEqual([]);
    const endpoint = (identifier: string, more: object = {}) => ({
      ...{ identifier, providerId: 'slack', channel: 'chat' },
      ...more,
    });
    const endpoints = [
      endpoint('a'),
      endpoint('b', { contextKeys: ['tenant:x', 'region:y'] }),
      endpoint('c', { channel: 'tool', providerId: 'pagerduty' }),
    ];
    expect(evidence({ subscriber, endpoints }, chat)).toEqual([
      credentials,
      'now: the subscriber has the channel endpoint a (slack)',
      'now: the subscriber has the channel endpoint b (slack), for tenant:x and region:y',
    ]);
    expect(evidence({ subscriber, endpoints }, { ...chat, channel: 'tool' })).toEqual([
      'now: the subscriber has the channel endpoint c (pagerduty)',
    ]);
    expect(evidence({ subscriber, endpoints }, { ...chat, channel: 'push' })).toEqual([
      credentials,
    ]);
    expect(evidence({ endpoints: [] }, chat)).toEqual([
      'now: the subscriber has no channel endpoint for chat',
    ]);
    const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => endpoint(name));
    expect(evidence({ endpoints: many.slice(0, 5) }, chat)).toHaveLength(5);
    expect(evidence({ endpoints: many.slice(0, 6) }, chat).at(-1)).toBe(
      'now: 1 more channel endpoint',
    );
    expect(evidence({ endpoints: many }, chat)).toHaveLength(6);
  });
});

describe('the notification', () => {
  const inApp = step(null, { channel: 'in_app' });
  const notice = (more: object) => ({ _notificationId: 'e1', transactionId: 't1', ...more });

  it.each([
    [{ read: true, seen: true }, 'now: read'],
    [{ read: false, seen: true }, 'now: seen, but unread'],
    [{ read: false, seen: false }, 'now: unread'],
  ])('with %j', (state, line) => {
    expect(evidence({ feed: [notice(state)] }, inApp)).toEqual([line]);
  });

  it('is that of the event, by its id or else by its transaction', () => {
    const other = notice({ _notificationId: 'e2', read: true });
    expect(evidence({ feed: [other] }, inApp)).toEqual([]);
    expect(evidence({ feed: [other, notice({})] }, inApp)).toEqual(['now: unread']);
    expect(evidence({ feed: [other] }, inApp, { _id: undefined })).toEqual(['now: read']);
    const foreign = { ...other, transactionId: 't2' };
    expect(evidence({ feed: [foreign] }, inApp, { _id: undefined })).toEqual([]);
    expect(evidence({ feed: [notice({})] }, step(null))).toEqual([]);
    expect(evidence({ feed: [notice({})] }, { ...inApp, verdict: 'waiting' })).toEqual([]);
    expect(evidence({}, inApp)).toEqual([]);
  });
});

describe('conditions', () => {
  const skip = {
    and: [
      { '==': [{ var: 'payload.plan' }, 'free'] },
      { '!': { var: ['subscriber.data.vip', false] } },
      { '==': [{ var: 'subscriber.locale' }, 'de'] },
      { var: 7 },
    ],
  };
  const workflow = {
    steps: [
      { _id: 'a', stepId: 'first', type: 'email', controls: { values: { skip } } },
      { _id: 'b', stepId: 'second', type: 'email', controlValues: { skip: { var: 'payload.n' } } },
      { _id: 'c', stepId: 'third', type: 'sms', controls: { values: { skip } } },
      { _id: 'd', stepId: 'fourth', type: 'email', controls: { values: { skip: null } } },
      { _id: 'e', stepId: 'fifth', type: 'email' },
    ],
  };
  const subscriber = { locale: 'de', data: { vip: true } };

  it('are those of the step, with the values of the subscriber', () => {
    expect(evidence({ workflow, subscriber }, step('condition', { stepId: 'a' }))).toEqual([
      `now: step first has the condition ${JSON.stringify(skip)}`,
      'now: subscriber.data.vip is true',
      'now: subscriber.locale is "de"',
    ]);
    const ofEvent = { subscriber: { locale: 'en' } };
    expect(evidence({ workflow }, step('condition', { stepId: 'a' }), ofEvent)).toEqual([
      `now: step first has the condition ${JSON.stringify(skip)}`,
      'now: subscriber.data.vip is missing',
      'now: subscriber.locale is "en"',
    ]);
    expect(evidence({ workflow }, step('condition', { stepId: 'a' }))).toHaveLength(1);
    const texts = [{ type: 'email', controlValues: { skip: { in: ['subscriber.x', 'y'] } } }];
    expect(evidence({ workflow: { steps: texts }, subscriber }, step('condition'))).toHaveLength(1);
  });

  it('are those of all steps of the channel if the step is gone', () => {
    const gone = evidence({ workflow, subscriber }, step('condition', { stepId: 'x' }));
    expect(gone.map((line) => line.slice(0, 40))).toEqual([
      'now: step first has the condition {"and"',
      'now: step second has the condition {"var',
      ...['now: subscriber.data.vip is true', 'now: subscriber.locale is "de"'],
    ]);
    expect(evidence({ workflow, subscriber }, step('condition', { stepId: 'e' }))).toEqual([]);
    expect(evidence({}, step('condition', { stepId: 'a' }))).toEqual([]);
    expect(evidence({ workflow: {} }, step('condition', { stepId: 'a' }))).toEqual([]);
  });

  it('have five values at most, and short ones', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const all = { or: names.map((name) => ({ var: `subscriber.${name}` })) };
    const steps = [{ _id: 'a', stepId: 's', type: 'email', controlValues: { skip: all } }];
    const long = Object.fromEntries(names.map((name) => [name, 'x'.repeat(300)]));
    const lines = evidence(
      { workflow: { steps }, subscriber: long },
      step('condition', { stepId: 'a' }),
    );
    expect(lines).toHaveLength(6);
    for (const line of lines) expect(line.length).toBeLessThan(200);
  });

  it('compared the values of the payload', () => {
    const values = (event: object, cause: ChannelCause = 'condition') =>
      recordedValues(
        { ...item, ...event },
        { workflow } as unknown as Facts,
        step(cause, { stepId: 'a' }),
      );
    expect(values({ payload: { plan: 'free' } })).toEqual(['payload.plan was "free"']);
    expect(values({ payload: {} })).toEqual(['payload.plan was missing']);
    expect(values({})).toEqual([]);
    expect(values({ payload: {} }, 'schedule')).toEqual([]);
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const all = { or: names.map((name) => ({ var: `payload.${name}` })) };
    const many = {
      steps: [{ _id: 'a', stepId: 's', type: 'email', controlValues: { skip: all } }],
    };
    const facts = { workflow: many } as unknown as Facts;
    const event = { ...item, payload: {} };
    expect(recordedValues(event, facts, step('condition', { stepId: 'a' }))).toHaveLength(5);
  });
});

describe('integrations', () => {
  const own = (identifier: string, more: object = {}) => ({
    ...{ _id: `id-${identifier}`, identifier, providerId: 'sendgrid', channel: 'email' },
    ...{ _environmentId: 'dev', active: true, primary: true },
    ...more,
  });
  const causes = [
    ...(['no_integration', 'inactive_integration', 'no_primary_integration'] as const),
    'no_active_integration' as const,
  ];

  it.each(causes)('are listed for %s', (cause) => {
    const integrations = [
      own('a'),
      own('b', { active: false, primary: false }),
      own('c', { channel: 'sms' }),
      own('d', { _environmentId: 'prod' }),
      own('e', { _environmentId: undefined, identifier: undefined, primary: false }),
    ];
    expect(evidence({ integrations }, step(cause))).toEqual([
      'now: integration a is active and primary',
      'now: integration b is inactive',
      'now: integration sendgrid is active',
    ]);
    expect(evidence({ integrations: [] }, step(cause))).toEqual([
      'now: no integration exists for e-mail',
    ]);
    expect(evidence({}, step(cause))).toEqual([]);
    const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => own(name));
    expect(evidence({ integrations: many }, step(cause))).toHaveLength(5);
  });

  const at = '2026-01-15T12:00:00.000Z';
  const detail = (raw?: string) => ({ createdAt: at, raw }) as never;
  const refined = (integrations: object[], more: Partial<StepVerdict> = {}) => {
    const { cause, integrationId } = refineVerdict(
      item,
      { integrations } as Facts,
      step('no_active_integration', { detail: detail(), ...more }),
    );
    return integrationId === undefined ? cause : [cause, integrationId];
  };

  it('refine the cause', () => {
    const old = { updatedAt: '2026-01-01T00:00:00.000Z' };
    expect(refined([])).toBe('no_integration');
    expect(refined([own('a', { channel: 'sms' })])).toBe('no_integration');
    expect(refined([own('a', { ...old, active: false })])).toBe('inactive_integration');
    expect(refined([own('a', { ...old, primary: false })])).toEqual([
      ...['no_primary_integration', 'id-a'],
    ]);
    expect(
      refined([
        own('a', { active: false, primary: false }),
        own('b', { primary: false }),
        own('c', { active: false }),
      ]),
    ).toEqual(['no_primary_integration', 'id-b']);
    expect(
      refined([own('a', { ...old, primary: false, channel: 'chat' })], { channel: 'chat' }),
    ).toBe('no_active_integration');
    expect(refined([own('a', old)])).toBe('no_active_integration');
    expect(refined([own('a', { primary: false }), own('b')])).toBe('no_active_integration');
  });

  it('say nothing more if one changed after the event', () => {
    const changed = (updatedAt: string) => refined([own('a', { active: false, updatedAt })]);
    expect(changed('2026-01-15T12:00:01.000Z')).toBe('inactive_integration');
    expect(changed('2026-01-15T12:00:01.001Z')).toBe('no_active_integration');
    const undated = refined([own('a', { active: false, updatedAt: at })], { detail: undefined });
    expect(undated).toBe('inactive_integration');
  });

  it('are those with the identifier that the event named', () => {
    const wanted = (integrationIdentifier: unknown) =>
      refined([own('a', { active: false }), own('b', { primary: false })], {
        detail: detail(JSON.stringify({ integrationIdentifier })),
      });
    expect(wanted('a')).toBe('inactive_integration');
    expect(wanted('b')).toBe('no_active_integration');
    expect(wanted('c')).toBe('no_integration');
    expect(wanted(7)).toBe('no_active_integration');
    expect(wanted(undefined)).toEqual(['no_primary_integration', 'id-b']);
  });

  it('refine no other cause, and nothing without them', () => {
    const verdict = step('provider_error');
    expect(refineVerdict(item, { integrations: [] }, verdict)).toBe(verdict);
    const unread = step('no_active_integration');
    expect(refineVerdict(item, {}, unread)).toBe(unread);
  });
});
