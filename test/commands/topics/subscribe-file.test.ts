// svc topics subscribe --file, with the whole program.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openRig, parsed, writeInput } from '../../support/rig.ts';

const subscribeLine = (file: string, ...more: string[]) => [
  'topics',
  'subscribe',
  'announcements',
  '--file',
  file,
  ...more,
];

describe('svc topics subscribe --file', () => {
  it('subscribes a plain list, and reports unknown ids', async () => {
    const rig = await openRig();
    const list = writeInput(rig, 'ids.txt', 'u1\n\n  u2  \nno-such-user\n');
    const { code, stdout, requests } = await rig.svc(subscribeLine(list, '--json'));
    expect(code).toBe(3);
    expect(parsed(stdout)).toMatchObject({ rows: 3, subscribed: 2, failed: 1 });
    expect(requests.at(-1)?.body).toEqual({ subscriberIds: ['u1', 'u2', 'no-such-user'] });
    expect(readFileSync(String(parsed(stdout).rejects), 'utf8')).toMatch(
      /^_line,_error,subscriberId\n4,.*,no-such-user$/m,
    );
  });

  it('counts every id as failed if the service rejects a request because of its ids', async () => {
    const rig = await openRig();
    const list = writeInput(rig, 'ids.csv', 'Subscriber ID,name\nghost-1,A\nghost-2,B\n');
    const { code, stdout } = await rig.svc(subscribeLine(list, '--json'));
    expect(code).toBe(6);
    expect(parsed(stdout)).toMatchObject({ rows: 2, subscribed: 0, failed: 2, stopped: null });
  });

  it('sends at most 100 ids per request', async () => {
    const rig = await openRig();
    const ids = Array.from({ length: 250 }, () => 'u1').join('\n');
    const { requests } = await rig.svc(subscribeLine('-', '--quiet'), { stdin: ids });
    expect(
      requests
        .slice(1)
        .map(({ body }) => (body as { subscriberIds: string[] }).subscriberIds.length),
    ).toEqual([100, 100, 50]);
  });

  it('reads a list from standard input with -, and takes more ids than a request has', async () => {
    const rig = await openRig();
    const line = ['topics', 'subscribe', 'announcements'];
    const list = await rig.svc([...line, '-', '--json'], { stdin: 'u1\nu2\n' });
    expect({ code: list.code, ...parsed(list.stdout) }).toMatchObject({ code: 0, subscribed: 2 });
    const ids = Array.from({ length: 101 }, (_unused, index) => `ghost-${index}`);
    const named = await rig.svc([...line, 'u3', ...ids, '--json']);
    expect(named.code).toBe(3);
    expect(parsed(named.stdout)).toMatchObject({ data: [{ subscriber: { subscriberId: 'u3' } }] });
    expect(named.requests.filter(({ line: request }) => request.startsWith('POST'))).toHaveLength(
      2,
    );
  });

  it('requires an existing topic unless --create is given', async () => {
    const rig = await openRig();
    const list = writeInput(rig, 'ids.txt', 'u1\n');
    expect((await rig.svc(['topics', 'subscribe', 'launch', '--file', list])).code).toBe(5);
    expect(
      (await rig.svc(['topics', 'subscribe', 'launch', '--file', list, '--create'])).code,
    ).toBe(0);
  });
});
