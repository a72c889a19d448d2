import { describe, expect, it } from 'vitest';
import { openSandboxRig } from './sandbox-rig.ts';

describe('svc sandbox faults', () => {
  it('sets, shows and clears faults', async () => {
    const { svc } = await openSandboxRig();
    const options = '--latency 100ms --fail 5% --status 500 --rate-limit pro --fault-seed 42';
    const set = await svc(['sandbox', 'faults', 'set', ...options.split(' ')], {
      tty: true,
      columns: 300,
    });
    expect(set).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        'Active faults in the sandbox of profile sandbox: latency 100ms, fail 0.05, status 500',
      ),
    });
    expect(set.requests).toMatchObject([
      {
        line: 'POST /__sandbox/faults',
        body: { latency: 100, fail: 0.05, status: 500, rateLimit: 'pro', faultSeed: 42 },
      },
    ]);
    await svc(['sandbox', 'faults', 'set', '--fail', '0', '--reset', '1%']);
    expect(JSON.parse((await svc(['sandbox', 'faults', 'show', '--json'])).stdout)).toMatchObject({
      profile: 'sandbox',
      fail: 0,
      reset: 0.01,
      rateLimit: 'pro',
    });
    expect((await svc(['sandbox', 'faults', 'clear'])).code).toBe(0);
    expect(JSON.parse((await svc(['sandbox', 'faults', 'show', '--json'])).stdout)).toEqual({
      profile: 'sandbox',
    });
  });

  it('fail the next requests, which svc sends again', async () => {
    const { svc } = await openSandboxRig();
    await svc('sandbox faults set --fail-next 2'.split(' '));
    const { code, requests } = await svc('topics list'.split(' '));
    expect({ code, count: requests.length }).toEqual({ code: 0, count: 3 });
    expect((await svc('sandbox faults show --json'.split(' '))).stdout).not.toContain('failNext');
  });

  it('of a channel or provider are set and shown beside those of requests', async () => {
    const { svc } = await openSandboxRig();
    await svc(['sandbox', 'faults', 'set', '--latency', '1ms']);
    const line = 'sandbox faults set --channel email --fail-next 1 --error'.split(' ');
    const { requests, stdout } = await svc([...line, 'Mailbox full'], { tty: true, columns: 300 });
    expect(requests).toMatchObject([
      { body: { channel: 'email', failNext: 1, error: 'Mailbox full' } },
    ]);
    const text = 'channel email, failNext 1, error Mailbox full';
    expect(stdout).toContain(`latency 1ms; ${text}.`);
    const shown = await svc('sandbox faults show'.split(' '), { tty: true, columns: 100 });
    expect(shown.stdout).toMatch(new RegExp(`DELIVERIES +${text}\n`));
    expect(JSON.parse((await svc('sandbox faults show --json'.split(' '))).stdout)).toMatchObject({
      deliveries: [{ channel: 'email', failNext: 1, error: 'Mailbox full' }],
    });
    const unknown = await svc('sandbox faults set --provider sendgird --fail 1'.split(' '));
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('Unknown provider `sendgird`. Did you mean `sendgrid`?');
  });

  it('are removed by a reset', async () => {
    const { svc } = await openSandboxRig();
    await svc('sandbox faults set --fail 100%'.split(' '));
    expect(await svc('sandbox reset --yes'.split(' '))).toMatchObject({ code: 0 });
    expect((await svc('sandbox faults show'.split(' '))).stdout).toBe('profile\tsandbox\n');
  });

  it.each([
    [['--fail', '101%']],
    [['--latency', '100']],
    [['--fail', 'often']],
    [['--status', '200']],
    [['--rate-limit', 'gold']],
    [['--channel', 'in_app', '--fail', '1']],
    [['--channel', 'email']],
    [['--channel', 'email', '--fail', '1', '--latency', '1ms']],
    [['--error', 'Full', '--fail', '1']],
    [[]],
  ])('set %j is a usage error before any request', async (options: string[]) => {
    const { svc } = await openSandboxRig();
    const { code, requests } = await svc(['sandbox', 'faults', 'set', ...options]);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
  });

  it('are handled by the retries of the client, without repeating a write', async () => {
    const { svc } = await openSandboxRig();
    await svc('sandbox faults set --after-commit 100%'.split(' '));
    const { code } = await svc('topics subscribe beta-testers u5 --yes'.split(' '));
    expect(code).toBe(0);
  });
});
