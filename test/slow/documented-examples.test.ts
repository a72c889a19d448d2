// Runs every example of the help and every shell block of the README with the built program in bash.
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Command, type Group, isGroup } from '../../src/cli/command.ts';
import { exampleLine } from '../../src/cli/help/help.ts';
import { commandTree } from '../../src/commands/index.ts';
import { type Home, openHome, putOnPath } from '../support/built.ts';
import { testKey } from '../support/fixed.ts';
import { startSandbox } from '../support/served-sandbox.ts';
import { onTerminal } from '../support/terminal.ts';

const examplesOf = (node: Group | Command): string[] =>
  isGroup(node)
    ? Object.values(node.commands).flatMap(examplesOf)
    : node.examples.map(({ line }) => exampleLine(node, line));

const nouns = await Promise.all(
  Object.entries(commandTree).map(
    async ([noun, lazy]) => [noun, examplesOf(await lazy.load())] as const,
  ),
);

/** Creates the files that examples use, and puts `svc` on the path. */
function prepare({ folder, env }: Home) {
  const rows = [
    'subscriberId,email,data.plan',
    'u1,ada@example.com,pro',
    'u4,dmitri@example.com,free',
  ];
  writeFileSync(path.join(folder, 'users.csv'), `${rows.join('\n')}\n`);
  writeFileSync(
    path.join(folder, 'state.yaml'),
    'version: 1\nenvironments:\n  - name: Development\n',
  );
  writeFileSync(
    path.join(folder, 'preferences.csv'),
    'subscriberId,workflow,email\nu1,welcome,off\n',
  );
  writeFileSync(
    path.join(folder, 'tokens.csv'),
    'subscriberId,provider,deviceTokens\nu1,fcm,token-1\n',
  );
  writeFileSync(path.join(folder, 'former.csv'), 'subscriberId\nu4\n');
  writeFileSync(path.join(folder, 'package.json'), '{"scripts":{"test":"svc topics list"}}');
  writeFileSync(path.join(folder, 'users.ndjson'), '{"subscriberId":"a3"}\n');
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
}

/**
 * Adds the profiles that examples of workflows name, and the folder with the files of its workflows. `production` is
 * another sandbox with the same workflows.
 */
async function prepareWorkflows({ home, baseUrl, key }: Prepared) {
  const other = await startSandbox();
  for (const [profile, address, keyOfProfile] of [
    ['development', baseUrl, key],
    ['production', other, testKey],
  ]) {
    const line = ['login', '--base-url', String(address), '--profile', String(profile)];
    await home.svc([...line, '--with-key'], { stdin: String(keyOfProfile) });
  }
  await home.svc(['workflows', 'pull', '-p', 'development']);
  await home.svc(['workflows', 'push', '-p', 'production', '--yes']);
  await home.svc(['profiles', 'use', 'sandbox']);
}

/** Examples that skip workflows which are defined in code exit with 3, and those that find differences with 10. */
function expectedCode(line: string): number {
  if (/workflows (pull(?! welcome)|promote --all)/.test(line)) return 3;
  return line.startsWith('svc diff development production') ? 10 : 0;
}

/** Opens a home whose current profile is a sandbox. A second profile, `staging`, refers to the same sandbox. */
async function openPrepared() {
  const home = openHome();
  prepare(home);
  const { baseUrl, key } = await home.sandbox();
  writeFileSync(path.join(home.folder, 'key.txt'), `${key}\n`);
  const line = ['login', '--base-url', baseUrl, '--profile', 'staging', '--with-key'];
  await home.svc(line, { stdin: key });
  return { home, baseUrl, key };
}

/** Commands whose examples change profiles or sandboxes, so that each example needs a new home. */
const needsNewHome = new Set(['sandbox', 'demo', 'login', 'logout', 'profiles', 'config']);

