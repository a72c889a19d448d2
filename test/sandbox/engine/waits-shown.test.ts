// The activity and later templates show delays, digests and throttles: whole values, for the settings of each.
import { describe, expect, test } from 'vitest';
import { openEngine, type TestStep } from './engine-fixture.ts';

type Engine = Awaited<ReturnType<typeof openEngine>>;

/** A workflow from code, whose controls are not checked. */
const fromCode = { origin: 'external' } as const;

const hour = { amount: 1, unit: 'hours' };
const daily = '0 13 * * *';
const queued = ['Step queued', null];
const inTimeZone = { delay: 86_400_000, untilDate: '2026-01-16 13:00:00 GMT+1' };

/** A step that waits, and an e-mail whose subject is the output of the step as JSON. */
const waitThenShow = (type: TestStep['type'], controls: Record<string, unknown>) => ({
  steps: [
    { name: 'Wait', type, controls },
    {
      name: 'Email',
      type: 'email' as const,
      controls: { subject: '{{steps.wait | json}}', body: 'Hello' },
    },
  ],
});

/** Two events at noon for a subscriber in Berlin: `a` with payload, `b` without. */
async function runTwo(
  type: TestStep['type'],
  controls: Record<string, unknown>,
  more: Parameters<Engine['defineWorkflow']>[1] = {},
) {
  const engine = await openEngine({ service: '3.19' });
  engine.defineWorkflow(waitThenShow(type, controls), more);
  const event = { name: 'test', to: 'u4' };
  await engine.trigger(
    { ...event, transactionId: 'a', payload: { at: '2026-01-15T14:00:00.000Z' } },
    { ...event, transactionId: 'b' },
  );
  await engine.advance(2 * 24 * 60);
  const view = async (transactionId: string) => {
    const { statuses, item } = await engine.getActivity(transactionId);
    const [{ executionDetails, step, digest }] = item.jobs;
    const details = executionDetails.map(({ detail, raw }: { detail: string; raw?: string }) => [
      detail,
      raw ? JSON.parse(raw) : null,
    ]);
    const [message] = await engine.messages(`transactionId=${transactionId}`);
    const output = message && JSON.parse(message.subject.replaceAll("'", '"'));
    const { timed: _, ...metadata } = step.metadata;
    return { statuses, details, metadata, digest, output, job: item.jobs[0]._id, event: item._id };
  };
  return { a: await view('a'), b: await view('b') };
}

describe('a delay', () => {
  test.each([
    [hour, { type: 'regular', ...hour }, { delay: 3_600_000 }],
    [{ type: 'timed', cron: daily }, { type: 'timed' }, inTimeZone],
    [
      { type: 'dynamic', dynamicKey: 'payload.at' },
      { type: 'dynamic', dynamicKey: 'payload.at' },
      { delay: 7_200_000 },
    ],
  ])('with %j', async (controls, metadata, detail) => {
    const { a } = await runTwo('delay', controls);
    expect(a).toMatchObject({ statuses: ['completed', 'completed'], metadata });
    expect(a.details).toEqual([queued, ['Step delayed', detail], ['Delay is finished', null]]);
    expect(a.output).toEqual({ duration: detail.delay });
  });

  test.each([
    [hour, { type: 'regular', ...hour }],
    [{ ...hour, type: 'timed', cron: daily }, { type: 'timed' }],
  ])('of code with %j', async (controls, metadata) => {
    const { a } = await runTwo('delay', controls, fromCode);
    expect(a.statuses).toEqual(['completed', 'completed']);
    expect(a.metadata).toEqual(metadata);
  });

  test('whose job is lost waits forever', async () => {
    const engine = await openEngine({ service: '3.19' });
    engine.defineWorkflow(waitThenShow('delay', hour));
    // With this seed, the first two decisions of the worker keep the jobs, and the third one loses the timer.
    await engine.ask('POST /__sandbox/faults', { loseJobs: 0.5, faultSeed: 13 });
    await engine.trigger({ name: 'test', to: 'u4', transactionId: 'a' });
    await engine.control.clearFaults();
    await engine.advance(48 * 60);
    expect((await engine.getActivity('a')).statuses).toEqual(['delayed', 'pending']);
  });

  test('whose time in the payload is missing fails, and later steps stay pending', async () => {
    const { b } = await runTwo('delay', { type: 'dynamic', dynamicKey: 'payload.at' });
    expect(b.statuses).toEqual(['failed', 'pending']);
    expect(b.details.at(-1)).toEqual([
      'Invalid delay configuration',
      { error: "Dynamic delay key 'payload.at' not found in payload" },
    ]);
  });
});

