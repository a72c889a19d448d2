// Pulls with the built program: stops it in the middle, and starts sandboxes with the file.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type Mode, modes } from '../../src/service/mode.ts';
import { personalState } from '../commands/sandbox/personal-state.ts';
import { type Home, openHome } from '../support/built.ts';
import { fileMode } from '../support/file-mode.ts';

/** A home with a sandbox that needs 0.2 s for each response. */
async function openSlowSandbox(mode?: Mode) {
  const home = openHome();
  const file = path.join(home.folder, 'seed.json');
  writeFileSync(file, JSON.stringify(personalState(mode)));
  const sandbox = await home.sandbox(['--in-memory', '--seed', file, '--latency', '200ms']);
  return { home, sandbox };
}

const line = ['sandbox', 'pull', '--file', 'state.yaml', '--sample', '9'];
const stateFiles = ({ folder }: Home) =>
  readdirSync(folder).filter((name) => name.startsWith('state.yaml'));

/** Starts a pull and waits until it writes. */
async function startPull(home: Home, more: readonly string[] = []) {
  const run = home.start([...line, ...more]);
  let ended = false;
  void run.ended.then(() => {
    ended = true;
  });
  while (!ended && !stateFiles(home).some((name) => name.endsWith('.new')))
    await new Promise((resolve) => setImmediate(resolve));
  expect(ended).toBe(false);
  return run;
}

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'after %s there is neither a file nor a part of it',
  async (signal) => {
    const { home } = await openSlowSandbox();
    const run = await startPull(home);
    run.process.kill(signal);
    const { code, stdout } = await run.ended;
    expect({ code, stdout }).toEqual({
      code: { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal],
      stdout: '',
    });
    expect(stateFiles(home)).toEqual([]);
  },
);

it('a pull that is killed leaves the old file as it was, and the next pull works', async () => {
  const { home } = await openSlowSandbox();
  const file = path.join(home.folder, 'state.yaml');
  writeFileSync(file, 'mine');
  const run = await startPull(home, ['--force']);
  run.process.kill('SIGKILL');
  await run.ended;
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect((await home.svc([...line, '--force'])).code).toBe(0);
  expect(stateFiles(home)).toEqual(['state.yaml']);
  expect(readFileSync(file, 'utf8')).toContain('workflowId: welcome');
  expect(fileMode(file)).toBe('600');
});

it.each(modes)(
  'a file of a sandbox in the mode %s without skip conditions starts both modes',
  async (from) => {
    const { home } = await openSlowSandbox(from);
    const pulled = await home.svc(line);
    expect({ code: pulled.code, stderr: pulled.stderr }).toEqual({ code: 0, stderr: '' });
    for (const compat of modes) {
      const options = ['--port', '0', '--no-profile', '--in-memory', '--json'];
      const sandbox = home.start([
        ...['sandbox', 'start', '--seed', 'state.yaml', '--compat', compat, ...options],
      ]);
      const { baseUrl, key } = JSON.parse(await sandbox.says('\n}\n')) as Record<string, string>;
      const env = { SVC_BASE_URL: baseUrl, SVC_API_KEY: key };
      const listed = await home.svc(['subscribers', 'list', '-o', 'ids'], { env });
      expect(listed.stdout.trim().split('\n')).toHaveLength(5);
      sandbox.process.kill('SIGTERM');
      await sandbox.ended;
    }
  },
);

it('a full disk is an error, and leaves nothing', async () => {
  const { home } = await openSlowSandbox();
  // A device is not replaced.
  const { code, stderr } = await home.svc(['sandbox', 'pull', '--file', '/dev/full', '--yes']);
  expect(code).toBe(2);
  expect(stderr).toContain('not a regular file');
  const { code: limited, stderr: reason } = await home.shell(
    `trap '' XFSZ; ulimit -f 1; svc ${line.join(' ')}`,
  );
  expect(limited).toBe(8);
  expect(reason).toContain('state.yaml cannot be written');
  expect(existsSync(path.join(home.folder, 'state.yaml'))).toBe(false);
  expect(stateFiles(home)).toEqual([]);
});