describe.each(nouns)('svc %s', (noun, examples) => {
  if (needsNewHome.has(noun)) {
    it.each(examples)('%s', async (line) => {
      const prepared = await openPrepared();
      if (line.includes('--from production')) await prepareWorkflows(prepared);
      await expectSuccess(line, prepared);
    });
  } else {
    it('has examples that work', async () => {
      const prepared = await openPrepared();
      if (noun === 'runs') {
        for (let run = 1; run <= 3; run += 1) {
          await prepared.home.svc(['subscribers', 'bulk-import', 'users.csv']);
        }
      }
      if (['workflows', 'diff'].includes(noun)) await prepareWorkflows(prepared);
      for (const line of examples) await expectSuccess(line, prepared);
    });
  }
});

type Prepared = Awaited<ReturnType<typeof openPrepared>>;

async function expectSuccess(line: string, { home, baseUrl, key }: Prepared) {
  // Examples use this fictitious address of a service; the test uses that of the sandbox.
  const adapted = line
    .replace('https://notifications.example.com', baseUrl)
    .replace(/svc sandbox start(?!.*--port)/, '$& --port 0');
  if (line === 'svc login --base-url https://notifications.example.com') {
    const args = [String(home.env.SVC), ...adapted.split(' ').slice(1)];
    const terminal = onTerminal(process.execPath, args, { env: home.env, cwd: home.folder });
    await terminal.shows('API key:');
    terminal.types(`${key}\r`);
    await terminal.shows('Name of the profile:');
    terminal.types('work\r');
    expect((await terminal.ended()).code).toBe(0);
  } else if (line.startsWith('svc sandbox start') && !line.includes('--detach')) {
    const started = home.start(adapted.split(' ').slice(1).concat('--profile-name', 'other'));
    await started.says('baseUrl');
    started.process.kill('SIGINT');
    expect((await started.ended).code).toBe(130);
  } else {
    const command = line.startsWith('svc sandbox start')
      ? `${adapted} --profile-name other`
      : adapted;
    const { code, stderr } = await home.shell(command);
    if (command !== adapted || adapted.includes('sandbox start'))
      await home.svc(['sandbox', 'stop', '-p', 'other']);
    const expected = expectedCode(line);
    const details = code === expected ? '' : stderr;
    expect({ line, code, stderr: details }).toEqual({ line, code: expected, stderr: '' });
  }
}

/** Adds a current profile for another service. Returns the requests that reach that service: there must be none. */
async function addProductionProfile({ folder }: Home): Promise<string[]> {
  const requests: string[] = [];
  const server = createServer(({ method, url }, response) => {
    requests.push(`${method} ${url}`);
    response.writeHead(500).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const production = {
    baseUrl: `http://127.0.0.1:${port}`,
    key: 'f'.repeat(32),
    keySource: 'file',
  };
  const config = path.join(folder, '.config', 'svc');
  mkdirSync(config, { recursive: true });
  writeFileSync(
    path.join(config, 'config.json'),
    JSON.stringify({ current: 'production', profiles: { production }, settings: {} }),
  );
  return requests;
}

describe('the README', () => {
  const blocks = [...readFileSync('README.md', 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)]
    .map(([, block = '']) => block)
    .filter((block) => !block.startsWith('npm ci'));

  it('has a CI job of which two instances can run at the same time', async () => {
    const home = openHome();
    const [job = ''] = blocks.filter((block) => block.includes('--no-profile'));
    const results = await Promise.all([home.shell(job), home.shell(job)]);
    expect(results).toMatchObject([{ code: 0 }, { code: 0 }]);
  });

  it.each(blocks)('%s', async (block) => {
    const home = openHome();
    prepare(home);
    const requests = await addProductionProfile(home);
    // A block that creates the file must work without it.
    if (block.includes('> users.csv')) rmSync(path.join(home.folder, 'users.csv'));
    const script = `set -e\n${block.replace(/svc sandbox start(?!.*--port)/g, '$& --port 0')}`;
    const { code, stderr } = await home.shell(script);
    await home.svc(['sandbox', 'stop', '-p', 'sandbox']);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(requests).toEqual([]);
  });
});
