// Homes for the commands that help and documents show: files, profiles and sandboxes that the commands name.
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { processHost } from '../../src/platform/process-host.ts';
import { exportHead } from '../../src/state-files/state-writer.ts';
import { type Home, openHome, putOnPath } from './built.ts';
import { testKey } from './fixed.ts';
import { runMain } from './rig-host.ts';
import { startSandbox, useSandbox } from './served-sandbox.ts';
import { watchFailures } from './unread-failures.ts';

/** Creates the files that examples use, and puts `svc` on the path. */
export function prepareFiles({ folder, env }: Home) {
  const rows = [
    'subscriberId,email,data.plan',
    'u1,ada@example.com,pro',
    'u4,dmitri@example.com,free',
  ];
  writeFileSync(path.join(folder, 'users.csv'), `${rows.join('\n')}\n`);
  writeFileSync(
    path.join(folder, 'state.yaml'),
    `${exportHead}version: 1\nenvironments:\n  - name: Development\n`,
  );
  writeFileSync(
    path.join(folder, 'preferences.csv'),
    'subscriberId,workflow,email\nu1,welcome,off\n',
  );
  writeFileSync(
    path.join(folder, 'tokens.csv'),
    'subscriberId,provider,deviceTokens\nu1,fcm,token-1\n',
  );
  writeFileSync(path.join(folder, 'overdue.txt'), 'txn_6774858005787ee036e9fda0\n');
  writeFileSync(path.join(folder, 'former.csv'), 'subscriberId\nu4\n');
  writeFileSync(path.join(folder, 'package.json'), '{"scripts":{"test":"svc topics list"}}');
  writeFileSync(path.join(folder, 'users.ndjson'), '{"subscriberId":"a3"}\n');
  writeFileSync(
    path.join(folder, 'requests.ndjson'),
    '{"method":"GET","path":"/v1/subscribers"}\n',
  );
  mkdirSync(path.join(folder, 'workflows'));
  writeFileSync(
    path.join(folder, 'workflows', 'hello.yaml'),
    '# svc workflow, format 1\nworkflowId: hello\n',
  );
  for (const secret of ['token.txt', 'key.txt'])
    writeFileSync(path.join(folder, secret), 's3cret\n');
  mkdirSync(path.join(folder, '.config', 'fish', 'completions'), { recursive: true });
  putOnPath({ folder, env });
  env.SLACK_URL = 'https://hooks.example.com/T000';
  env.SLACK_TOKEN = 'xoxb-1';
}

/**
 * Adds the profiles that examples of workflows name, and the folder with the files of its workflows. `production` is another sandbox with the same workflows.
 */
export async function prepareWorkflows({ home, baseUrl, key }: Prepared, current = 'sandbox') {
  const other = await startSandbox();
  for (const [profile, address, keyOfProfile] of [
    ['development', baseUrl, key],
    ['production', other, testKey],
  ]) {
    const line = ['login', '--base-url', String(address), '--profile', String(profile)];
    await runInProcess(home, [...line, '--with-key'], String(keyOfProfile));
  }
  // Two workflows of the seed cannot be files.
  expect((await runInProcess(home, ['workflows', 'pull', '-p', 'development'])).code).toBe(3);
  await runInProcess(home, ['workflows', 'push', '-p', 'production', '--yes']);
  await runInProcess(home, ['profiles', 'use', current]);
  await runInProcess(home, ['activity', 'export', 'last-week.ndjson', '--with', 'people']);
  await prepareEnvironment(home);
}

/** Adds the folder with the files of the current environment, and a plan. */
export async function prepareEnvironment(home: Home) {
  expect((await runInProcess(home, ['environments', 'pull', 'environment'])).code).toBe(0);
  await runInProcess(home, ['environments', 'push', 'environment', '--save-plan', 'plan.json']);
}

/** Adds the layouts that examples name. */
export async function prepareLayouts(home: Home) {
  for (const layoutId of ['default-layout', 'newsletter']) {
    const fields = ['-f', `layoutId=${layoutId}`, '-f', 'name=Mail'];
    await runInProcess(home, ['api', 'POST', '/v2/layouts', ...fields]);
  }
}

/**
 * Opens a home whose current profile is a sandbox, in a process of its own or in this one. A second profile, `staging`,
 * refers to the same sandbox.
 */
export async function openPrepared({ inProcess = false } = {}) {
  const home = openHome();
  prepareFiles(home);
  const { baseUrl, key } = inProcess ? await useSandbox(home) : await home.sandbox();
  writeFileSync(path.join(home.folder, 'key.txt'), `${key}\n`);
  const line = ['login', '--base-url', baseUrl, '--profile', 'staging', '--with-key'];
  await runInProcess(home, line, key);
  return { home, baseUrl, key };
}

export type Prepared = Awaited<ReturnType<typeof openPrepared>>;

/** Runs a command line in this process, with the files and variables of the home. */
export async function runInProcess({ folder, env }: Home, argv: readonly string[], stdin?: string) {
  const watched = watchFailures();
  const { clock } = processHost('0.0.0-test');
  const places = { env, home: folder, cwd: folder };
  return watched(
    argv,
    await runMain(argv, { ...places, clock, stdin, newId: () => crypto.randomUUID() }),
  );
}

/** Adds a current profile for another service. Returns the requests that reach that service: there must be none. */
export async function addOtherProfile({ folder }: Home): Promise<string[]> {
  const requests: string[] = [];
  const server = createServer(({ method, url }, response) => {
    requests.push(`${method} ${url}`);
    response.writeHead(500).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const other = { baseUrl: `http://127.0.0.1:${port}`, key: 'f'.repeat(32), keySource: 'file' };
  const config = path.join(folder, '.config', 'svc');
  mkdirSync(config, { recursive: true });
  const file = path.join(config, 'config.json');
  const { profiles } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const changed = { current: 'other', profiles: { ...profiles, other }, settings: {} };
  writeFileSync(file, JSON.stringify(changed));
  return requests;
}
