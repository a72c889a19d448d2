// Due times of waiting steps: durations, timed controls, cron expressions and subscriber schedules.
import { describe, expect, test } from 'vitest';
import { email, inbox, openEngine } from './engine-fixture.ts';

const steps = (controls: Record<string, unknown>, type: 'delay' | 'digest' = 'delay') => ({
  steps: [{ name: 'Wait', type, controls }, inbox],
});

/**
 * Triggers a delay on Thursday, 15 January 2026, at noon UTC, and returns when the message behind
 * it is created, or `failed`.
 */
async function delayEnd(controls: Record<string, unknown>, to = 'u7'): Promise<string> {
  const { defineWorkflow, trigger, getActivity, advance, messages } = await openEngine();
  defineWorkflow(steps(controls));
  await trigger({ name: 'test', to, transactionId: 'a' });
  await advance(180 * 24 * 60);
  const { statuses, details } = await getActivity('a');
  if (statuses[0] === 'failed') {
    return `${details[0]?.[0]}; ${statuses[1]}`;
  }
  return (await messages('transactionId=a'))[0].createdAt;
}

const invalidControls = 'Failed: Bridge execution failed; canceled';
const invalidDelay = 'Failed: Invalid delay configuration; pending';
const invalidCron = 'Failed: Invalid delay configuration; canceled';

describe('a timed delay', () => {
  test.each<[object, string]>([
    [{ atTime: '09:30' }, '2026-01-16T09:30:00.000Z'],
    [{ atTime: '12:01' }, '2026-01-15T12:01:00.000Z'],
    [{ atTime: '9:05', weekDays: ['monday'] }, '2026-01-19T09:05:00.000Z'],
    [{ atTime: '09:00', weekDays: ['sunday', 'saturday'] }, '2026-01-17T09:00:00.000Z'],
    [{ atTime: '09:00', monthDays: [20, 3] }, '2026-01-20T09:00:00.000Z'],
    [{ atTime: '09:00', monthDays: [3], monthlyType: 'each' }, '2026-02-03T09:00:00.000Z'],
    [{ atTime: '09:00', monthDays: [31] }, '2026-01-31T09:00:00.000Z'],
    [{ atTime: '09:00', ordinal: '2', ordinalValue: 'friday' }, '2026-02-13T09:00:00.000Z'],
    [{ atTime: '09:00', ordinal: 'last', ordinalValue: 'friday' }, '2026-01-30T09:00:00.000Z'],
    [{ atTime: '09:00', ordinal: 'last', ordinalValue: 'day' }, '2026-01-31T09:00:00.000Z'],
    [{ atTime: '09:00', ordinal: '2', ordinalValue: 'day' }, '2026-02-02T09:00:00.000Z'],
    [
      { atTime: '09:00', monthDays: [20], monthlyType: 'on', ordinal: '1', ordinalValue: 'monday' },
      '2026-02-02T09:00:00.000Z',
    ],
    [{ cronExpression: '15 10 1 * *' }, '2026-02-01T10:15:00.000Z'],
    [{ atTime: '09:00', ordinal: '2', ordinalValue: 'feast' }, invalidDelay],
    [{ atTime: '09:00', weekDays: ['feast'] }, invalidCron],
    [{ atTime: '25:00' }, invalidCron],
    [{ atTime: 'noon' }, invalidDelay],
    [{}, invalidDelay],
  ])('with the controls %j ends at %s', async (timed, end) => {
    expect(await delayEnd({ type: 'timed', timed })).toBe(end);
  });

  test('uses the time zone of the subscriber, with daylight saving time', async () => {
    // Summer time starts in Berlin on 29 March 2026.
    const timed = { atTime: '09:00', monthDays: [30] };
    expect(await delayEnd({ type: 'timed', timed }, 'u4')).toBe('2026-01-30T08:00:00.000Z');
    expect(await delayEnd({ type: 'timed', cron: '0 9 30 3 *' }, 'u4')).toBe(
      '2026-03-30T07:00:00.000Z',
    );
  });

  test('uses UTC if the time zone of the subscriber is unknown', async () => {
    const { defineWorkflow, trigger, advance, messages, store } = await openEngine();
    defineWorkflow(steps({ type: 'timed', cron: '30 8 * * *' }));
    store.sql.run(
      "UPDATE subscribers SET body = json_set(body, '$.timezone', 'Mars/Base') WHERE subscriber_id = 'u4'",
    );
    await trigger({ name: 'test', to: 'u4', transactionId: 'a' });
    await advance(24 * 60);
    expect((await messages('transactionId=a'))[0].createdAt).toBe('2026-01-16T08:30:00.000Z');
  });
});

describe('a delay duration', () => {
  test.each<[unknown, unknown, string]>([
    [90, 'seconds', '2026-01-15T12:01:30.000Z'],
    [2, 'hours', '2026-01-15T14:00:00.000Z'],
    [1.5, 'days', '2026-01-17T00:00:00.000Z'],
    [2, 'weeks', '2026-01-29T12:00:00.000Z'],
    [3, 'months', '2026-04-15T12:00:00.000Z'],
    [180, 'days', '2026-07-14T12:00:00.000Z'],
    [181, 'days', 'Failed: Defer duration limit exceeded; canceled'],
    [1, 'years', invalidControls],
    [1, undefined, invalidControls],
    [-1, 'days', invalidControls],
    ['1', 'days', '2026-01-16T12:00:00.000Z'],
  ])('of %j %s ends at %s', async (amount, unit, end) => {
    expect(await delayEnd({ amount, ...(unit === undefined ? {} : { unit }) })).toBe(end);
  });
});

