// Step conditions: the `skip` control and the older filters.
import { describe, expect, test } from 'vitest';
import { email, inbox, openEngine, setPreferences, triggerTestWorkflow } from './engine-fixture.ts';

describe('step conditions', () => {
  const skip = { '!=': [{ var: 'payload.quiet' }, true] };

  test('run a step only when they are met', async () => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [{ ...email, controls: { ...email.controls, skip } }, inbox] });
    await triggerTestWorkflow(engine, 'u1', { payload: { quiet: true } });
    await triggerTestWorkflow(engine, 'u1', { payload: { quiet: false }, transactionId: 'b' });
    expect(await engine.getActivity('a')).toMatchObject({
      statuses: ['canceled', 'completed'],
      details: [['Failed: Bridge execution skipped'], expect.anything()],
    });
    const [skipped] = (await engine.getActivity('a')).item.jobs;
    expect(skipped.executionDetails[1]).toMatchObject({ raw: '{"skip":true}' });
    expect((await engine.getActivity('b')).statuses).toEqual(['completed', 'completed']);
  });

  test('are recorded together with the preference that also skips the step', async () => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [{ ...email, controls: { ...email.controls, skip } }] });
    await setPreferences(engine, { channels: { email: false } });
    await triggerTestWorkflow(engine, 'u1', { payload: { quiet: true } });
    expect(await engine.getActivity('a')).toMatchObject({
      statuses: ['canceled'],
      details: [
        [
          'Failed: Bridge execution skipped',
          'Success: Step filtered by subscriber global preferences',
        ],
      ],
    });
  });

  test.each([{}, null])('skip nothing if they are empty: %j', async (skip) => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [{ ...inbox, controls: { body: 'x', skip } }] });
    await triggerTestWorkflow(engine);
    expect((await engine.getActivity('a')).statuses).toEqual(['completed']);
  });

  test.each(['x', { log: 'x' }, { method: ['x', 'trim'] }, { nope: 1 }])(
    'fail the step if they cannot be evaluated: %j',
    async (skip) => {
      const engine = await openEngine();
      engine.defineWorkflow({ steps: [{ ...inbox, controls: { body: 'x', skip } }] });
      await triggerTestWorkflow(engine);
      const { statuses, details } = await engine.getActivity('a');
      expect(statuses).toEqual(['failed']);
      expect(details[0]).toEqual(['Failed: Bridge execution failed']);
    },
  );

  const numbers = Array.from({ length: 1000 }, (_unused, index) => index);
  const loop = (operation: string, logic: unknown) => ({
    [operation]: [numbers, logic, ...(operation === 'reduce' ? ['x'] : [])],
  });
  const double = (operation: string) => ({
    [operation]: [{ var: 'accumulator' }, { var: 'accumulator' }],
  });

  test.each([
    ['nested loops', loop('reduce', loop('reduce', loop('reduce', { '+': [1, 1] })))],
    ['nested filters', loop('none', loop('some', loop('filter', { '==': [1, 2] })))],
    ['text that grows', { in: ['y', loop('reduce', double('cat'))] }],
    ['a list that grows', { in: ['y', loop('reduce', double('merge'))] }],
  ])('fail the step if they take too many steps: %s', async (_name, skip) => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [{ ...email, controls: { ...email.controls, skip } }, inbox] });
    await triggerTestWorkflow(engine);
    const { statuses, details, item } = await engine.getActivity('a');
    expect(statuses).toEqual(['failed', 'completed']);
    expect(details[0]).toEqual(['Failed: Bridge execution failed']);
    expect(item.jobs[0].executionDetails[1].raw).toContain(
      'the condition takes more than 500,000 steps',
    );
  });

  test('have their own limit of steps each', async () => {
    const engine = await openEngine();
    const long = Array.from({ length: 80_000 }, (_unused, index) => index);
    const skip = { none: [long, false] };
    const controls = { body: 'x', skip };
    engine.defineWorkflow({
      steps: ['One', 'Two', 'Three'].map((name) => ({ ...inbox, name, controls })),
    });
    await triggerTestWorkflow(engine);
    expect((await engine.getActivity('a')).statuses).toEqual([
      'completed',
      'completed',
      'completed',
    ]);
  });

  test('skip a digest, delay or throttle without stopping the run', async () => {
    const engine = await openEngine();
    const skip = { '==': [1, 2] };
    const controls = { amount: 5, unit: 'minutes', skip };
    engine.defineWorkflow({ steps: [{ name: 'Wait', type: 'delay', controls }, inbox] });
    await triggerTestWorkflow(engine);
    const { statuses, details } = await engine.getActivity('a');
    expect(statuses).toEqual(['skipped', 'completed']);
    expect(details[0]).toEqual(['Success: Step was skipped based on steps conditions']);
  });

  test('can use the results of earlier steps', async () => {
    const engine = await openEngine();
    const isSeen = { var: 'steps.inbox.seen' };
    engine.defineWorkflow({
      steps: [
        inbox,
        { name: 'Wait', type: 'delay', controls: { amount: 5, unit: 'minutes' } },
        { ...email, controls: { ...email.controls, skip: { '!': isSeen } } },
      ],
    });
    await triggerTestWorkflow(engine, ['u1', 'u7']);
    const [message] = await engine.feed('u1');
    await engine.ask('POST /v1/subscribers/u1/messages/mark-as', {
      messageId: message._id,
      markAs: 'seen',
    });
    await engine.advance(5);
    const items = await engine.listActivity('a');
    const lastStatus = (id: string) =>
      items.find(({ subscriberId }) => subscriberId === id)?.statuses.at(-1);
    expect([lastStatus('u1'), lastStatus('u7')]).toEqual(['canceled', 'completed']);
  });

  test('in the older filter format use payload and subscriber', async () => {
    const engine = await openEngine();
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
    engine.defineWorkflow({ steps });
    await triggerTestWorkflow(engine, 'u1', { payload: { amount: 20 } });
    expect((await engine.getActivity('a')).statuses).toEqual([
      'completed',
      'canceled',
      'completed',
      'canceled',
    ]);
  });
});
