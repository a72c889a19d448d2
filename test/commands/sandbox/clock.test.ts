import { describe, expect, it } from 'vitest';
import { words } from '../../support/words.ts';
import { openSandboxRig } from './sandbox-rig.ts';

describe('svc sandbox clock', () => {
  it('shows the time and advances it', async () => {
    const { svc } = await openSandboxRig();
    expect((await svc(['sandbox', 'clock', 'show'], { tty: true })).stdout).toMatchInlineSnapshot(`
      "PROFILE  sandbox
      TIME     15 Jan 2026 12:00:00
      "
    `);
    const advanced = await svc(['sandbox', 'clock', 'advance', '2h30m'], { tty: true });
    expect(advanced).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('It is 15 Jan 2026 14:30:00 in the sandbox'),
    });
    expect(advanced.requests).toMatchObject([
      { line: 'POST /__sandbox/clock', body: { advance: 9_000_000 } },
    ]);
    for (const line of [words`sandbox clock show`, words`sandbox status`])
      expect((await svc(line, { tty: true })).stdout).toMatch(
        /^TIME +15 Jan 2026 14:30:00, 2h30m ahead of this machine$/m,
      );
    expect(JSON.parse((await svc(['sandbox', 'clock', 'show', '--json'])).stdout)).toEqual({
      profile: 'sandbox',
      now: '2026-01-15T14:30:00.000Z',
      frozen: false,
      offset: 9_000_000,
    });
  });

  it('runs the jobs that come due and prints their number', async () => {
    const { svc } = await openSandboxRig();
    await svc(['sandbox', 'clock', 'advance', '30d']);
    await svc(['events', 'trigger', 'trial-ending', '--to', 'u7', '--yes']);
    const { stdout } = await svc(['sandbox', 'clock', 'advance', '4d'], { tty: true });
    expect(stdout).toContain('Ran 1 job that came due.');
    const messages = await svc(['sandbox', 'messages', 'list', '--limit', '1', '--json']);
    expect(JSON.parse(messages.stdout)).toMatchObject([
      { channel: 'email', recipient: 'grete@example.com', subject: 'Your trial ends soon' },
    ]);
  });

  it('does not hide activity when it is ahead of this machine', async () => {
    const { svc } = await openSandboxRig();
    await svc(['sandbox', 'clock', 'advance', '30d']);
    const trigger = ['events', 'trigger', 'welcome', '--to', 'u1', '--yes', '--json'];
    const [{ transactionId }] = JSON.parse((await svc(trigger)).stdout);
    expect(await svc(['activity', 'get', transactionId])).toMatchObject({ code: 0 });
    const { stdout } = await svc(['activity', 'list', '--all', '-o', 'ids']);
    expect(stdout.split('\n')[0]).toBe(transactionId);
  });

  it('can be set back to the time of this machine', async () => {
    const { svc } = await openSandboxRig();
    await svc(['sandbox', 'clock', 'advance', '3d']);
    const { stdout } = await svc(['sandbox', 'clock', 'set', 'now'], { tty: true });
    expect(stdout).toBe(
      'It is 15 Jan 2026 12:00:00 in the sandbox of profile sandbox.\nMoved back by 3d. Newer data is unchanged.\n',
    );
    const back = await svc(['sandbox', 'clock', 'set', '2026-01-15T09:29:00Z'], { tty: true });
    expect(back.stdout).toContain('Moved back by 2h31m. Newer data is unchanged.\n');
    const reset = await svc(['sandbox', 'clock', 'set', 'now', '--json']);
    expect(JSON.parse(reset.stdout)).toEqual({
      profile: 'sandbox',
      now: '2026-01-15T12:00:00.000Z',
      frozen: false,
      offset: 0,
      jobsRun: 0,
      movedMs: 9_060_000,
    });
  });

  it('prints the number of jobs with the right plural form', async () => {
    const { svc } = await openSandboxRig();
    await svc(['sandbox', 'clock', 'advance', '30d']);
    const advance = () => svc(['sandbox', 'clock', 'advance', '4d'], { tty: true });
    expect((await advance()).stdout).toContain('\nNo jobs were due in between.\n');
    const line = ['events', 'trigger', 'trial-ending', '--yes', '--transaction-id'];
    await svc([...line, 'one', '--to', 'u7']);
    expect((await advance()).stdout).toContain('\nRan 1 job that came due.\n');
    await svc([...line, 'two', '--to', 'u7', '--to', 'u2']);
    expect((await advance()).stdout).toContain('\nRan 2 jobs that came due.\n');
  });

  it('sets the time', async () => {
    const { svc } = await openSandboxRig();
    const { stdout } = await svc(['sandbox', 'clock', 'set', '2026-02-01T09:00', '-o', 'ids']);
    expect(stdout).toBe('2026-02-01T09:00:00.000Z\n');
  });

  it.each([
    ['advance', 'soon', '`soon` is not a duration such as 30s'],
    ['advance', '100', '`100` has no unit: write 100ms or 100s.'],
    ['set', 'tomorrow', '`tomorrow` is not an ISO time'],
  ])('%s %s is a usage error before any request', async (verb, value, message) => {
    const { svc } = await openSandboxRig();
    const { code, stderr, requests } = await svc(['sandbox', 'clock', verb, value]);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(message);
  });
});
