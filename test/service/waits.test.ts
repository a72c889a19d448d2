// The rules of digests, delays and throttles, without an engine.
import { describe, expect, it } from 'vitest';
import { unitMs } from '../../src/core/durations.ts';
import { chooseCron, nextCronTime, planWait, type WaitFacts } from '../../src/service/waits.ts';

const now = '2026-01-15T12:00:00.000Z';
const start = Date.parse(now);
const limit =
  'The maximum delay allowed is 180 days. Please contact our support team to discuss extending this limit for your use case.';
const tooLong = {
  details: [{ detail: 'Defer duration limit exceeded', raw: { errors: [limit] } }],
  ...{ laterSteps: 'canceled', reason: limit },
};

const plan = (type: string, controls: object, facts: Partial<WaitFacts> = {}) =>
  planWait(type, controls as never, {
    ...{ payload: {}, overrides: {}, now, timeZone: 'UTC' },
    ...facts,
  });

/** The end of a wait as an ISO time, or the failure. */
function end(type: string, controls: object, facts: Partial<WaitFacts> = {}) {
  const wait = plan(type, controls, facts);
  return wait && 'until' in wait ? new Date(wait.until).toISOString() : wait;
}

describe('a regular delay', () => {
  it.each([
    [{ amount: 90, unit: 'seconds' }, '2026-01-15T12:01:30.000Z'],
    [{ amount: 2, unit: 'minutes' }, '2026-01-15T12:02:00.000Z'],
    [{ amount: 3, unit: 'hours' }, '2026-01-15T15:00:00.000Z'],
    [{ amount: 1, unit: 'days' }, '2026-01-16T12:00:00.000Z'],
    [{ amount: 1, unit: 'weeks' }, '2026-01-22T12:00:00.000Z'],
    [{ amount: 1, unit: 'months' }, '2026-02-14T12:00:00.000Z'],
    [{ amount: 0, unit: 'days' }, now],
    [{ amount: 180, unit: 'days' }, '2026-07-14T12:00:00.000Z'],
  ])('of %j', (controls, expected) => {
    expect(end('delay', { type: 'regular', ...controls })).toBe(expected);
    expect(end('delay', controls)).toBe(expected);
  });

  it('is too long after 180 days', () => {
    expect(plan('delay', { amount: 181, unit: 'days' })).toEqual(tooLong);
    expect(plan('delay', { amount: 180 * 86_400 + 1, unit: 'seconds' })).toEqual(tooLong);
    expect(plan('delay', { amount: 1e300, unit: 'months' })).toEqual(tooLong);
  });

  it('is invalid if it ends after the year 9999', () => {
    const late = { now: '9999-12-31T00:00:00.000Z' };
    expect(end('delay', { amount: 1, unit: 'hours' }, late)).toBe('9999-12-31T01:00:00.000Z');
    expect(plan('delay', { amount: 2, unit: 'days' }, late)).toMatchObject({
      ...{ laterSteps: 'pending', reason: 'Invalid delay amount or unit' },
    });
  });

  it.each([
    { amount: 1 },
    { amount: -1, unit: 'days' },
    { amount: '1', unit: 'days' },
    { amount: 1, unit: 'day' },
  ])('is invalid with %j', (controls) => {
    expect(plan('delay', controls)).toEqual({
      details: [
        { detail: 'Invalid delay configuration', raw: { error: 'Invalid delay amount or unit' } },
      ],
      ...{ laterSteps: 'pending', reason: 'Invalid delay amount or unit' },
    });
  });

  it('can be replaced by an event, with a valid amount and unit', () => {
    const controls = { amount: 1, unit: 'days' };
    const overrides = { delay: { amount: 2, unit: 'hours' } };
    expect(end('delay', controls, { overrides })).toBe('2026-01-15T14:00:00.000Z');
    for (const delay of [{ amount: 2 }, { amount: '2', unit: 'hours' }, 'soon', null, undefined])
      expect(end('delay', controls, { overrides: { delay } as never })).toBe(
        '2026-01-16T12:00:00.000Z',
      );
    const cron = { type: 'timed', cron: '0 9 * * *' };
    expect(end('delay', cron, { overrides })).toBe('2026-01-16T09:00:00.000Z');
    const scheduled = { ...controls, type: 'scheduled' };
    expect(end('delay', scheduled, { overrides })).toBe('2026-01-16T12:00:00.000Z');
  });
});

