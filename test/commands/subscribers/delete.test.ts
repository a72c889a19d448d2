import { describe, expect, it } from 'vitest';
import { openRig, parsed } from '../../support/rig.ts';

const idsLeft = async ({ svc }: Awaited<ReturnType<typeof openRig>>) =>
  (await svc(['subscribers', 'list', '-o', 'ids', '--all'])).stdout.trim().split('\n').sort();

describe('svc subscribers delete', () => {
  it('deletes the subscribers and prints how many', async () => {
    const rig = await openRig();
    const { code, stdout, requests } = await rig.svc(
      ['subscribers', 'delete', 'u1', 'u2', 'u1', '--yes'],
      { tty: true },
    );
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Deleted 2 subscribers at http://sandbox.localhost.\n',
    });
    expect(requests.map(({ line }) => line)).toEqual([
      'DELETE /v2/subscribers/u1',
      'DELETE /v2/subscribers/u2',
    ]);
    expect(await idsLeft(rig)).toEqual(['u3', 'u4', 'u5', 'u6', 'u7', 'u8', 'u9']);
  });

  it('asks with the number of subscribers; without a terminal it needs --yes', async () => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(['subscribers', 'delete', 'u1', 'u2']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('to delete 2 subscribers at http://sandbox.localhost.');
    expect(stderr).toContain('--yes');
    const one = await svc(['subscribers', 'delete', 'u1']);
    expect(one.stderr).toContain('to delete subscriber u1 at http://sandbox.localhost.');
  });

  it('reads a list from standard input, as a run', async () => {
    const rig = await openRig();
    const { code, stdout } = await rig.svc(['subscribers', 'delete', '-', '--yes', '--json'], {
      stdin: 'u3\r\n\n u4 \nmissing\n',
    });
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject({ rows: 3, deleted: 2, absent: 1, failed: 0 });
    expect(await idsLeft(rig)).not.toContain('u4');
    const both = await rig.svc(['subscribers', 'delete', 'u5', '-', '--yes'], { stdin: '\n' });
    expect(both).toMatchObject({ code: 2, requests: [] });
    expect((await rig.svc(['subscribers', 'delete', '--yes'])).code).toBe(2);
  });

  it('exits with 3 if some do not exist, and with 5 if none does', async () => {
    const { svc } = await openRig();
    const line = ['subscribers', 'delete', 'missing', 'u5', '--yes'];
    const { code, stdout } = await svc(line, { tty: true });
    expect(code).toBe(3);
    expect(stdout).toContain('Deleted 1 of 2 subscribers');
    expect(stdout).toContain('missing: not deleted:');
    const none = await svc([...line, '--json']);
    expect(none).toMatchObject({ code: 5, stdout: '' });
  });

  it('stops when the service is unavailable and reports what was not sent', async () => {
    const { svc, pass, answer } = await openRig();
    pass(1);
    answer({ status: 401, body: { statusCode: 401, message: 'API Key not found' } });
    const { code, stdout, requests } = await svc([
      ...['subscribers', 'delete', 'u1', 'u2', 'u3', '--yes', '--json'],
    ]);
    expect(code).toBe(4);
    expect(requests).toHaveLength(2);
    expect(JSON.parse(stdout)).toMatchObject([
      { subscriberId: 'u1', deleted: true },
      { subscriberId: 'u2', deleted: false, error: 'API Key not found' },
      { subscriberId: 'u3', deleted: false, error: 'not sent after an earlier error' },
    ]);
  });

  it('shows every request with --dry-run', async () => {
    const rig = await openRig();
    const { stdout, requests } = await rig.svc(['subscribers', 'delete', 'u1', 'u2', '--dry-run']);
    expect(requests).toEqual([]);
    expect(stdout).toContain('/v2/subscribers/u1');
    expect(stdout).toContain('/v2/subscribers/u2');
  });
});
