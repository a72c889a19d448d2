// A configuration without the necessary permissions: the error names its path, and `config reset` repairs it.
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { runParallel } from '../support/parallel.ts';
import { json, openService } from '../support/service.ts';
import { openUnprivilegedHome } from '../support/unprivileged-home.ts';

async function openConfiguredHome() {
  const opened = await openUnprivilegedHome((home) => home.svc(['config', 'set', 'retries', '1']));
  return { ...opened, file: path.join(opened.home.folder, '.config', 'svc', 'config.json') };
}

it('an unusable configuration is reported with its path if the file is not readable', async () => {
  const { file, run } = await openConfiguredHome();
  chmodSync(file, 0o000);
  const lines = ['topics list', 'config list --json', 'profiles list', 'config set retries 1'];
  const ended = await runParallel(lines, run);
  for (const { code, stdout, stderr } of ended) {
    expect({ code, stdout }).toEqual({ code: 8, stdout: '' });
    expect(stderr).toContain(`Cannot read the configuration ${file}: EACCES`);
  }
  expect(await run('config path')).toEqual({ code: 0, stdout: `${file}\n`, stderr: '' });
  expect((await run('config reset --yes')).code).toBe(0);
  expect((await run('config set retries 1')).code).toBe(0);
});

it('an unusable configuration is reported with its path if its folder cannot be created, and other commands still work', async () => {
  const { home, run } = await openConfiguredHome();
  const readOnly = path.join(home.folder, 'read-only');
  mkdirSync(readOnly, { mode: 0o555 });
  for (const kind of ['CONFIG', 'CACHE']) home.env[`SVC_${kind}_DIR`] = path.join(readOnly, kind);
  const { code, stderr } = await run('config set retries 2');
  expect(code).toBe(8);
  expect(stderr).toContain(path.join(readOnly, 'CONFIG'));
  expect(stderr).toContain('SVC_CONFIG_DIR');
  const { env } = await openService((_seen, response) => json(response, 200, [{ _id: 'a' }]));
  Object.assign(home.env, env);
  const listed = await run('environments list -o ids');
  expect(listed).toEqual({ code: 0, stdout: 'a\n', stderr: '' });
  expect(readdirSync(readOnly)).toEqual([]);
});

describe.runIf(process.platform === 'linux')('folders below /proc', () => {
  // With the option `recursive`, mkdir of Node 20 never returns there.
  it.each([
    ['CONFIG', 'config set retries 1'],
    ['CONFIG', 'sandbox start --port 0'],
    ['STATE', 'subscribers bulk-import -'],
    ['STATE', 'sandbox start --port 0'],
  ])('the folder %s cannot be created: svc %s ends', async (kind, line) => {
    const home = openHome();
    const { env } = await openService((_seen, response) => json(response, 200, {}));
    Object.assign(home.env, env, { [`SVC_${kind}_DIR`]: `/proc/svc-test/${kind}` });
    const { code, stderr } = await home.svc(line.split(' '), { stdin: 'subscriberId\nu1\n' });
    expect({ code, stderr }).toEqual({
      code: 8,
      stderr: expect.stringContaining('/proc/svc-test'),
    });
  });
});
