import { describe, expect, it } from 'vitest';
import { printedError } from '../../support/printed-error.ts';
import { openRig } from '../../support/rig.ts';

const count = async (line: string[]) => {
  const { svc } = await openRig();
  return svc(['inbox', 'count', ...line]);
};

describe('svc inbox count', () => {
  it('prints the number of unseen or seen notifications', async () => {
    const { svc } = await openRig();
    const listed = async (option: string) =>
      JSON.parse((await svc(['inbox', 'list', 'u1', option, '--all', '--json'])).stdout).length;
    expect((await count(['u1'])).stdout).toBe(`${await listed('--unseen')}\n`);
    expect((await count(['u1', '--seen'])).stdout).toBe(`${await listed('--seen')}\n`);
    const { stdout } = await svc(['inbox', 'count', 'u1'], { tty: true });
    expect(stdout).toBe(`${await listed('--unseen')} unseen\n`);
    expect(JSON.parse((await count(['u1', '--json'])).stdout)).toEqual({
      count: await listed('--unseen'),
    });
  });

  it('refuses a limit with the filters of newer servers, which count to 100', async () => {
    const { code, stderr, requests } = await count(['u1', '--archived', '--limit', '5']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toMatch(/--limit.*cannot be used with.*--archived/);
  });

  it('says when it stopped at the limit', async () => {
    const { svc } = await openRig();
    const { stdout, requests } = await svc(['inbox', 'count', 'u1', '--seen', '--limit', '1'], {
      tty: true,
    });
    expect(stdout).toBe('1 or more seen\n');
    expect(requests[0]?.line).toBe('GET /v1/subscribers/u1/notifications/unseen?seen=true&limit=1');
    expect((await svc(['inbox', 'count', 'u1', '--limit', '1001'])).code).toBe(2);
  });

  it('exits with 5, like inbox list, if the subscriber does not exist', async () => {
    const { code, stdout, stderr } = await count(['unknown', '--json']);
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(printedError(stderr)).toMatchObject({ name: 'notFound', status: 400 });
  });
});
