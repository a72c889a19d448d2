// svc topics subscribe --create: when the topic is created and what is printed.
import { describe, expect, it } from 'vitest';
import { sentMethods } from '../../support/requests.ts';
import { openRig } from '../../support/rig.ts';

const subscribe = (topic: string, ...words: string[]) => ['topics', 'subscribe', topic, ...words];

describe('svc topics subscribe --create', () => {
  it('prints that it created the topic, and nothing for an existing topic', async () => {
    const { svc } = await openRig();
    const line = subscribe('launch', 'u1', '--create');
    const first = await svc(line, { tty: true });
    expect(first).toMatchObject({
      code: 0,
      stdout: 'Subscribed 1 subscriber to launch at http://sandbox.localhost.\n',
    });
    expect(first.stderr).toBe('Created topic launch.\n');
    expect((await svc(line, { tty: true })).stderr).toBe('');
  });

  it.each<[string, string[], string]>([
    ['the only subscriber is unknown', ['ghost'], 'Subscriber `ghost` does not exist'],
    ['all subscribers are unknown', ['ghost', 'other'], 'None of the 2 subscribers exists'],
  ])('creates no topic if %s', async (_name, ids, message) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(subscribe('launch', ...ids, '--create'));
    expect(code).toBe(5);
    expect(stderr).toContain(`${message}, so topic launch was not created.`);
    expect(stderr).toContain('svc subscribers create ghost');
    expect(sentMethods(requests)).toEqual(['GET']);
    expect((await svc(['topics', 'get', 'launch'])).code).toBe(5);
  });

  it('creates the topic if one of the subscribers exists', async () => {
    const { svc } = await openRig();
    const { code, stderr } = await svc(subscribe('launch', 'ghost', 'u1', '--create'), {
      tty: true,
    });
    expect(code).toBe(3);
    expect(stderr).toBe('Created topic launch.\n');
  });

  it('reports that the service created the topic although it rejected all subscribers', async () => {
    const { svc } = await openRig();
    const ids = Array.from({ length: 11 }, (_unused, index) => `ghost${index}`);
    const { code, stderr, requests } = await svc(subscribe('launch', ...ids, '--create'));
    expect(code).toBe(6);
    expect(stderr).toContain('The service created topic launch, which has no subscribers yet.');
    expect(requests.map(({ line }) => line)).toEqual([
      'GET /v2/topics/launch',
      'POST /v2/topics/launch/subscriptions',
      'GET /v2/topics/launch',
    ]);
  });

  it('subscribes if the key may not check the subscriber', async () => {
    const { svc, answer, pass } = await openRig();
    pass(1);
    answer({ status: 403, body: { message: 'Forbidden' } });
    const { code, requests } = await svc(subscribe('launch', 'u1', '--create'));
    expect({ code, last: requests.at(-1)?.line }).toEqual({
      code: 0,
      last: 'POST /v2/topics/launch/subscriptions',
    });
  });

  it.each<[string, string, number, string]>([
    ['subscribes one id', 'u1\nghost\n', 3, 'Created topic launch.'],
    [
      'subscribes no id',
      'ghost\n',
      6,
      'The service created topic launch, which has no subscribers yet.',
    ],
  ])('reports the created topic for a file that %s', async (_name, stdin, code, message) => {
    const { svc } = await openRig();
    const result = await svc(subscribe('launch', '--file', '-', '--create'), { stdin });
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(message);
  });
});
