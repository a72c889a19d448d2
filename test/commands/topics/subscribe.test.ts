import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';

describe('svc topics subscribe', () => {
  it('says how many are subscribed', async () => {
    const { svc } = await openRig();
    expect(
      (await svc(['topics', 'subscribe', 'empty-topic', 'u1', 'u2'], { tty: true })).stdout,
    ).toBe('Subscribed 2 subscribers to empty-topic at http://sandbox.localhost.\n');
  });

  it('gives the body of the answer, and pairs in a pipe', async () => {
    const { svc } = await openRig();
    const { stdout, requests } = await svc([
      'topics',
      'subscribe',
      'launch',
      'u1',
      '--create',
      '--json',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      data: [{ topic: { key: 'launch' } }],
      meta: { totalCount: 1, successful: 1, failed: 0 },
    });
    expect(requests.map(({ line }) => line)).toEqual([
      'GET /v2/topics/launch',
      'GET /v2/subscribers/u1/preferences',
      'POST /v2/topics/launch/subscriptions',
    ]);
    expect((await svc(['topics', 'subscribe', 'launch', 'u1'])).stdout).toContain(
      'meta\t{"totalCount":1',
    );
  });

  it('ends with 3 when some are unknown, naming them', async () => {
    const { svc } = await openRig();
    const { code, stdout } = await svc(['topics', 'subscribe', 'announcements', 'u1', 'nobody'], {
      tty: true,
    });
    expect(code).toBe(3);
    expect(stdout).toContain('nobody: ');
  });

  it('is refused before it asks without a subscriber', async () => {
    const { svc } = await openRig();
    expect(await svc(['topics', 'subscribe', 'announcements'])).toMatchObject({
      code: 2,
      requests: [],
    });
  });

  it('creates no topic by a slip: the nearest are named', async () => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(['topics', 'subscribe', 'anouncements', 'u1']);
    expect(code).toBe(5);
    expect(stderr).toContain('Did you mean `announcements`?');
    expect(requests.every(({ line }) => line.startsWith('GET '))).toBe(true);
  });

  it('passes on that all are unknown', async () => {
    const { svc } = await openRig();
    expect((await svc(['topics', 'subscribe', 'announcements', 'nobody'])).code).toBe(6);
  });
});
