// `svc login --keychain` on a machine without a keychain. The bus of the session does not exist in these tests.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { fileMode } from '../support/file-mode.ts';
import { useSandbox } from '../support/served-sandbox.ts';

async function openHomeWithoutKeychain() {
  const home = openHome();
  const { baseUrl, key } = await useSandbox(home);
  const env = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' };
  const login = (...options: string[]) =>
    home.svc(['login', '--base-url', baseUrl, '--profile', 'main', '--with-key', ...options], {
      stdin: key,
      env,
    });
  const file = path.join(home.folder, '.config', 'svc', 'config.json');
  return { home, login, file, key };
}

describe('svc login without a keychain', () => {
  it('stores nothing with --keychain and exits with 8', async () => {
    const { login, file } = await openHomeWithoutKeychain();
    const { code, stderr, stdout } = await login('--keychain');
    expect({ code, stdout }).toEqual({ code: 8, stdout: '' });
    expect(stderr).toContain('The key of profile main was not stored');
    expect(stderr).toContain('--keychain=optional');
    expect(JSON.parse(readFileSync(file, 'utf8')).profiles).not.toHaveProperty('main');
  });

  it('stores the key in a file that only the user can read with --keychain=optional, and reports it', async () => {
    const { login, file, key } = await openHomeWithoutKeychain();
    const { code, stderr, stdout } = await login('--keychain=optional', '--json');
    expect(code).toBe(0);
    expect(stderr.replace(/\s+/g, ' ')).toContain(
      'The system keychain is not available. The key is stored in the configuration file',
    );
    expect(JSON.parse(stdout)).toMatchObject({ profile: 'main', keySource: 'file' });
    expect(JSON.parse(readFileSync(file, 'utf8')).profiles.main).toMatchObject({ key });
    expect(fileMode(file)).toBe('600');
  });

  it('rejects another value of --keychain', async () => {
    const { login } = await openHomeWithoutKeychain();
    const { code, stderr } = await login('--keychain=always');
    expect(code).toBe(2);
    expect(stderr).toContain('optional');
  });
});