describe('a delay with a path', () => {
  const controls = { type: 'scheduled', delayPath: 'payload.at' };
  it.each<[unknown, string]>([
    ['2026-01-15T13:00:00Z', '2026-01-15T13:00:00.000Z'],
    [start + 1_000, '2026-01-15T12:00:01.000Z'],
    [{ amount: 5, unit: 'minutes' }, '2026-01-15T12:05:00.000Z'],
    ['2026-01-15T11:00:00Z', now],
  ])('to %j', (at, expected) => {
    const payload = { at } as never;
    expect(end('delay', controls, { payload })).toBe(expected);
    for (const delayPath of ['at', ' at ', '{{payload.at}}', ' {{ payload.at }} ', '{{at}}'])
      expect(end('delay', { ...controls, delayPath }, { payload })).toBe(expected);
  });

  it.each([
    undefined,
    null,
    true,
    'soon',
    {},
    { amount: 1 },
    { unit: 'days' },
    '+010000-01-01T00:00:00Z',
  ])('is invalid with %j', (at) => {
    for (const delayPath of ['payload.at', 'at'])
      expect(end('delay', { ...controls, delayPath }, { payload: { at } as never })).toMatchObject({
        laterSteps: 'pending',
        reason: 'Delay path not found',
      });
  });

  it('with braces inside is not found', () => {
    const payload = { at: '2026-01-15T13:00:00Z' };
    for (const delayPath of ['payload.{{at', 'payload}}.at'])
      expect(plan('delay', { ...controls, delayPath }, { payload })).toMatchObject({
        reason: 'Delay path not found',
      });
  });

  it('of a regular delay, or an empty one, is not used', () => {
    const more = { amount: 1, unit: 'hours' };
    const payload = { at: '2026-01-15T18:00:00Z' };
    for (const other of [
      { type: 'regular', delayPath: 'payload.at' },
      { type: 'scheduled', delayPath: '' },
      { type: 'scheduled', delayPath: 7 },
    ])
      expect(end('delay', { ...other, ...more }, { payload })).toBe('2026-01-15T13:00:00.000Z');
    for (const at of ['2027-01-15T18:00:00Z', '9999-12-31T23:59:59.999Z'])
      expect(plan('delay', controls, { payload: { at } })).toEqual(tooLong);
  });
});

describe('a dynamic delay', () => {
  const controls = { type: 'dynamic', dynamicKey: 'payload.until' };
  const dynamic = (until: unknown) => plan('delay', controls, { payload: { until } as never });

  it.each<[unknown, number]>([
    ['2026-01-15T12:00:30Z', 30_000],
    ['2026-01-15T12:00:30', 30_000],
    ['2026-01-15T12:00:30.5Z', 30_500],
    [{ amount: 2, unit: 'hours' }, 2 * unitMs.h],
    [{ amount: 180, unit: 'days' }, 180 * unitMs.d],
  ])('of %j', (until, wait) => {
    expect(dynamic(until)).toEqual({ until: start + wait });
  });

  it.each<[unknown, string]>([
    [undefined, "Dynamic delay key 'payload.until' not found in payload"],
    ['', "Dynamic delay key 'payload.until' not found in payload"],
    [
      '2026-01-15T11:59:59Z',
      "Dynamic delay timestamp '2026-01-15T11:59:59Z' must be a future date",
    ],
    [{ amount: -1, unit: 'days' }, "Invalid amount '-1' in dynamic delay"],
    [{ amount: '1', unit: 'days' }, "Invalid amount '1' in dynamic delay"],
    [{ amount: 1, unit: 'day' }, "Invalid time unit 'day' in dynamic delay"],
    ...[
      '2026-01-16',
      '2026-01-16T09:00:00+01:00',
      '2026-13-16T09:00:00Z',
      'x2026-01-16T09:00:00Z',
      '+002026-01-16T09:00:00Z',
      '2026-01-16T09:00:00.1234Z',
      ['2026-01-16T09:00:00Z'],
      7,
      true,
      { amount: 1 },
      { unit: 'days' },
    ].map((value): [unknown, string] => [
      value,
      `Dynamic delay value '${JSON.stringify(value)}' is not a valid format. Expected ISO-8601 timestamp or duration object { amount: number, unit: string }`,
    ]),
  ])('is invalid with %j', (until, error) => {
    expect(dynamic(until)).toEqual({
      details: [{ detail: 'Invalid delay configuration', raw: { error } }],
      ...{ laterSteps: 'pending', reason: error },
    });
  });

  it('must be in the future, and is limited', () => {
    for (const until of [now, { amount: 0, unit: 'days' }]) {
      const error = 'Dynamic delay must be in the future. durationMs: 0';
      expect(dynamic(until)).toEqual({
        details: [
          { detail: 'Invalid delay configuration', raw: { error: 'delay must be in the future' } },
          { detail: 'Invalid delay configuration', raw: { error } },
        ],
        ...{ laterSteps: 'pending', reason: error },
      });
    }
    const error = `delay duration exceeds tier limits: ${limit}`;
    expect(dynamic({ amount: 181, unit: 'days' })).toEqual({
      details: [
        { detail: 'Defer duration limit exceeded', raw: { errorMessage: limit } },
        { detail: 'Invalid delay configuration', raw: { error } },
      ],
      ...{ laterSteps: 'pending', reason: error },
    });
  });
});

