// Whom an event reaches, and the contexts it brings.
import { describe, expect, test } from 'vitest';
import { seedId } from '../../src/sandbox/seed/ids.ts';
import { openSandbox } from './open.ts';
import { activity, people, trigger } from './trigger-events.ts';

describe('recipients', () => {
  test('are kept once each, from ids, objects and topics', async () => {
    const { ask } = await openSandbox();
    const to = [
      'u2',
      { subscriberId: 'u2' },
      { type: 'Topic', topicKey: 'announcements' },
      'new',
      'new',
    ];
    await trigger(ask, { name: 'welcome', to, transactionId: 'tx' });
    expect((await people(ask, 'tx')).toSorted()).toEqual(['new', 'u1', 'u2', 'u3', 'u4', 'u7']);
    const items = await activity(ask, 'tx');
    const topicsOf = (id: string) =>
      items.find(
        (item: { subscriber: { subscriberId: string } }) => item.subscriber.subscriberId === id,
      ).topics;
    expect(topicsOf('new')).toEqual([]);
    expect(topicsOf('u3')).toEqual([
      { _topicId: seedId('topic:announcements'), topicKey: 'announcements' },
    ]);
  });

  test('of a topic are all but the excluded and the actor', async () => {
    const { ask } = await openSandbox();
    const topic = { type: 'Topic', topicKey: 'announcements', exclude: ['u2'] };
    await trigger(ask, { name: 'welcome', to: topic, actor: 'u1', transactionId: 'topic' });
    expect(await people(ask, 'topic')).toEqual(['u3', 'u4', 'u7']);
    await trigger(ask, { name: 'welcome', to: ['u1', 'u2'], actor: 'u1', transactionId: 'direct' });
    expect(await people(ask, 'direct')).toEqual(['u1', 'u2']);
  });

  test('of an unknown topic are none', async () => {
    const { ask } = await openSandbox();
    const to = { type: 'Topic', topicKey: 'nope' };
    const [result] = await trigger(ask, { name: 'welcome', to, transactionId: 'tx' });
    expect(result.status).toBe('processed');
    expect(await people(ask, 'tx')).toEqual([]);
  });

  test('and the actor are created or updated', async () => {
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
    expect(item.subscriber).toMatchObject({ firstName: 'Ada', email: 'ada@example.com' });
    expect(item.subscriber).not.toHaveProperty('phone');
  });
});

describe('contexts of an event', () => {
  test('are created when missing and never updated', async () => {
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
    expect((await activity(ask, 'tx'))[0].contextKeys).toEqual([
      'app:new',
      'region:eu',
      'tenant:org-acme',
    ]);
  });
});
