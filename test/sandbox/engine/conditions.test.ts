// The conditions of workflows, steps and integrations.
import { describe, expect, test } from 'vitest';
import { email, inbox, openScene, send } from './engine-fixture.ts';

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