describe('cron expressions', () => {
  it.each<[object, string | undefined]>([
    [{ cron: '0 9 * * 1' }, '0 9 * * 1'],
    [{ cron: '0 9 * * 1', amount: 1 }, undefined],
    [{ type: 'timed', cron: '0 9 * * 1', amount: 1 }, '0 9 * * 1'],
    [{ cron: '' }, undefined],
    [{ cron: '', timed: { atTime: '09:30' } }, '30 9 * * *'],
    [{ timed: { cronExpression: '1 2 3 4 5', atTime: '09:30' } }, '1 2 3 4 5'],
    [{ timed: { atTime: '9:05' } }, '5 9 * * *'],
    [{ timed: { atTime: '19:05:00' } }, '5 19 * * *'],
    [{ timed: { atTime: 'x9:05' } }, undefined],
    [{ timed: {} }, undefined],
    [{ timed: null }, undefined],
    [{ timed: 'daily' }, undefined],
    [{ timed: { atTime: '09:00', weekDays: ['monday', 'sunday'] } }, '0 9 * * 1,0'],
    [{ timed: { atTime: '09:00', monthDays: [1, '15'] } }, '0 9 1,15 * *'],
    [{ timed: { atTime: '09:00', monthDays: [1], monthlyType: 'each' } }, '0 9 1 * *'],
    [{ timed: { atTime: '09:00', monthDays: [1], monthlyType: 'on' } }, '0 9 * * *'],
    [{ timed: { atTime: '09:00', monthDays: 'all', weekDays: 'all' } }, '0 9 * * *'],
    [{ timed: { atTime: '09:00', ordinal: 2, ordinalValue: 'day' } }, '0 9 2 * *'],
    [{ timed: { atTime: '09:00', ordinal: 'last', ordinalValue: 'day' } }, '0 9 L * *'],
    [{ timed: { atTime: '09:00', ordinal: 'last', ordinalValue: 'friday' } }, '0 9 * * 5#L'],
    [{ timed: { atTime: '09:00', ordinal: 1, ordinalValue: 'sunday' } }, '0 9 * * 0#1'],
    [{ timed: { atTime: '09:00', ordinal: 1, ordinalValue: 'weekday' } }, undefined],
  ])('of %j', (controls, expected) => {
    expect(chooseCron(controls as never)).toBe(expected);
  });

  it.each<[string, string, string | undefined]>([
    ['0 9 * * *', 'UTC', '2026-01-16T09:00:00.000Z'],
    ['0 9 * * *', 'America/New_York', '2026-01-15T14:00:00.000Z'],
    ['0 9 * * *', 'nowhere', '2026-01-16T09:00:00.000Z'],
    ['0 9 * * *', '+02:00', '2026-01-16T07:00:00.000Z'],
    ['0 12 * * *', 'UTC', '2026-01-16T12:00:00.000Z'],
    ['0 9 30 2 *', 'UTC', undefined],
    ['never', 'UTC', undefined],
  ])('the next time of %s in %s', (expression, zone, expected) => {
    const next = nextCronTime(expression, start, zone);
    expect(next === undefined ? next : new Date(next).toISOString()).toBe(expected);
  });

  it('that never match end the event of a delay', () => {
    expect(plan('delay', { type: 'timed', cron: 'never' })).toEqual({
      details: [
        { detail: 'Invalid delay configuration', raw: { error: 'Invalid cron expression' } },
      ],
      ...{ laterSteps: 'canceled', reason: 'Invalid cron expression' },
    });
  });
});

