// The hours in which a subscriber wants messages.
import { describe, expect, test } from 'vitest';
import { both, email, inbox, openScene, prefer, push, send, text } from './engine-fixture.ts';

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
