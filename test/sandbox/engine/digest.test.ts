import { describe, expect, test } from 'vitest';
import { email, inbox, openEngine } from './engine-fixture.ts';

const comment = (transactionId: string, more: object = {}) => ({
  name: 'comment-digest',
  to: 'u1',
  payload: { post: { id: 1, title: 'Hello' }, author: transactionId, comment: 'Hi', ...more },
  transactionId,
});

const lookBack = { amount: 10, unit: 'minutes', lookBackWindow: { amount: 30, unit: 'minutes' } };

/** With a rate of 0.5, the first decision of the worker keeps the jobs of an event, and the second one loses them. */
const lostAtFirstJob = 2;

/** Three comments on one post, a minute apart. */
async function threeComments() {
  const engine = await openEngine();
  for (const transactionId of ['a', 'b', 'c']) {
    await engine.trigger(comment(transactionId));
    if (transactionId !== 'c') await engine.advance(1);
  }
  return engine;
}

describe('a digest', () => {
  test('merges the events that arrive while it waits, and resumes one run', async () => {
    const { trigger, getActivity, advance, feed, messages } = await openEngine();
    const event = { name: 'comment-digest', to: 'u1', payload: { post: { id: 1 } } };
    const sent = await trigger(event, event, event);
    const [main, second, third] = sent.map(
      ({ transactionId }: { transactionId: string }) => transactionId,
    );
    expect((await getActivity(main)).statuses).toEqual(['delayed', 'pending', 'pending']);
    for (const follower of [second, third]) {
      const { statuses, details, item } = await getActivity(follower);
      expect(statuses).toEqual(['merged', 'merged', 'merged']);
      expect(details[0]).toEqual(['Success: Digest was merged with other digest']);
      expect(item._digestedNotificationId).toBe((await getActivity(main)).item._id);
    }
    const initialCount = (await feed('u1')).length;
    expect(await advance(10)).toMatchObject({ now: '2026-01-15T12:10:00.000Z' });
    const { statuses, item, details } = await getActivity(main);
    expect(statuses).toEqual(['completed', 'completed', 'completed']);
    expect(item.jobs[0].digest).toMatchObject({
      type: 'regular',
      digestKey: 'No-Key-Provided',
      events: [{ post: { id: 1 } }, { post: { id: 1 } }, { post: { id: 1 } }],
    });
    expect(details).toEqual([
      ['Pending: Step digested', 'Success: Digest triggered events'],
      ['Pending: Message created', 'Success: Message sent'],
      [
        'Pending: SendGrid provider was selected',
        'Pending: Message created',
        'Success: Message sent',
      ],
    ]);
    const messagesInFeed = await feed('u1');
    expect(messagesInFeed).toHaveLength(initialCount + 1);
    expect(messagesInFeed[0]).toMatchObject({
      subject: '3 new comments',
      transactionId: main,
      createdAt: '2026-01-15T12:10:00.000Z',
      read: false,
      seen: false,
    });
    for (const transactionId of [main, second, third]) {
      expect(await messages(`channel=email&transactionId=${transactionId}`)).toHaveLength(
        transactionId === main ? 1 : 0,
      );
    }
  });

  test('passes its events to templates, in order', async () => {
    const { advance, messages } = await threeComments();
    await advance(8);
    const [mail] = await messages('channel=email&transactionId=a');
    expect(mail).toMatchObject({
      recipient: 'ada@example.com',
      provider: 'sendgrid',
      subject: 'New comments on Hello',
      body: '<ul><li>a: Hi</li><li>b: Hi</li><li>c: Hi</li></ul>',
      status: 'sent',
      workflow: 'comment-digest',
      createdAt: '2026-01-15T12:10:00.000Z',
    });
  });

  test('does not merge events with another key or subscriber, or later events', async () => {
    const { trigger, getActivity, advance } = await openEngine();
    await trigger(comment('a'), comment('other-post', { post: { id: 2 } }), {
      ...comment('other-person'),
      to: 'u3',
    });
    for (const id of ['a', 'other-post', 'other-person']) {
      expect((await getActivity(id)).statuses[0]).toBe('delayed');
    }
    await advance(10);
    await trigger(comment('later'));
    expect((await getActivity('later')).statuses[0]).toBe('delayed');
    expect((await getActivity('a')).item.jobs[0].digest.events).toHaveLength(1);
  });

  test('with a cron expression is due at the next match in the time zone of the subscriber', async () => {
    const { trigger, getActivity, advance, messages } = await openEngine();
    // The clock starts on a Thursday at noon UTC; u1 is in New York, u7 has no time zone.
    await trigger({ name: 'weekly-report', to: 'u1', transactionId: 'ny', payload: { views: 1 } });
    await trigger({ name: 'weekly-report', to: 'u7', transactionId: 'utc', payload: { views: 1 } });
    await advance(24 * 60);
    await trigger({ name: 'weekly-report', to: 'u7', transactionId: 'b', payload: { views: 2 } });
    expect((await getActivity('utc')).item.jobs[0].digest).toMatchObject({
      type: 'timed',
      timed: { cronExpression: '0 9 * * 1', untilDate: '2026-01-19T09:00:00.000Z' },
    });
    await advance(6 * 24 * 60);
    expect((await messages('transactionId=utc'))[0]).toMatchObject({
      createdAt: '2026-01-19T09:00:00.000Z',
      body: '<p>2 things happened.</p>',
    });
    expect((await messages('transactionId=ny'))[0].createdAt).toBe('2026-01-19T14:00:00.000Z');
  });

  test('with a look-back window does not delay the first event', async () => {
    const { defineWorkflow, trigger, getActivity, advance } = await openEngine();
    const controls = {
      amount: 10,
      unit: 'minutes',
      lookBackWindow: { amount: 30, unit: 'minutes' },
    };
    defineWorkflow({ steps: [{ name: 'Collect', type: 'digest', controls }, inbox] });
    const send = (transactionId: string) => trigger({ name: 'test', to: 'u1', transactionId });
    await send('a');
    expect(await getActivity('a')).toMatchObject({
      statuses: ['skipped', 'completed'],
      details: [['Success: Digest was skipped, first backoff event'], expect.anything()],
    });
    expect((await getActivity('a')).item.jobs[0].digest).toMatchObject({
      type: 'backoff',
      backoff: true,
      backoffAmount: 30,
      backoffUnit: 'minutes',
    });
    await advance(5);
    await send('b');
    await send('c');
    expect((await getActivity('b')).statuses).toEqual(['delayed', 'pending']);
    expect((await getActivity('c')).statuses).toEqual(['merged', 'merged']);
    await advance(10);
    expect((await getActivity('b')).item.jobs[0].digest.events).toHaveLength(2);
    await advance(31);
    await send('d');
    expect((await getActivity('d')).statuses).toEqual(['skipped', 'completed']);
  });

  test('behind a delay counts the events that have not reached it, by their age', async () => {
    const { defineWorkflow, trigger, getActivity, advance } = await openEngine();
    const lookBackWindow = { amount: 30, unit: 'minutes' };
    const digest = { amount: 10, unit: 'minutes', lookBackWindow };
    defineWorkflow({
      steps: [
        { name: 'Wait', type: 'delay', controls: { type: 'regular', amount: 5, unit: 'minutes' } },
        { name: 'Collect', type: 'digest', controls: digest },
        inbox,
      ],
    });
    const send = (transactionId: string) => trigger({ name: 'test', to: 'u1', transactionId });
    await send('a');
    await advance(1);
    await send('b');
    await advance(5);
    // Event b has not reached the digest when a does, but a is older.
    expect((await getActivity('a')).statuses).toEqual(['completed', 'skipped', 'completed']);
    expect((await getActivity('b')).statuses).toEqual(['completed', 'delayed', 'pending']);
    await advance(22);
    // When c reaches the digest, both events are more than 30 minutes old, their digests are not.
    await send('c');
    await advance(5);
    expect((await getActivity('c')).statuses).toEqual(['completed', 'skipped', 'completed']);
  });

  test.each([
    ['waits', {}, ['completed', 'delayed', 'pending']],
    ['passes, because it has a key', { digestKey: 'k' }, ['completed', 'skipped', 'completed']],
  ])('behind a delay that still holds back an older event %s', async (_name, key, expected) => {
    const { defineWorkflow, trigger, getActivity, advance } = await openEngine();
    const wait = { type: 'dynamic', dynamicKey: 'payload.wait' };
    defineWorkflow({
      steps: [
        { name: 'Wait', type: 'delay', controls: wait },
        { name: 'Collect', type: 'digest', controls: { ...lookBack, ...key } },
        inbox,
      ],
    });
    const send = (transactionId: string, amount: number) => {
      const payload = { wait: { amount, unit: 'minutes' } };
      return trigger({ name: 'test', to: 'u1', transactionId, payload });
    };
    await send('slow', 20);
    await advance(1);
    await send('fast', 5);
    await advance(5);
    expect((await getActivity('slow')).statuses).toEqual(['delayed', 'pending', 'pending']);
    expect((await getActivity('fast')).statuses).toEqual(expected);
  });

  test.each([
    ['a message and a delay', 'delayed'],
    ['only a message', 'skipped'],
  ])('behind %s, after an event whose jobs were lost, is %s', async (before, expected) => {
    const { ask, control, defineWorkflow, trigger, getActivity, advance } = await openEngine();
    const controls = { type: 'regular', amount: 1, unit: 'minutes' };
    const delay = { name: 'Wait', type: 'delay', controls } as const;
    const digest = { name: 'Collect', type: 'digest', controls: lookBack } as const;
    defineWorkflow({
      steps: before === 'only a message' ? [inbox, digest] : [inbox, delay, digest],
    });
    const send = (transactionId: string) => trigger({ name: 'test', to: 'u1', transactionId });
    // The event is stored with its jobs, and none of them runs.
    await ask('POST /__sandbox/faults', { loseJobs: 0.5, faultSeed: lostAtFirstJob });
    await send('lost');
    await control.clearFaults();
    expect(new Set((await getActivity('lost')).statuses)).toEqual(new Set(['pending']));
    await advance(1);
    await send('b');
    await advance(1);
    expect((await getActivity('b')).statuses.at(-1)).toBe(expected);
  });

  test('with a look-back window counts a digest that is completed', async () => {
    const { defineWorkflow, trigger, getActivity, advance } = await openEngine();
    defineWorkflow({ steps: [{ name: 'Collect', type: 'digest', controls: lookBack }, inbox] });
    const send = (transactionId: string) => trigger({ name: 'test', to: 'u1', transactionId });
    await send('first');
    await advance(5);
    await send('digested');
    await advance(28);
    expect((await getActivity('digested')).statuses).toEqual(['completed', 'completed']);
    // The first event is out of the window, the other one is not.
    await send('later');
    expect((await getActivity('later')).statuses).toEqual(['delayed', 'pending']);
  });

  test.each([[null], ['never'], [{}], [{ amount: 5, unit: 'eons' }]])(
    'waits if its look-back window is %j',
    async (lookBackWindow) => {
      const { defineWorkflow, trigger, getActivity } = await openEngine();
      const controls = { amount: 10, unit: 'minutes', lookBackWindow };
      // The controls of a workflow from code are not checked.
      const steps = [{ name: 'Collect', type: 'digest', controls } as const, inbox];
      defineWorkflow({ steps }, { origin: 'external' });
      await trigger({ name: 'test', to: 'u1', transactionId: 'a' });
      expect((await getActivity('a')).statuses).toEqual(['delayed', 'pending']);
    },
  );

  test('without a duration fails, and the remaining steps are canceled', async () => {
    const { defineWorkflow, trigger, getActivity } = await openEngine();
    defineWorkflow({ steps: [{ name: 'Collect', type: 'digest', controls: {} }, email] });
    await trigger({ name: 'test', to: 'u1', transactionId: 'a' });
    expect((await getActivity('a')).statuses).toEqual(['failed', 'canceled']);
  });
});

