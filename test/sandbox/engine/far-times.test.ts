// Durations and times that no clock can show: they fail their step or are rejected, and never stop the sandbox.
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../support/sandbox-311.ts';
import { openPage } from '../page/open-page.ts';
import { delayThenInbox, inbox, openEngine, triggerTestWorkflow } from './engine-fixture.ts';

const digestThenInbox = (controls: Record<string, unknown>) => ({
  steps: [{ name: 'Wait', type: 'digest' as const, controls }, inbox],
});

/** The status of the waiting step, and whether the sandbox still works. */
async function stepStatus(
  workflow: ReturnType<typeof delayThenInbox | typeof digestThenInbox>,
  payload: object = {},
) {
  const engine = await openEngine();
  engine.defineWorkflow(workflow);
  await triggerTestWorkflow(engine, 'u1', { payload });
  await engine.control.advanceClock(60_000);
  expect((await engine.control.status()).nextJobAt).toBe('2026-01-16T12:00:00.000Z');
  return (await engine.getActivity('a')).statuses[0];
}

describe('a step fails if it would wait beyond the year 9999', () => {
  test.each([
    ['months', 1e300],
    ['seconds', 1e300],
    ['days', 4e6],
    ['weeks', 1.7e14],
  ])('with a delay in %s', async (unit, amount) => {
    expect(await stepStatus(delayThenInbox({ amount, unit }))).toBe('failed');
  });

  test('with a digest', async () => {
    expect(await stepStatus(digestThenInbox({ amount: 1e300, unit: 'months' }))).toBe('failed');
  });

  test.each<[string, unknown]>([
    ['a duration', { amount: 1e300, unit: 'months' }],
    ['a number of milliseconds', 8.64e15],
    ['a date', '+275760-09-13T00:00:00.000Z'],
  ])('with %s in the payload', async (_name, until) => {
    const workflow = delayThenInbox({ type: 'dynamic', dynamicKey: 'payload.until' });
    expect(await stepStatus(workflow, { until })).toBe('failed');
  });

  test('with a throttle', async () => {
    const engine = await openEngine();
    const controls = { threshold: 1, amount: 1e300, unit: 'months' };
    engine.defineWorkflow({ steps: [{ name: 'Limit', type: 'throttle', controls }, inbox] });
    await triggerTestWorkflow(engine);
    expect((await engine.getActivity('a')).statuses[0]).toBe('failed');
  });
});

test('a look-back window that is longer than the time since 1970 contains every event', async () => {
  const engine = await openEngine();
  const lookBackWindow = { amount: 1e300, unit: 'months' };
  engine.defineWorkflow(digestThenInbox({ amount: 1, unit: 'hours', lookBackWindow }));
  await triggerTestWorkflow(engine);
  expect((await engine.getActivity('a')).statuses[0]).toBe('skipped');
  await triggerTestWorkflow(engine, 'u1', { transactionId: 'b' });
  expect((await engine.getActivity('b')).statuses[0]).toBe('delayed');
});

describe('the clock', () => {
  test.each<[string, Record<string, unknown>]>([
    ['set after the year 9999', { set: '+010000-01-01T00:00:00.000Z' }],
    ['set to the last time of a Date', { set: new Date(8.64e15).toISOString() }],
    ['set before 1970', { set: '1969-12-31T23:59:59.999Z' }],
    ['advanced beyond the year 9999', { advance: 8e14 }],
    ['advanced without end', { advance: 1e300 }],
  ])('is not %s', async (_name, body) => {
    const { ask, control } = await openEngine();
    const { status, body: error } = await ask('POST /__sandbox/clock', body);
    expect(status).toBe(422);
    expect(error.message).toContain('from 1970-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z');
    expect((await control.clock()).now).toBe('2026-01-15T12:00:00.000Z');
  });

  test('stops at the end of the year 9999, where everything still works', async () => {
    const last = '9999-12-31T23:59:59.999Z';
    let now = Date.parse('2026-01-15T12:00:00.000Z');
    const page = await openPage({ now: () => now });
    await page.control.setClock(last);
    now += 60_000;
    expect((await page.control.clock()).now).toBe(last);
    expect((await page.control.status()).pendingJobs).toBe(0);
    expect((await page.trigger('welcome', 'u1')).status).toBe(201);
    expect((await page.trigger('trial-ending', 'u1')).status).toBe(201);
    expect((await page.get('/')).status).toBe(200);
    expect((await page.get('/page/activity')).status).toBe(200);
    const { token } = page;
    const moved = await page.post('/page/clock', { token, advance: '60000', back: '/' });
    expect(moved.status).toBe(303);
    expect((await page.get('/')).text).toContain('The clock is at its end.');
    const [{ _id }] = (await page.ask('GET /v1/notifications')).body.data;
    expect(_id).toMatch(/^[0-9a-f]{24}$/);
    expect((await page.control.setClock('2026-01-15T12:00:00.000Z')).now).toBe(
      '2026-01-15T12:00:00.000Z',
    );
  });

  test('that is at the end of time does not stop the sandbox', async () => {
    const { ask, control, store } = await openEngine();
    expect(store.clock.machineNow()).toBeLessThan(systemClock.now());
    store.clock.set(8.64e15);
    expect((await control.clock()).now).toBe('9999-12-31T23:59:59.999Z');
    expect((await ask('GET /v1/notifications')).status).toBe(200);
  });
});

test('a sandbox does not start at a time before 1970', async () => {
  await expect(openEngine({ time: Date.parse('0001-01-01') })).rejects.toThrow(
    'The sandbox can start at times from 1970-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z.',
  );
});