describe('a cron expression', () => {
  test.each([
    ['that never matches', '0 9 31 2 *'],
    ['that is invalid', 'soon'],
  ])('%s fails its step', async (_name, cron) => {
    expect(await delayEnd({ type: 'timed', cron })).toBe(invalidCron);
  });
});

describe('the schedule of a subscriber', () => {
  const open = (weeklySchedule: object) => ({ schedule: { isEnabled: true, weeklySchedule } });

  test.each<[string, object, string]>([
    ['is closed on a day without hours', { thursday: { isEnabled: true } }, 'canceled'],
    [
      'is closed on a day with an empty list of hours',
      { thursday: { isEnabled: true, hours: [] } },
      'canceled',
    ],
    [
      'is closed on a disabled day',
      {
        thursday: { isEnabled: false, hours: [{ start: '09:00 AM', end: '05:00 PM' }] },
        friday: { isEnabled: true },
      },
      'canceled',
    ],
    [
      'can have several ranges per day',
      {
        thursday: {
          isEnabled: true,
          hours: [
            { start: '09:00 AM', end: '10:00 AM' },
            { start: '12:00 PM', end: '01:00 PM' },
          ],
        },
      },
      'completed',
    ],
  ])('%s', async (_name, week, status) => {
    const { ask, defineWorkflow, trigger, getActivity } = await openEngine();
    defineWorkflow({ steps: [email] });
    expect((await ask('PATCH /v2/subscribers/u7/preferences', open(week))).status).toBe(200);
    await trigger({ name: 'test', to: 'u7', transactionId: 'a' });
    expect((await getActivity('a')).statuses).toEqual([status]);
  });

  test('postpones nothing if it never opens', async () => {
    const { ask, defineWorkflow, trigger, getActivity, advance } = await openEngine();
    const controls = { amount: 1, unit: 'hours', extendToSchedule: true };
    defineWorkflow({ steps: [{ name: 'Wait', type: 'delay', controls }, email] });
    const never = { thursday: { isEnabled: false }, friday: { isEnabled: false } };
    expect((await ask('PATCH /v2/subscribers/u7/preferences', open(never))).status).toBe(200);
    await trigger({ name: 'test', to: 'u7', transactionId: 'a' });
    await advance(60);
    const { statuses, item } = await getActivity('a');
    expect(statuses).toEqual(['completed', 'canceled']);
    expect(item.jobs[0].scheduleExtensionsCount ?? 0).toBe(0);
  });
});

describe('due jobs', () => {
  test('of other runs are executed even if one run fails with an internal error', async () => {
    const { defineWorkflow, trigger, advance, store } = await openEngine();
    defineWorkflow(steps({ amount: 1, unit: 'hours' }));
    await trigger(
      { name: 'test', to: 'u5', transactionId: 'broken' },
      { name: 'test', to: 'u7', transactionId: 'intact' },
    );
    const statuses = (transactionId: string) =>
      store.sql
        .all<{ status: string }>(
          `SELECT jobs.status FROM jobs JOIN notifications ON notifications.id = jobs.notification
           WHERE notifications.transaction_id = ? ORDER BY position`,
          transactionId,
        )
        .map(({ status }) => status);
    store.sql.run(
      `UPDATE jobs SET body = 'torn' WHERE position = 0 AND notification IN
       (SELECT id FROM notifications WHERE transaction_id = 'broken')`,
    );
    await expect(advance(60)).rejects.toThrow('JSON');
    expect(statuses('intact')).toEqual(['completed', 'completed']);
    expect(statuses('broken')[0]).toBe('canceled');
  });
});

describe('an event payload', () => {
  test('is rejected with the reason if its schema is invalid', async () => {
    const { defineWorkflow, trigger } = await openEngine();
    defineWorkflow({ steps: [inbox], payloadSchema: { type: 'nonsense' }, validatePayload: true });
    const [result] = await trigger({ name: 'test', to: 'u1', payload: {} });
    expect(result).toMatchObject({
      status: 'error',
      error: [expect.stringMatching(/^Payload validation failed: payloadSchema: type must be/)],
    });
  });

  test('is validated against its own schema when many workflows have schemas', async () => {
    const { defineWorkflow, trigger } = await openEngine();
    const names = Array.from({ length: 210 }, (_unused, index) => `w${index}`);
    for (const name of names) {
      const payloadSchema = { type: 'object', required: [name] };
      defineWorkflow({ workflowId: name, steps: [inbox], payloadSchema, validatePayload: true });
    }
    for (const name of [...names, 'w0', 'w209']) {
      const [valid, invalid] = await trigger(
        { name, to: 'u1', payload: { [name]: 1 } },
        { name, to: 'u1', payload: { other: 1 } },
      );
      expect(valid.status, name).toBe('processed');
      expect(invalid.error, name).toEqual([
        `Payload validation failed: root.${name}: must have required property '${name}'`,
      ]);
    }
  });
});