describe('a digest', () => {
  const timed = { cronExpression: daily, weekDays: [], monthDays: [] };
  const untilDate = '2026-01-16T12:00:00.000Z';

  test.each([
    [hour, { type: 'regular', ...hour }, {}, { delay: 3_600_000 }],
    [{ cron: daily }, { type: 'timed', timed }, { timed: { ...timed, untilDate } }, inTimeZone],
    [
      { type: 'timed', cron: daily },
      { type: 'timed', timed },
      { timed: { ...timed, untilDate } },
      inTimeZone,
    ],
  ])('with %j', async (controls, settings, main, detail) => {
    const { a, b } = await runTwo('digest', controls);
    const payload = { at: '2026-01-15T14:00:00.000Z' };
    // An event without a payload is shown as a reference, in the activity only.
    const time = '2026-01-15T12:00:00.000Z';
    const reference = { __payloadRef: true, _jobId: b.job, _notificationId: b.event, time };
    const shown = { ...settings, digestKey: 'No-Key-Provided' };
    expect(a).toMatchObject({ statuses: ['completed', 'completed'] });
    expect(a.digest).toEqual({ ...shown, ...main, events: [payload, reference] });
    expect(a.details).toEqual([
      queued,
      ['Step digested', detail],
      ['Digest triggered events', [payload, reference]],
    ]);
    expect(a.output).toEqual({
      events: [
        { id: a.job, time, payload },
        { id: b.job, time, payload: {} },
      ],
      eventCount: 2,
    });
    expect(b).toMatchObject({ statuses: ['merged', 'merged'], output: undefined });
    expect(b.digest).toEqual({ ...shown, events: [] });
    expect(b.details).toEqual([queued, ['Digest was merged with other digest', null]]);
  });

  test.each([
    [
      { type: 'timed', ...hour },
      { type: 'timed', ...hour },
    ],
    [
      { type: 'backoff', ...hour },
      { type: 'regular', ...hour },
    ],
    [
      { amount: '1', unit: 'hours' },
      { type: 'regular', unit: 'hours' },
    ],
    [
      { amount: 1, unit: 60 },
      { type: 'regular', amount: 1 },
    ],
    [{ lookBackWindow: 'never' }, { type: 'regular' }],
    [{ lookBackWindow: null }, { type: 'regular' }],
  ])('of code with %j', async (controls, settings) => {
    const { a } = await runTwo('digest', controls, fromCode);
    const events = expect.any(Array);
    expect(a.digest).toEqual({ ...settings, digestKey: 'No-Key-Provided', events });
  });

  test('with a look-back window skips the first event, which passes alone', async () => {
    const lookBackWindow = { amount: 5, unit: 'minutes' };
    const { a, b } = await runTwo('digest', { ...hour, lookBackWindow });
    const backoff = { backoff: true, backoffAmount: 5, backoffUnit: 'minutes' };
    const shown = { type: 'backoff', ...hour, digestKey: 'No-Key-Provided', ...backoff };
    expect(a.statuses).toEqual(['skipped', 'completed']);
    expect(a.digest).toEqual({ ...shown, events: [] });
    expect(a.details).toEqual([queued, ['Digest was skipped, first backoff event', null]]);
    expect(a.output).toMatchObject({ eventCount: 1, events: [{ id: a.job }] });
    expect(b).toMatchObject({ statuses: ['completed', 'completed'], output: { eventCount: 1 } });
  });
});

