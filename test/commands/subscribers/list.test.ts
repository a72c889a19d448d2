import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';

describe('svc subscribers list', () => {
  it('prints a table, a line for each subscriber in a pipe, and all fields as JSON', async () => {
    const { svc } = await openRig();
    const line = ['subscribers', 'list', '--order-by', 'subscriberId', '--order', 'asc'];
    const { stdout, stderr, code } = await svc([...line, '--limit', '2'], {
      tty: true,
      columns: 100,
    });
    expect({ stdout, stderr, code }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "More items:
        svc subscribers list --order-by subscriberId --order asc --after 67748580ab6e7fb6af2d2fc5 --limit 2
      ",
        "stdout": "SUBSCRIBER  EMAIL            FIRST NAME  LAST NAME  PHONE      CREATED      UPDATED
      u1          ada@example.com  Ada         Okafor     +15550101  15 Jan 2025  15 Jan 2025
      u2                           Bruno       Silva      +15550102  15 Jan 2025  15 Jan 2025
      ",
      }
    `);
    expect((await svc([...line, '-o', 'ids'])).stdout).toBe('u1\nu2\nu3\nu4\nu5\nu6\nu7\nu8\nu9\n');
    expect((await svc([...line, '--limit', '1'])).stdout).toMatchInlineSnapshot(`
      "u1	ada@example.com	Ada	Okafor	+15550101	en-US	America/New_York	https://example.com/avatars/ada.png	{"plan":"team","seats":5}	2025-01-15T09:00:00.000Z	2025-01-15T09:00:00.000Z	67748580fd87784c5c32ff9f
      "
    `);
    expect(JSON.parse((await svc([...line, '--json'])).stdout)).toHaveLength(9);
  });

  it.each([
    ['--email', 'ADA@', 'u1\n'],
    ['--name', 'grete lind', 'u7\n'],
    ['--phone', '0109', 'u9\n'],
    ['--subscriber-id', '8', 'u8\n'],
    ['--name', 'missing', ''],
  ])('filters by %s %s', async (option, value, ids) => {
    const { svc } = await openRig();
    expect((await svc(['subscribers', 'list', option, value, '-o', 'ids'])).stdout).toBe(ids);
  });

  it('continues after a page with the command in the hint, with --all to the end', async () => {
    const { svc } = await openRig();
    const first = await svc(['subscribers', 'list', '--limit', '5'], { tty: true });
    const [, rest = ''] = /svc (subscribers list --after \S+) --limit 5/.exec(first.stderr) ?? [];
    const second = await svc([...rest.split(' '), '-o', 'ids']);
    expect(second.stdout.trim().split('\n')).toHaveLength(4);
    const all = await svc(['subscribers', 'list', '--all', '--page-size', '4', '-o', 'ids']);
    expect(all.stdout.trim().split('\n')).toHaveLength(9);
    expect(all.requests).toHaveLength(3);
  });

  it('says that a server does not offer the operation', async () => {
    const { svc, answer } = await openRig();
    const message = 'Cannot GET /v2/subscribers?limit=50';
    answer({ status: 404, body: { statusCode: 404, message, error: 'Not Found' } });
    const { code, stderr } = await svc(['subscribers', 'list']);
    expect(code).toBe(5);
    expect(stderr).toContain('This server does not offer GET /v2/subscribers.');
  });
});

describe('svc subscribers get', () => {
  it('shows the subscriber and masks its credentials', async () => {
    const { svc } = await openRig();
    const { stdout } = await svc(['subscribers', 'get', 'u1'], { tty: true, columns: 120 });
    expect(stdout).toMatchInlineSnapshot(`
      "SUBSCRIBER  u1
      EMAIL       ada@example.com
      FIRST NAME  Ada
      LAST NAME   Okafor
      PHONE       +15550101
      LOCALE      en-US
      TIME ZONE   America/New_York
      AVATAR      https://example.com/avatars/ada.png
      DATA        {"plan":"team","seats":5}
      CREATED     15 Jan 2025
      UPDATED     15 Jan 2025
      ID          67748580fd87784c5c32ff9f

      Credentials
      PROVIDER  CREDENTIALS
      fcm       {"deviceTokens":["********","********"]}
      slack     {"webhookUrl":"********"}
      "
    `);
    const json = (await svc(['subscribers', 'get', 'u1', '--json'])).stdout;
    expect(JSON.parse(json)).toMatchObject({ subscriberId: 'u1', email: 'ada@example.com' });
    expect(json).not.toContain('ada-phone');
    const revealed = await svc(['subscribers', 'get', 'u1', '--json', '--reveal']);
    expect(revealed.stdout).toContain('ada-phone');
  });

  it('exits with 5 for an unknown subscriber', async () => {
    const { svc } = await openRig();
    const { code, stderr } = await svc(['subscribers', 'get', 'missing']);
    expect(code).toBe(5);
    expect(stderr).toContain('missing');
    expect(stderr).toContain('svc subscribers list');
  });
});

describe('svc subscribers topics', () => {
  it('lists the topics of a subscriber', async () => {
    const { svc } = await openRig();
    const { stdout } = await svc(['subscribers', 'topics', 'u1'], { tty: true });
    expect(stdout).toMatchInlineSnapshot(`
      "KEY            NAME           SUBSCRIBED
      announcements  Announcements  15 Jan 2025
      beta-testers   Beta testers   15 Jan 2025
      "
    `);
    expect(
      (await svc(['subscribers', 'topics', 'u1', '-o', 'ids'])).stdout.split('\n').sort(),
    ).toEqual(['', 'announcements', 'beta-testers']);
    const one = await svc(['subscribers', 'topics', 'u1', '--key', 'beta-testers', '-o', 'ids']);
    expect(one.stdout).toBe('beta-testers\n');
    expect((await svc(['subscribers', 'topics', 'u8'])).stdout).toBe('');
  });
});
