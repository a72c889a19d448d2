// The responses of the sandbox to requests at its limits: literals from the API specification.
import { describe, expect, it } from 'vitest';
import { startSeeded } from './support/wire.ts';
import { eventFor } from './support/wire-bodies.ts';
import { expectList, pageItems, valueAt } from './support/wire-fields.ts';

describe('sandbox API limits', () => {
  it('accepts 500 subscribers in one request and rejects 501', async () => {
    const { createSubscribers } = await startSeeded();
    const subscribers = Array.from({ length: 501 }, (_, n) => ({ subscriberId: `wire-${n}` }));
    const rejected = await createSubscribers(...subscribers);
    expect(rejected.status).toBe(422);
    const accepted = await createSubscribers(...subscribers.slice(0, 500));
    expect(accepted.status).toBe(201);
    expect(expectList(valueAt(accepted.body, 'created'))).toHaveLength(500);
  });

  it('accepts 100 events in one request and rejects 101', async () => {
    const { trigger } = await startSeeded();
    const events = Array.from({ length: 101 }, () => eventFor('u1', 'welcome'));
    const rejected = await trigger(...events);
    expect(rejected.status).toBe(422);
    const accepted = await trigger(...events.slice(0, 100));
    expect(accepted.status).toBe(201);
    expect(expectList(accepted.body)).toHaveLength(100);
  });

  it('accepts 100 subscriber ids for a topic and rejects 101', async () => {
    const { ask, createSubscribers } = await startSeeded();
    const subscriberIds = Array.from({ length: 101 }, (_, n) => `wire-${n}`);
    await createSubscribers(...subscriberIds.map((subscriberId) => ({ subscriberId })));
    const rejected = await ask('POST', '/v2/topics/wire-crowd/subscriptions', { subscriberIds });
    expect(rejected.status).toBe(422);
    const accepted = await ask('POST', '/v2/topics/wire-crowd/subscriptions', {
      subscriberIds: subscriberIds.slice(0, 100),
    });
    expect(accepted.status).toBe(201);
    expect(valueAt(accepted.body, 'meta')).toEqual({ totalCount: 100, successful: 100, failed: 0 });
  });

  it.each([
    ['GET', '/v2/topics?limit=101'],
    ['GET', '/v1/subscribers/u1/notifications/feed?limit=101'],
    ['GET', '/v1/notifications?limit=0'],
    ['GET', '/v1/notifications?limit=51'],
    ['GET', '/v1/notifications?page=-1'],
  ])('rejects %s %s with 422', async (method, target) => {
    const { ask } = await startSeeded();
    const { status } = await ask(method, target);
    expect(status).toBe(422);
  });

  it.each([
    ['GET', '/v2/topics?limit=100'],
    ['GET', '/v1/subscribers/u1/notifications/feed?limit=100'],
    ['GET', '/v1/notifications?limit=1'],
    ['GET', '/v1/notifications?limit=50'],
    ['GET', '/v1/notifications?page=0'],
  ])('accepts %s %s', async (method, target) => {
    const { ask } = await startSeeded();
    const { status } = await ask(method, target);
    expect(status).toBe(200);
  });

  it('returns ten feed items and ten triggered events by default', async () => {
    const { activity, feed, trigger } = await startSeeded();
    await trigger(...Array.from({ length: 20 }, () => eventFor('u1', 'welcome')));
    const triggered = await activity();
    expect(triggered.body).toMatchObject({ hasMore: true, pageSize: 10, page: 0 });
    expect(pageItems(triggered)).toHaveLength(10);

    expect(pageItems(await feed('limit=100')).length).toBeGreaterThan(10);
    expect(pageItems(await feed())).toHaveLength(10);
  });
});
