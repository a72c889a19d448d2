// `novu sync`, the command line of the service, registers the workflows of an application in a sandbox. It needs Node 22,
// which is installed from npm if this process is older.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startApplication } from '../sandbox/bridge/application.ts';
import { testKey } from '../support/fixed.ts';
import { startSandbox } from '../support/sandbox-311.ts';
import { words } from '../support/words.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'svc-novu-cli-'));
const modules = path.join(folder, 'node_modules');
const isOld = Number(process.versions.node.split('.')[0]) < 22;
const platform = `node-${process.platform}-${process.arch}`;
const node = isOld ? path.join(modules, platform, 'bin', 'node') : process.execPath;

beforeAll(() => {
  const packages = ['novu@2.20.1', ...(isOld ? [`${platform}@22`] : [])];
  const options = words`--ignore-scripts --engine-strict=false --no-audit --no-fund --loglevel=error`;
  // The packages need Node 22, which runs them; npm runs on this one.
  execFileSync('npm', ['install', '--prefix', folder, ...options, ...packages]);
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }), 120_000);

it('novu sync registers the workflows, whose steps then run', async () => {
  const { url } = await startApplication();
  const sandbox = await startSandbox({ key: testKey, onUnhandled: 'error' });
  onTestFinished(() => sandbox.stop());
  const cli = path.join(modules, 'novu', 'dist', 'src', 'index.js');
  const args = [cli, 'sync', '-b', url, '-s', testKey, '-a', sandbox.url];
  await promisify(execFile)(node, args, { env: { PATH: process.env.PATH, HOME: folder } });
  await sandbox.fetch('/v1/events/trigger', {
    method: 'POST',
    headers: { authorization: `ApiKey ${testKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'comments', to: 'u1', payload: { text: 'Hello' } }),
  });
  await sandbox.clock.advance('10m');
  const messages = await sandbox.messages({ workflow: 'comments', channel: 'in_app' });
  expect(messages).toMatchObject([{ body: 'Hello' }]);
});
