// The recipients and contexts of an event.
import { describe, expect, test } from 'vitest';
import { seedId } from '../../src/sandbox/store/ids.ts';
import { openSandbox } from './open.ts';
import { listActivity, recipientIds, trigger } from './trigger-events.ts';

describe('recipients of an event', () => {
  test('from ids, objects and topics are deduplicated', async () => {
    const { ask } = await openSandbox();
    const to = [
      'u2',
      { subscriberId: 'u2' },
      { type: 'Topic', topicKey: 'announcements' },
      'new',
      'new',
    ];
    await trigger(ask, { name: 'welcome', to, transactionId: 'tx' });
    expect((await recipientIds(ask, 'tx')).toSorted()).toEqual([
      'new',
      'u1',
      'u2',
      'u3',
      'u4',
      'u7',
    ]);
    const items = await listActivity(ask, 'tx');
    const findTopics = (id: string) =>
      items.find(
        (item: { subscriber: { subscriberId: string } }) => item.subscriber.subscriberId === id,
      ).topics;
    expect(findTopics('new')).toEqual([]);
    expect(findTopics('u3')).toEqual([
      { _topicId: seedId('topic:announcements'), topicKey: 'announcements' },
    ]);
  });

  test('of a topic are all subscribers except the excluded ones and the actor', async () => {
    const { ask } = await openSandbox();
    const topic = { type: 'Topic', topicKey: 'announcements', exclude: ['u2'] };
    await trigger(ask, { name: 'welcome', to: topic, actor: 'u1', transactionId: 'topic' });
    expect(await recipientIds(ask, 'topic')).toEqual(['u3', 'u4', 'u7']);
    await trigger(ask, { name: 'welcome', to: ['u1', 'u2'], actor: 'u1', transactionId: 'direct' });
    expect(await recipientIds(ask, 'direct')).toEqual(['u1', 'u2']);
  });

  test('of an unknown topic are empty', async () => {
    const { ask } = await openSandbox();
    const to = { type: 'Topic', topicKey: 'nope' };
    const [result] = await trigger(ask, { name: 'welcome', to, transactionId: 'tx' });
    expect(result.status).toBe('processed');
    expect(await recipientIds(ask, 'tx')).toEqual([]);
  });

  test('are created or updated, and so is the actor', async () => {
    const { ask } = await openSandbox();
    await trigger(ask, {
      name: 'welcome',
      to: [
        { subscriberId: 'u1', phone: null },
        { subscriberId: 'n', email: 'n@example.com' },
      ],
      actor: { subscriberId: 'boss', firstName: 'Bo' },
    });
    const { body } = await ask('POST /v1/subscribers/bulk', {
      subscribers: [{ subscriberId: 'n' }, { subscriberId: 'boss' }],
    });
    expect(body.created).toEqual([]);
    const [item] = (await ask('GET /v1/notifications?subscriberIds=u1')).body.data;
    expect(item.subscriber).toMatchObject({
      firstName: 'Ada',
      email: 'ada@example.com',
      phone: null,
    });
  });
});

describe('contexts of an event', () => {
  test('are created if missing and never updated', async () => {
    const { ask } = await openSandbox();
    const context = {
      tenant: { id: 'org-acme', data: { name: 'Other' } },
      region: { id: 'eu', data: { a: 1 } },
      app: 'new',
    };
    await trigger(ask, { name: 'welcome', to: 'u1', context, transactionId: 'tx' });
    expect((await ask('GET /v2/contexts/tenant/org-acme')).body.data.name).toBe('Acme');
    expect((await ask('GET /v2/contexts/region/eu')).body.data).toEqual({ a: 1 });
    expect((await ask('GET /v2/contexts/app/new')).body.data).toEqual({});
    expect((await listActivity(ask, 'tx'))[0].contextKeys).toEqual([
      'tenant:org-acme',
      'region:eu',
      'app:new',
    ]);
  });
});
