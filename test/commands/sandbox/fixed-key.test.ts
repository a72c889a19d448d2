// The key of a sandbox from SVC_SANDBOX_KEY or --key-file.
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { isPrivate } from '../../../src/commands/sandbox/open-server.ts';
import { controlAt } from '../../support/control.ts';
import { testKey } from '../../support/fixed.ts';
import { openRig, type Rig } from '../../support/rig.ts';
import { openSandboxRig } from './sandbox-rig.ts';

const key = 'fedcba9876543210fedcba9876543210';

/** Starts a sandbox and stops it. Returns its key as stored in the profile. */
async function startedKey(
  rig: Rig,
  options: string[],
  env: Record<string, string> = {},
): Promise<string> {
  const running = rig.svc(['sandbox', 'start', '--port', '0', ...options], { env });
  const file = path.join(rig.folder, 'config', 'config.json');
  const profile = await vi.waitFor(
    async () => {
      const { sandbox } = JSON.parse(readFileSync(file, 'utf8')).profiles;
      await controlAt(sandbox).status();
      return sandbox;
    },
    { timeout: 10_000 },
  );
  await controlAt(profile).stop();
  expect(await running).toMatchObject({ code: 0 });
  return profile.key;
}

function writeKeyFile({ folder }: Rig, text: string, mode = 0o600): string {
  writeFileSync(path.join(folder, 'key'), text, { mode });
  return 'key';
}

describe('the key of a sandbox', () => {
  it('is the one in SVC_SANDBOX_KEY, and random if that is empty', async () => {
    const rig = await openRig({ bare: true });
    expect(await startedKey(rig, ['--in-memory'], { SVC_SANDBOX_KEY: key })).toBe(key);
    const random = await startedKey(rig, ['--in-memory'], { SVC_SANDBOX_KEY: '' });
    expect(random).toMatch(/^[0-9a-f]{32}$/);
    expect(random).not.toBe(key);
  });

  it('is the one in --key-file rather than in the variable', async () => {
    const rig = await openRig({ bare: true });
    const line = ['--in-memory', '--key-file', writeKeyFile(rig, `${key}\n`)];
    expect(await startedKey(rig, line, { SVC_SANDBOX_KEY: testKey })).toBe(key);
  });

  it('is kept in the data folder', async () => {
    const rig = await openRig({ bare: true });
    await startedKey(rig, ['--data', 'data']);
    await startedKey(rig, ['--data', 'data'], { SVC_SANDBOX_KEY: key });
    expect(await startedKey(rig, ['--data', 'data'])).toBe(key);
  });

  it('must be that of the running sandbox for --reuse', async () => {
    const rig = await openSandboxRig();
    const reuse = ['sandbox', 'start', '--reuse', '--json'];
    const same = await rig.svc(reuse, { env: { SVC_SANDBOX_KEY: testKey } });
    expect(same).toMatchObject({ code: 0 });
    const different = await rig.svc(reuse, { env: { SVC_SANDBOX_KEY: key } });
    expect(different).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('with another key.'),
    });
    expect(different.stderr).not.toContain(key);
  });

  it.each([
    ['too short', 'abc'],
    ['in upper case', key.toUpperCase()],
    ['with other letters', 'g'.repeat(32)],
  ])('cannot be %s, and is not printed', async (_name, wrong) => {
    const rig = await openRig({ bare: true });
    const start = ['sandbox', 'start', '--in-memory', '--port', '0'];
    const given = await rig.svc(start, { env: { SVC_SANDBOX_KEY: wrong } });
    const file = await rig.svc([...start, '--key-file', writeKeyFile(rig, wrong)]);
    expect([given.code, file.code]).toEqual([2, 2]);
    expect(given.stderr).toContain('SVC_SANDBOX_KEY is not a key for a sandbox.');
    expect(file.stderr).toContain('--key-file: key is not a key for a sandbox.');
    expect(given.stderr + file.stderr).not.toContain(wrong);
  });

  it('cannot be in a file that other users can read', async () => {
    const rig = await openRig({ bare: true });
    const line = ['sandbox', 'start', '--key-file', writeKeyFile(rig, key, 0o640)];
    expect(await rig.svc(line)).toMatchObject({
      code: 2,
      stderr: 'Error: --key-file: other users have access to key.\nRun `chmod 600 key`.\n',
    });
  });

  it.each([
    ['/run/secrets/key', 0o444, true],
    ['/run/secrets/team/key', 0o644, true],
    ['/run/secrets/key', 0o664, false],
    ['/run/secrets/key', 0o446, false],
    ['/run/secrets-of-others/key', 0o444, false],
    ['/home/ada/key', 0o444, false],
    ['/home/ada/key', 0o400, true],
  ])('can be in the file %s with mode %o: %s', (file, mode, expected) => {
    expect(isPrivate(file, 0o100_000 | mode)).toBe(expected);
  });

  it('cannot be in a link to a file that other users can read', async () => {
    const rig = await openRig({ bare: true });
    writeKeyFile(rig, key, 0o644);
    symlinkSync('key', path.join(rig.folder, 'link'));
    const line = ['sandbox', 'start', '--key-file', 'link'];
    expect(await rig.svc(line)).toMatchObject({ code: 2 });
  });
});
