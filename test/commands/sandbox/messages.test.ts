import { describe, expect, it } from 'vitest';
import { openSandboxRig } from './sandbox-rig.ts';

/** Opens a rig after a welcome event to u1 and u2. u2 has no e-mail address. */
async function openWelcomedRig() {
  const rig = await openSandboxRig();
  await rig.svc(['sandbox', 'clock', 'advance', '1h']);
  const line = ['events', 'trigger', 'welcome', '--to', 'u1', '--to', 'u2', '--yes'];
  expect(await rig.svc([...line, '--payload', '{"product":"Svc"}'])).toMatchObject({ code: 0 });
  return rig;
}

describe('svc sandbox messages list', () => {
  it('shows captured messages, newest first', async () => {
    const { svc } = await openWelcomedRig();
    const { stdout } = await svc([
      'sandbox',
      'messages',
      'list',
      '--limit',
      '4',
      '--fields',
      'channel,subscriberId,recipient,status,subject,body',
    ]);
    expect(stdout).toMatchInlineSnapshot(`
      "email	u2		warning	Welcome to Svc	<p>Hello Bruno,</p><p>good to have you here.</p>
      in_app	u2	u2	sent	Welcome, Bruno!	Good to have you at Svc.
      email	u1	ada@example.com	sent	Welcome to Svc	<p>Hello Ada,</p><p>good to have you here.</p>
      in_app	u1	u1	sent	Welcome, Ada!	Good to have you at Svc.
      "
    `);
  });

  it('filters, pages, and prints the command for more', async () => {
    const { svc } = await openWelcomedRig();
    const { requests } = await svc([
      'sandbox',
      'messages',
      'list',
      '--subscriber',
      'u1',
      '--channel',
      'email',
      '--transaction',
      'x',
    ]);
    expect(requests.map(({ line }) => line)).toEqual([
      'GET /__sandbox/messages?page=0&limit=50&subscriberId=u1&channel=email&transactionId=x',
    ]);
    const limited = await svc(['sandbox', 'messages', 'list', '--limit', '1'], { tty: true });
    expect(limited.stderr).toBe('More items: svc sandbox messages list --all\n');
    const all = await svc([
      'sandbox',
      'messages',
      'list',
      '--all',
      '--page-size',
      '2',
      '-o',
      'ids',
    ]);
    expect(all.requests.length).toBeGreaterThan(1);
    const ids = all.stdout.trim().split('\n');
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('prints a note if no messages match', async () => {
    const { svc } = await openSandboxRig();
    const list = ['sandbox', 'messages', 'list'];
    const none = await svc([...list, '--transaction', 'none'], { tty: true });
    expect(none.stderr).toBe('No messages match.\n');
  });
});

describe('svc sandbox messages get', () => {
  it('shows one message', async () => {
    const { svc } = await openWelcomedRig();
    const list = ['sandbox', 'messages', 'list', '--subscriber', 'u1', '--channel', 'email'];
    const [id = ''] = (await svc([...list, '--limit', '1', '-o', 'ids'])).stdout.split('\n');
    const { stdout, code } = await svc(['sandbox', 'messages', 'get', id, '--jq', '.body']);
    expect({ stdout, code }).toEqual({
      stdout: '<p>Hello Ada,</p><p>good to have you here.</p>\n',
      code: 0,
    });
    const shown = await svc(['sandbox', 'messages', 'get', id], { tty: true });
    expect(shown.stdout).toContain('ada@example.com');
  });

  it('exits with 5 for an unknown id', async () => {
    const { svc } = await openSandboxRig();
    const { code, stderr } = await svc(['sandbox', 'messages', 'get', 'nope']);
    expect(code).toBe(5);
    expect(stderr).toContain('Message with id nope not found');
  });
});
