import { describe, expect, it } from 'vitest';
import { sentMethods } from '../../support/requests.ts';
import { openRig } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

describe('svc topics subscribe', () => {
  it('prints the number of subscribers', async () => {
    const { svc } = await openRig();
    expect(
      (await svc(['topics', 'subscribe', 'empty-topic', 'u1', 'u2'], { tty: true })).stdout,
    ).toBe('Subscribed 2 subscribers to empty-topic at http://sandbox.localhost.\n');
  });

  it('prints the response as JSON, and a line in a pipe', async () => {
    const { svc } = await openRig();
    const { stdout, requests } = await svc(words`topics subscribe launch u1 --create --json`);
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
      'Subscribed 1 subscriber to launch at ',
    );
  });

  it('names the only subscriber if it does not exist', async () => {
    const { svc } = await openRig();
    const { code, stderr } = await svc(['topics', 'subscribe', 'announcements', 'ghost']);
    expect(code).toBe(6);
    expect(stderr).toContain(
      'Error: 1 subscriber could not be added: ghost does not exist.\n  ghost: Subscriber with ID',
    );
  });

  it('exits with 3 and names the unknown subscribers', async () => {
    const { svc } = await openRig();
    const { code, stdout } = await svc(['topics', 'subscribe', 'announcements', 'u1', 'ghost'], {
      tty: true,
    });
    expect(code).toBe(3);
    expect(stdout).toContain('ghost: ');
  });

  it('requires a subscriber, before sending a request', async () => {
    const { svc } = await openRig();
    expect(await svc(['topics', 'subscribe', 'announcements'])).toMatchObject({
      code: 2,
      requests: [],
    });
  });

  it('does not create a topic for a mistyped key and suggests similar keys', async () => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(['topics', 'subscribe', 'anouncements', 'u1']);
    expect(code).toBe(5);
    expect(stderr).toContain('Did you mean `announcements`?');
    expect(sentMethods(requests)).toEqual(['GET']);
  });

  it('exits with 6 if all subscribers are unknown', async () => {
    const { svc } = await openRig();
    expect((await svc(['topics', 'subscribe', 'announcements', 'ghost'])).code).toBe(6);
  });
});
