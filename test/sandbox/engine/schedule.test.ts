// The weekly schedule in which a subscriber accepts messages.
import { describe, expect, test } from 'vitest';
import { sandboxVersions } from '../../../src/service/versions.ts';
import {
  email,
  inbox,
  inboxAndEmail,
  openEngine,
  push,
  setPreferences,
  sms,
  triggerTestWorkflow,
} from './engine-fixture.ts';

describe('a schedule', () => {
  const outside = "Success: The step was skipped as it fell outside the subscriber's schedule";
  const day = (start: string, end: string) => ({ isEnabled: true, hours: [{ start, end }] });
  const schedule = (weeklySchedule: object) => ({ schedule: { isEnabled: true, weeklySchedule } });

  test('skips all channels except the inbox outside its hours', async () => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [inbox, email, sms, push] });
    // Thursday noon is 7 in the morning in New York.
    await setPreferences(engine, schedule({ thursday: day('09:00 AM', '05:00 PM') }));
    await triggerTestWorkflow(engine);
    expect(await engine.getActivity('a')).toMatchObject({
      statuses: ['completed', 'canceled', 'canceled', 'canceled'],
      details: [expect.anything(), [outside], [outside], [outside]],
    });
  });

  test.each([
    ['u1', 'America/New_York', 'thursday', '07:00 AM', '07:01 AM', true],
    ['u1', 'America/New_York', 'thursday', '07:01 AM', '11:59 PM', false],
    ['u1', 'America/New_York', 'friday', '12:00 AM', '11:59 PM', false],
    ['u4', 'Europe/Berlin', 'thursday', '01:00 PM', '02:00 PM', true],
    ['u4', 'Europe/Berlin', 'thursday', '12:00 PM', '01:00 PM', true],
    ['u4', 'Europe/Berlin', 'thursday', '12:00 PM', '12:59 PM', false],
    ['u7', 'none', 'thursday', '12:00 PM', '12:01 PM', true],
    ['u7', 'none', 'wednesday', '11:00 PM', '01:00 PM', true],
    ['u7', 'none', 'wednesday', '11:00 PM', '12:00 PM', true],
    ['u7', 'none', 'wednesday', '11:00 PM', '11:59 AM', false],
    ['u7', 'none', 'wednesday', '11:00 AM', '10:00 AM', true],
    ['u7', 'none', 'wednesday', '11:00 AM', '01:00 PM', false],
    ['u7', 'none', 'thursday', '11:00 PM', '01:00 PM', true],
    ['u7', 'none', 'thursday', '12:00 PM', '12:00 PM', true],
    ['u7', 'none', 'thursday', '12:01 PM', '12:01 PM', false],
    ['u7', 'none', 'thursday', '11:00 AM', '03:00 AM', true],
  ])(
    'of %s in zone %s on %s from %s to %s: open is %j',
    async (id, _, weekday, start, end, isOpen) => {
      const engine = await openEngine();
      engine.defineWorkflow({ steps: [email] });
      await setPreferences(engine, schedule({ [weekday]: day(start, end) }), id);
      await triggerTestWorkflow(engine, id);
      expect((await engine.getActivity('a')).statuses).toEqual([isOpen ? 'completed' : 'canceled']);
    },
  );

  test('is read at the offset of a subscriber without a named zone, as cron expressions are', async () => {
    const engine = await openEngine({ service: '3.19' });
    const subscriber = { subscriberId: 'n', timezone: '+02:30', email: 'n@example.com' };
    await engine.ask('POST /v2/subscribers', subscriber);
    engine.defineWorkflow({
      steps: [
        email,
        { name: 'Wait', type: 'delay', controls: { type: 'timed', cron: '0 15 * * *' } },
      ],
    });
    await setPreferences(engine, schedule({ thursday: day('02:30 PM', '02:31 PM') }), 'n');
    await triggerTestWorkflow(engine, 'n');
    await engine.advance(29);
    expect((await engine.getActivity('a')).statuses).toEqual(['completed', 'delayed']);
    await engine.advance(1);
    expect((await engine.getActivity('a')).statuses).toEqual(['completed', 'completed']);
  });

  test.each([
    ['11:59 PM', '2026-01-15T23:59:30Z', 'completed'],
    ['11:58 PM', '2026-01-15T23:58:30Z', 'completed'],
    ['11:58 PM', '2026-01-15T23:59:00Z', 'canceled'],
  ])('until %s at %s: %s, because its last minute is open', async (end, at, status) => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [email] });
    await setPreferences(engine, schedule({ thursday: day('09:00 AM', end) }), 'u7');
    await engine.control.setClock(at);
    await triggerTestWorkflow(engine, 'u7');
    expect((await engine.getActivity('a')).statuses).toEqual([status]);
  });

  // Friday 2 in the morning in UTC is Thursday evening in New York, Thursday 23:00 is Friday in Berlin.
  test.each([
    ['u1', '2026-01-16T02:00:00Z', 'thursday', 'completed'],
    ['u1', '2026-01-16T02:00:00Z', 'friday', 'canceled'],
    ['u4', '2026-01-15T23:00:00Z', 'friday', 'completed'],
    ['u4', '2026-01-15T23:00:00Z', 'thursday', 'canceled'],
    ['u7', '2026-01-15T23:00:00Z', 'thursday', 'completed'],
  ])('of %s at %s has the weekday of the time zone: on %s %s', async (id, at, weekday, status) => {
    for (const service of sandboxVersions) {
      const engine = await openEngine({ service });
      engine.defineWorkflow({ steps: [email] });
      await setPreferences(engine, schedule({ [weekday]: day('12:00 AM', '11:59 PM') }), id);
      await engine.control.setClock(at);
      await triggerTestWorkflow(engine, id);
      expect((await engine.getActivity('a')).statuses).toEqual([status]);
    }
  });

  test('follows daylight saving time', async () => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [email] });
    await setPreferences(engine, schedule({ monday: day('09:00 AM', '05:00 PM') }));
    // From 8 March 2026 New York is four hours behind UTC.
    for (const [at, status] of [
      ['2026-03-02T13:30:00Z', 'canceled'],
      ['2026-03-09T13:30:00Z', 'completed'],
    ]) {
      await engine.control.setClock(String(at));
      await engine.trigger({ name: 'test', to: 'u1', transactionId: at });
      expect((await engine.getActivity(at ?? '')).statuses).toEqual([status]);
    }
  });

  test('skips nothing if it is disabled or the workflow is critical', async () => {
    const engine = await openEngine();
    await setPreferences(engine, schedule({ friday: day('09:00 AM', '05:00 PM') }));
    await engine.trigger({ name: 'one-time-code', to: 'u1', transactionId: 'critical' });
    expect((await engine.getActivity('critical')).statuses).toEqual(['completed', 'completed']);
    engine.defineWorkflow(inboxAndEmail);
    await setPreferences(engine, { schedule: { isEnabled: false } });
    await triggerTestWorkflow(engine);
    expect((await engine.getActivity('a')).statuses).toEqual(['completed', 'completed']);
  });

  test('postpones the end of a delay until it opens, at most three times', async () => {
    const engine = await openEngine();
    const { defineWorkflow, getActivity, advance, messages } = engine;
    const controls = { amount: 1, unit: 'hours', extendToSchedule: true };
    defineWorkflow({ steps: [{ name: 'Wait', type: 'delay', controls }, email] });
    const hours = (weekday: string) =>
      setPreferences(engine, schedule({ [weekday]: day('09:00 AM', '05:00 PM') }), 'u7');
    await hours('friday');
    await triggerTestWorkflow(engine, 'u7');
    await advance(60);
    expect((await getActivity('a')).item.jobs[0]).toMatchObject({
      status: 'delayed',
      scheduleExtensionsCount: 1,
    });
    for (const weekday of ['saturday', 'sunday', 'monday']) {
      await hours(weekday);
      await advance(24 * 60);
    }
    const { statuses, item, details } = await getActivity('a');
    expect(item.jobs[0].scheduleExtensionsCount).toBe(3);
    expect(statuses).toEqual(['completed', 'canceled']);
    const extended =
      'Pending: Step was extended to the next available time in the subscriber schedule';
    const exceeded =
      'Success: Step was executed due to maximum number of subscriber schedule extensions reached';
    expect(details[0]?.filter((text) => text === extended)).toHaveLength(3);
    expect(details[0]).toContain(exceeded);
    const raw = item.jobs[0].executionDetails.findLast(({ raw }: { raw?: string }) =>
      raw?.includes('delayMs'),
    );
    expect(JSON.parse(raw.raw)).toEqual({
      delayMs: 24 * 60 * 60_000,
      nextAvailableTime: '2026-01-18T09:00:00.000Z',
      schedule: expect.objectContaining({ isEnabled: true }),
      scheduleExtensionsCount: 3,
      maxScheduleExtensions: 3,
    });
    expect(details[1]).toEqual([outside]);
    expect(await messages('transactionId=a')).toEqual([]);
  });

  test('cancels a throttle outside its hours, and the steps after it go on', async () => {
    const engine = await openEngine();
    const controls = { amount: 1, unit: 'hours', threshold: 1 };
    engine.defineWorkflow({ steps: [{ name: 'Limit', type: 'throttle', controls }, inbox] });
    await setPreferences(engine, schedule({ friday: day('09:00 AM', '05:00 PM') }), 'u7');
    await triggerTestWorkflow(engine, 'u7');
    const { statuses, details, item } = await engine.getActivity('a');
    expect(statuses).toEqual(['canceled', 'completed']);
    expect(details[0]).toEqual([outside]);
    // A subscriber without a time zone has none in the detail.
    expect(JSON.parse(item.jobs[0].executionDetails.at(-1).raw)).not.toHaveProperty('timezone');
  });

  test('opens again after a week if it is open on one day of the week', async () => {
    const engine = await openEngine();
    const controls = { amount: 1, unit: 'hours', extendToSchedule: true };
    engine.defineWorkflow({ steps: [{ name: 'Wait', type: 'delay', controls }, email] });
    await setPreferences(engine, schedule({ thursday: day('09:00 AM', '10:00 AM') }), 'u7');
    // Thursday noon.
    await triggerTestWorkflow(engine, 'u7');
    await engine.advance(8 * 24 * 60);
    expect((await engine.messages('transactionId=a'))[0].createdAt).toBe(
      '2026-01-22T09:00:00.000Z',
    );
  });

  test('sends postponed messages when it opens', async () => {
    const { trigger, messages, advance, ask } = await openEngine();
    // Three days later is a Sunday; the schedule of u4 opens on weekdays at nine, in Berlin.
    await trigger({ name: 'trial-ending', to: 'u4', transactionId: 'a', payload: { plan: 'pro' } });
    await advance(7 * 24 * 60);
    expect((await messages('transactionId=a'))[0].createdAt).toBe('2026-01-19T08:00:00.000Z');
    const { body } = await ask('GET /v1/notifications?transactionId=a');
    expect(body.data[0].jobs[0].scheduleExtensionsCount).toBe(1);
  });
});