describe('canceling', () => {
  test('all events of a digest sends no messages', async () => {
    const { cancel, advance, listActivity, feed, messages } = await threeComments();
    const initialCount = (await feed('u1')).length;
    for (const id of ['a', 'b', 'c']) expect(await cancel(id)).toBe(true);
    for (const id of ['a', 'b', 'c']) expect(await cancel(id)).toBe(false);
    await advance(60);
    for (const id of ['a', 'b', 'c']) {
      const [item] = await listActivity(id);
      expect(item?.statuses).toEqual(['canceled', 'canceled', 'canceled']);
      expect(await messages(`transactionId=${id}`)).toEqual([]);
    }
    expect(await feed('u1')).toHaveLength(initialCount);
  });

  test('the main event makes its oldest follower the main event, with the same due time', async () => {
    const { cancel, advance, getActivity, messages } = await threeComments();
    expect(await cancel('a')).toBe(true);
    expect((await getActivity('a')).statuses).toEqual(['canceled', 'canceled', 'canceled']);
    expect((await getActivity('b')).statuses).toEqual(['delayed', 'pending', 'pending']);
    expect((await getActivity('b')).item).not.toHaveProperty('_digestedNotificationId');
    expect((await getActivity('c')).statuses).toEqual(['merged', 'merged', 'merged']);
    expect((await getActivity('c')).item._digestedNotificationId).toBe(
      (await getActivity('b')).item._id,
    );
    await advance(8);
    expect((await getActivity('b')).statuses).toEqual(['completed', 'completed', 'completed']);
    expect((await getActivity('b')).item.jobs[0].digest.events).toMatchObject([
      { author: 'b' },
      { author: 'c' },
    ]);
    expect((await messages('transactionId=b&channel=email'))[0].createdAt).toBe(
      '2026-01-15T12:10:00.000Z',
    );
  });

  test('a digest behind another step makes that digest of the oldest follower wait', async () => {
    const { defineWorkflow, trigger, cancel, getActivity } = await openEngine();
    const controls = { amount: 5, unit: 'minutes' };
    defineWorkflow({ steps: [inbox, { name: 'Digest', type: 'digest', controls }, email] });
    for (const transactionId of ['a', 'b'])
      await trigger({ name: 'test', to: 'u1', transactionId });
    expect(await cancel('a')).toBe(true);
    const { statuses, details } = await getActivity('b');
    expect(statuses).toEqual(['completed', 'delayed', 'pending']);
    expect(details[1]?.at(-1)).toBe('Pending: Step digested');
  });

  test('a digest without followers lets the next event begin its own', async () => {
    const { trigger, cancel, getActivity } = await openEngine();
    await trigger(comment('a'));
    expect(await cancel('a')).toBe(true);
    await trigger(comment('b'), comment('c'));
    expect((await getActivity('b')).statuses).toEqual(['delayed', 'pending', 'pending']);
    expect((await getActivity('c')).statuses).toEqual(['merged', 'merged', 'merged']);
  });

  test('changes the time of the event', async () => {
    const { cancel, trigger, advance, getActivity } = await openEngine();
    await trigger({ name: 'trial-ending', to: 'u8', transactionId: 'a' });
    await advance(5);
    expect(await cancel('a')).toBe(true);
    expect((await getActivity('a')).item).toMatchObject({
      ...{ createdAt: '2026-01-15T12:00:00.000Z', updatedAt: '2026-01-15T12:05:00.000Z' },
    });
  });

  test('a follower removes its event from the digest', async () => {
    const { cancel, advance, getActivity } = await threeComments();
    expect(await cancel('b')).toBe(true);
    await advance(8);
    expect((await getActivity('a')).item.jobs[0].digest.events).toMatchObject([
      { author: 'a' },
      { author: 'c' },
    ]);
    expect((await getActivity('b')).statuses).toEqual(['canceled', 'canceled', 'canceled']);
  });

  test('the main event after the digest is completed returns false', async () => {
    const { cancel, advance } = await threeComments();
    await advance(10);
    expect(await cancel('a')).toBe(false);
    expect(await cancel('b')).toBe(true);
  });
});

