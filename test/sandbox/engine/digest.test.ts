import { describe, expect, test } from 'vitest';
import { email, inbox, openScene } from './engine-fixture.ts';

const comment = (transactionId: string, more: object = {}) => ({
  name: 'comment-digest',
  to: 'u1',
  payload: { post: { id: 1, title: 'Hello' }, author: transactionId, comment: 'Hi', ...more },
  transactionId,
});

/** Three comments on one post, a minute apart. */
async function threeComments() {
  const scene = await openScene();
  for (const transactionId of ['a', 'b', 'c']) {
    await scene.trigger(comment(transactionId));
    if (transactionId !== 'c') await scene.advance(1);
  }
  return scene;
}

describe('a digest', () => {
  test('collects what comes while it waits, and the run goes on once', async () => {
    const { trigger, one, advance, feed, messages } = await openScene();
    const event = { name: 'comment-digest', to: 'u1', payload: { post: { id: 1 } } };
    const sent = await trigger(event, event, event);
    const [main, second, third] = sent.map(
      ({ transactionId }: { transactionId: string }) => transactionId,
    );
    expect((await one(main)).statuses).toEqual(['delayed', 'pending', 'pending']);
    for (const follower of [second, third]) {
      const { statuses, details, item } = await one(follower);
      expect(statuses).toEqual(['merged', 'merged', 'merged']);
      expect(details[0]).toEqual(['Success: Digest was merged with other digest']);
      expect(item._digestedNotificationId).toBe((await one(main)).item._id);
    }
    const before = (await feed('u1')).length;
    expect(await advance(10)).toMatchObject({ now: '2026-01-15T12:10:00.000Z' });
    const { statuses, item, details } = await one(main);
    expect(statuses).toEqual(['completed', 'completed', 'completed']);
    expect(item.jobs[0].digest).toMatchObject({
      type: 'regular',
      digestKey: 'payload.post.id',
      events: [{ post: { id: 1 } }, { post: { id: 1 } }, { post: { id: 1 } }],
    });
    expect(details).toEqual([
      ['Pending: Step digested', 'Success: Digest triggered events'],
      ['Pending: Message created', 'Success: Message sent'],
      [
        'Pending: Sendgrid provider was selected',
        'Pending: Message created',
        'Success: Message sent',
      ],
    ]);
    const inboxed = await feed('u1');
    expect(inboxed).toHaveLength(before + 1);
    expect(inboxed[0]).toMatchObject({
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

  test('gives templates its events, in order', async () => {
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

  test('keeps other keys, subscribers and later events apart', async () => {
    const { trigger, one, advance } = await openScene();
    await trigger(comment('a'), comment('other-post', { post: { id: 2 } }), {
      ...comment('other-person'),
      to: 'u3',
    });
    for (const id of ['a', 'other-post', 'other-person']) {
      expect((await one(id)).statuses[0]).toBe('delayed');
    }
    await advance(10);
    await trigger(comment('later'));
    expect((await one('later')).statuses[0]).toBe('delayed');
    expect((await one('a')).item.jobs[0].digest.events).toHaveLength(1);
  });

  test('of a cron expression ends at its next time, in the zone of the subscriber', async () => {
    const { trigger, one, advance, messages } = await openScene();
    // Thursday noon in UTC; u1 is in New York, u7 has no zone.
    await trigger({ name: 'weekly-report', to: 'u1', transactionId: 'ny', payload: { views: 1 } });
    await trigger({ name: 'weekly-report', to: 'u7', transactionId: 'utc', payload: { views: 1 } });
    await advance(24 * 60);
    await trigger({ name: 'weekly-report', to: 'u7', transactionId: 'b', payload: { views: 2 } });
    expect((await one('utc')).item.jobs[0].digest).toMatchObject({
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

  test('with a look-back window lets the first event pass at once', async () => {
    const { define, trigger, one, advance } = await openScene();
    const controls = {
      amount: 10,
      unit: 'minutes',
      lookBackWindow: { amount: 30, unit: 'minutes' },
    };
    define({ steps: [{ name: 'Collect', type: 'digest', controls }, inbox] });
    const send = (transactionId: string) => trigger({ name: 'test', to: 'u1', transactionId });
    await send('a');
    expect(await one('a')).toMatchObject({
      statuses: ['skipped', 'completed'],
      details: [['Success: Digest was skipped, first backoff event'], expect.anything()],
    });
    expect((await one('a')).item.jobs[0].digest).toMatchObject({
      type: 'backoff',
      backoff: true,
      backoffAmount: 30,
      backoffUnit: 'minutes',
    });
    await advance(5);
    await send('b');
    await send('c');
    expect((await one('b')).statuses).toEqual(['delayed', 'pending']);
    expect((await one('c')).statuses).toEqual(['merged', 'merged']);
    await advance(10);
    expect((await one('b')).item.jobs[0].digest.events).toHaveLength(2);
    await advance(31);
    await send('d');
    expect((await one('d')).statuses).toEqual(['skipped', 'completed']);
  });

  test('without a length fails and halts its run', async () => {
    const { define, trigger, one } = await openScene();
    define({ steps: [{ name: 'Collect', type: 'digest', controls: {} }, email] });
    await trigger({ name: 'test', to: 'u1', transactionId: 'a' });
    expect((await one('a')).statuses).toEqual(['failed', 'canceled']);
  });
});

describe('cancelling', () => {
  test('all events of a digest leaves nothing of it', async () => {
    const { cancel, advance, shown, feed, messages } = await threeComments();
    const before = (await feed('u1')).length;
    for (const id of ['a', 'b', 'c']) expect(await cancel(id)).toBe(true);
    for (const id of ['a', 'b', 'c']) expect(await cancel(id)).toBe(false);
    await advance(60);
    for (const id of ['a', 'b', 'c']) {
      const [item] = await shown(id);
      expect(item?.statuses).toEqual(['canceled', 'canceled', 'canceled']);
      expect(await messages(`transactionId=${id}`)).toEqual([]);
    }
    expect(await feed('u1')).toHaveLength(before);
  });

  test('the main event promotes its oldest follower, due when that was', async () => {
    const { cancel, advance, one, messages } = await threeComments();
    expect(await cancel('a')).toBe(true);
    expect((await one('a')).statuses).toEqual(['canceled', 'canceled', 'canceled']);
    expect((await one('b')).statuses).toEqual(['delayed', 'pending', 'pending']);
    expect((await one('b')).item).not.toHaveProperty('_digestedNotificationId');
    expect((await one('c')).statuses).toEqual(['merged', 'merged', 'merged']);
    expect((await one('c')).item._digestedNotificationId).toBe((await one('b')).item._id);
    await advance(8);
    expect((await one('b')).statuses).toEqual(['completed', 'completed', 'completed']);
    expect((await one('b')).item.jobs[0].digest.events).toMatchObject([
      { author: 'b' },
      { author: 'c' },
    ]);
    expect((await messages('transactionId=b&channel=email'))[0].createdAt).toBe(
      '2026-01-15T12:10:00.000Z',
    );
  });

  test('a follower takes its event out', async () => {
    const { cancel, advance, one } = await threeComments();
    expect(await cancel('b')).toBe(true);
    await advance(8);
    expect((await one('a')).item.jobs[0].digest.events).toMatchObject([
      { author: 'a' },
      { author: 'c' },
    ]);
    expect((await one('b')).statuses).toEqual(['canceled', 'canceled', 'canceled']);
  });

  test('the main event after the end answers false', async () => {
    const { cancel, advance } = await threeComments();
    await advance(10);
    expect(await cancel('a')).toBe(false);
    expect(await cancel('b')).toBe(true);
  });
});
