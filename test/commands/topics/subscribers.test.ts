import { describe, expect, it } from 'vitest';
import { openRig, type Rig } from '../../support/rig.ts';

const members = async ({ svc }: Rig) =>
  (await svc(['topics', 'subscribers', 'announcements', '-o', 'ids'])).stdout
    .split('\n')
    .filter(Boolean)
    .sort();

describe('svc topics subscribers', () => {
  it('lists the subscribers of a topic', async () => {
    const rig = await openRig();
    expect(await members(rig)).toEqual(['u1', 'u2', 'u3', 'u4', 'u7']);
    const { stdout } = await rig.svc(['topics', 'subscribers', 'beta-testers'], { tty: true });
    expect(stdout).toMatchInlineSnapshot(`
      "SUBSCRIBER  EMAIL            FIRST NAME  LAST NAME  SUBSCRIBED
      u1          ada@example.com  Ada         Okafor     15 Jan 2025
      "
    `);
    const one = ['topics', 'subscribers', 'announcements', '--subscriber-id', 'u3', '-o', 'ids'];
    expect((await rig.svc(one)).stdout).toBe('u3\n');
  });

  it('suggests a similar key for an unknown topic', async () => {
    const { svc } = await openRig();
    const { code, stderr } = await svc(['topics', 'subscribers', 'beta-tester']);
    expect(code).toBe(5);
    expect(stderr).toContain('Did you mean `beta-testers`?');
  });
});

describe('svc topics unsubscribe', () => {
  it('removes one subscriber without asking', async () => {
    const rig = await openRig();
    const line = ['topics', 'unsubscribe', 'announcements', 'u1'];
    const { code, stdout, requests } = await rig.svc(line, { tty: true });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Removed 1 subscriber from announcements at http://sandbox.localhost.\n',
    });
    expect(requests.at(-1)).toMatchObject({
      line: 'DELETE /v2/topics/announcements/subscriptions',
      body: { subscriberIds: ['u1'] },
    });
    expect(await members(rig)).toEqual(['u2', 'u3', 'u4', 'u7']);
  });

  it('asks above one, and reads ids from standard input', async () => {
    const rig = await openRig();
    const line = ['topics', 'unsubscribe', 'announcements', '-'];
    const stdin = 'u2\nu3\n';
    const asked = await rig.svc(line, { stdin });
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain('to remove the subscribers of a list from topic announcements');
    const { stdout } = await rig.svc([...line, '--yes', '--json'], { stdin });
    expect(JSON.parse(stdout)).toMatchObject({ rows: 2, unsubscribed: 2, failed: 0 });
    expect(await members(rig)).toEqual(['u1', 'u4', 'u7']);
  });

  it('exits with 3 if some are not subscribed, and with 6 if none is', async () => {
    const rig = await openRig();
    const line = ['topics', 'unsubscribe', 'announcements'];
    const { code, stdout } = await rig.svc([...line, 'u1', 'u8', 'missing', '--yes'], {
      tty: true,
    });
    expect(code).toBe(3);
    expect(stdout).toContain('Removed 1 of 3 subscribers from announcements');
    expect(stdout).toMatch(/u8: .+/);
    expect(stdout).toMatch(/missing: .+/);
    const none = await rig.svc([...line, 'u8']);
    expect(none.code).toBe(6);
    expect(none.stderr).toContain('u8');
  });

  it('exits with 3 if the response does not mention one', async () => {
    const rig = await openRig();
    const data = [{ topic: { key: 'announcements' }, subscriber: { subscriberId: 'u1' } }];
    rig.answerWrites({ status: 200, body: { data, meta: { totalCount: 2, successful: 1 } } });
    const line = ['topics', 'unsubscribe', 'announcements', 'u1', 'u2', '--yes'];
    const { code, stdout } = await rig.svc(line, { tty: 'stdout' });
    expect(code).toBe(3);
    expect(stdout).toContain('Removed 1 of 2 subscribers from announcements');
    expect(stdout).toContain('u2: the response does not mention it');
  });

  it('sends at most 100 ids in a request', async () => {
    const { svc } = await openRig();
    const ids = Array.from({ length: 150 }, (_unused, index) => `p${index}`);
    const { code, requests } = await svc(['topics', 'unsubscribe', 'announcements', '-', '--yes'], {
      stdin: ['u1', ...ids].join('\n'),
    });
    expect(code).toBe(3);
    const sent = requests.filter(({ line }) => line.startsWith('DELETE'));
    expect(sent.map(({ body }) => (body as { subscriberIds: [] }).subscriberIds.length)).toEqual([
      100, 51,
    ]);
  });

  it('suggests a similar key for an unknown topic before it asks', async () => {
    const { svc } = await openRig();
    const { code, stderr } = await svc(['topics', 'unsubscribe', 'beta-tester', 'u1', 'u2']);
    expect(code).toBe(5);
    expect(stderr).toContain('Did you mean `beta-testers`?');
  });
});