describe('a throttle', () => {
  test('shows the number of events in its window', async () => {
    const { a, b } = await runTwo('throttle', { ...hour, threshold: 1 });
    expect(a.output).toEqual({ throttled: false, executionCount: 1, threshold: 1 });
    expect(a.details).toEqual([queued]);
    expect(b).toMatchObject({ statuses: ['skipped', 'skipped'], output: undefined });
    const throttledUntil = '2026-01-15T13:00:00.000Z';
    expect(b.details).toEqual([
      queued,
      [
        'Throttle limit exceeded for the given window',
        { shouldSkip: true, executionCount: 1, threshold: 1, throttledUntil },
      ],
    ]);
  });

  test.each([
    [undefined, ['completed', 'skipped']],
    [2, ['completed', 'completed']],
    [0, ['failed', 'failed']],
    [-1, ['failed', 'failed']],
    ['2', ['failed', 'failed']],
  ])('with the threshold %j', async (threshold, statuses) => {
    const { a, b } = await runTwo('throttle', { ...hour, threshold });
    expect([a.statuses[0], b.statuses[0]]).toEqual(statuses);
  });

  test.each([
    [undefined, 1],
    ['2', 1],
    [0, 1],
    [1, 1],
    [1.5, 1.5],
  ])('of code with the threshold %j has the threshold %j', async (threshold, expected) => {
    const { a, b } = await runTwo('throttle', { ...hour, threshold }, fromCode);
    expect(a.output).toMatchObject({ throttled: false, threshold: expected });
    expect(b.statuses[0]).toBe(expected > 1 ? 'completed' : 'skipped');
  });

  test.each([
    ['shop', [{ shop: 'a' }, { shop: null }, {}, { shop: null }, {}], [0, 1, 2]],
    ['', [{ '': 'a' }, { '': 'b' }], [0]],
  ])('with the key %j counts its values', async (throttleKey, payloads, expected) => {
    const engine = await openEngine({ service: '3.19' });
    const throttle = waitThenShow('throttle', { ...hour, threshold: 1, throttleKey });
    engine.defineWorkflow(throttle, fromCode);
    const passed: number[] = [];
    for (const [index, payload] of payloads.entries()) {
      const transactionId = `t${index}`;
      await engine.trigger({ name: 'test', to: 'u4', transactionId, payload });
      const { statuses } = await engine.getActivity(transactionId);
      if (statuses[0] === 'completed') passed.push(index);
    }
    expect(passed).toEqual(expected);
  });

  test('without a later step shows no detail', async () => {
    const engine = await openEngine({ service: '3.19' });
    const { steps } = waitThenShow('throttle', { ...hour, threshold: 1 });
    engine.defineWorkflow({ steps: steps.slice(0, 1) });
    const event = { name: 'test', to: 'u4' };
    await engine.trigger({ ...event, transactionId: 'a' }, { ...event, transactionId: 'b' });
    expect(await engine.getActivity('b')).toMatchObject({ statuses: ['skipped'], details: [[]] });
  });

  test('whose window has ended lets the next event pass', async () => {
    const engine = await openEngine({ service: '3.19' });
    engine.defineWorkflow(waitThenShow('throttle', { ...hour, threshold: 1 }));
    const event = { name: 'test', to: 'u4' };
    await engine.trigger({ ...event, transactionId: 'a' });
    await engine.advance(59);
    await engine.trigger({ ...event, transactionId: 'b' });
    await engine.advance(1);
    await engine.trigger({ ...event, transactionId: 'c' });
    const first = async (id: string) => (await engine.getActivity(id)).statuses[0];
    const [{ executionDetails }] = (await engine.getActivity('b')).item.jobs;
    // The window of the first event counts.
    expect(executionDetails.at(-1).raw).toContain('"throttledUntil":"2026-01-15T13:00:00.000Z"');
    expect([await first('a'), await first('b'), await first('c')]).toEqual([
      'completed',
      'skipped',
      'completed',
    ]);
  });
});