describe('a digest', () => {
  it.each<[object, string]>([
    [{ amount: 2, unit: 'hours' }, '2026-01-15T14:00:00.000Z'],
    [{ type: 'backoff', amount: 2, unit: 'hours' }, '2026-01-15T14:00:00.000Z'],
    [{ type: 'timed', cron: '0 9 * * *' }, '2026-01-16T09:00:00.000Z'],
    [{ type: 'timed', timed: { atTime: '15:00' } }, '2026-01-15T15:00:00.000Z'],
    [{ amount: 180, unit: 'days' }, '2026-07-14T12:00:00.000Z'],
  ])('of %j', (controls, expected) => {
    expect(end('digest', controls)).toBe(expected);
  });

  it('is limited, and invalid without an end', () => {
    expect(plan('digest', { amount: 181, unit: 'days' })).toEqual(tooLong);
    for (const controls of [{}, { amount: 1 }, { type: 'timed', cron: 'never' }])
      expect(plan('digest', controls)).toEqual({
        details: [{ detail: 'Digest step has neither an amount and unit nor a cron expression' }],
        laterSteps: 'canceled',
        reason: 'its amount and unit, or its cron expression, are not valid',
      });
  });
});

describe('a throttle', () => {
  const dynamic = { type: 'dynamic', dynamicKey: 'payload.window' };
  const windowOf = (window: unknown) => end('throttle', dynamic, { payload: { window } as never });

  it('has a window of a duration', () => {
    expect(end('throttle', { amount: 1, unit: 'hours' })).toBe('2026-01-15T13:00:00.000Z');
    // Too short for a clock, which only a dynamic window must not be.
    expect(plan('throttle', { amount: 1e-9, unit: 'seconds' })).toEqual({ until: start });
    for (const controls of [{}, { amount: 0, unit: 'hours' }, { amount: 1 }, { unit: 'hours' }])
      expect(plan('throttle', controls)).toBeUndefined();
  });

  it('has a window of the payload', () => {
    expect(windowOf('2026-01-15T12:30:00Z')).toBe('2026-01-15T12:30:00.000Z');
    expect(windowOf({ amount: 1, unit: 'minutes' })).toBe('2026-01-15T12:01:00.000Z');
    for (const window of [undefined, 'soon', 7, { amount: 1 }, { amount: 'x', unit: 'days' }])
      expect(windowOf(window)).toBeUndefined();
    expect(plan('throttle', { type: 'dynamic', dynamicKey: 7 })).toBeUndefined();
    const short = { type: 'dynamic', dynamicKey: 'window' };
    const payload = { window: { amount: 1, unit: 'minutes' } };
    expect(end('throttle', short, { payload })).toBe('2026-01-15T12:01:00.000Z');
  });

  it('must end in the future', () => {
    for (const [window, ms] of [
      [now, 0],
      ['2026-01-15T11:59:59Z', -1_000],
      [{ amount: 0, unit: 'days' }, 0],
    ] as const) {
      const error = `Dynamic throttle must be in the future. durationMs: ${ms}`;
      expect(windowOf(window)).toEqual({
        details: [
          {
            detail: 'Throttle window date is in the past',
            raw: { error: 'throttle must be in the future' },
          },
          { detail: 'Invalid delay configuration', raw: { error } },
        ],
        ...{ laterSteps: 'pending', reason: error },
      });
    }
  });
});

it('other steps wait for nothing', () => {
  for (const type of ['email', 'in_app', 'custom'])
    expect(plan(type, { amount: 1, unit: 'hours' })).toBeUndefined();
});