test('events whose key has no value or null share one digest', async () => {
  const { defineWorkflow, trigger, getActivity } = await openEngine();
  const controls = { amount: 5, unit: 'minutes', digestKey: '{{payload.post.id}}' };
  defineWorkflow({ steps: [{ name: 'Digest', type: 'digest', controls }, inbox] });
  const payloads = [{ post: { id: '1' } }, {}, { post: null }, { post: { id: null } }];
  const statuses: (string | undefined)[] = [];
  for (const [index, payload] of payloads.entries()) {
    await trigger({ name: 'test', to: 'u1', transactionId: `t${index}`, payload });
    statuses.push((await getActivity(`t${index}`)).statuses[0]);
  }
  expect(statuses).toEqual(['delayed', 'delayed', 'merged', 'merged']);
});

test('the recipient in the activity has null for what was set to null', async () => {
  const { ask, defineWorkflow, trigger, getActivity } = await openEngine();
  defineWorkflow({ steps: [inbox] });
  const subscriber = { subscriberId: 'n', firstName: null, email: null, lastName: '李' };
  await ask('POST /v1/subscribers/bulk', { subscribers: [subscriber] });
  await trigger({ name: 'test', to: 'n', transactionId: 'a' });
  const { item } = await getActivity('a');
  expect(item.subscriber).toEqual({ _id: expect.any(String), ...subscriber });
});
