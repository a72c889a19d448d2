import { describe, expect, it } from 'vitest';
import { openSandboxRig } from './sandbox-rig.ts';

describe('svc sandbox faults', () => {
  it('sets them, shows them and clears them', async () => {
    const { svc } = await openSandboxRig();
    const words = '--latency 100ms --fail 5% --status 500 --rate-limit pro --fault-seed 42';
    const set = await svc(['sandbox', 'faults', 'set', ...words.split(' ')], { tty: true });
    expect(set).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('makes faults: latency 100ms, fail 0.05, status 500'),
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

  it.each([
    [['--fail', '101%']],
    [['--latency', '100']],
    [['--fail', 'often']],
    [['--status', '200']],
    [['--rate-limit', 'gold']],
    [[]],
  ])('%j is refused', async (words: string[]) => {
    const { svc } = await openSandboxRig();
    const { code, requests } = await svc(['sandbox', 'faults', 'set', ...words]);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
  });

  it('a client gets through them, and each write is done once', async () => {
    const { svc } = await openSandboxRig();
    await svc('sandbox faults set --after-commit 100%'.split(' '));
    const { code } = await svc('topics subscribe beta-testers u5 --yes'.split(' '));
    expect(code).toBe(0);
  });
});
