// Every example of the help and every shell block of the README, as they stand, on the built program in bash.
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Command, type Group, isGroup } from '../../src/cli/command.ts';
import { exampleLine } from '../../src/cli/help/help.ts';
import { commandTree } from '../../src/commands/index.ts';
import { type Home, openHome } from '../support/built.ts';
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

/** Files that examples name. */
function prepare({ folder, env }: Home) {
  const people = [
    'subscriberId,email,data.plan',
    'u1,ada@example.com,pro',
    'u4,dmitri@example.com,free',
  ];
  writeFileSync(path.join(folder, 'users.csv'), `${people.join('\n')}\n`);
  writeFileSync(
    path.join(folder, 'state.yaml'),
    'version: 1\nenvironments:\n  - name: Development\n',
  );
  writeFileSync(path.join(folder, 'users.ndjson'), '{"subscriberId":"a3"}\n');
  for (const secret of ['token.txt', 'key.txt'])
    writeFileSync(path.join(folder, secret), 's3cret\n');
  mkdirSync(path.join(folder, '.config', 'fish', 'completions'), { recursive: true });
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'svc'), `#!/bin/sh\nexec "${process.execPath}" "$SVC" "$@"\n`);
  chmodSync(path.join(bin, 'svc'), 0o755);
  Object.assign(env, {
    SLACK_URL: 'https://hooks.example.com/T000',
    PATH: `${bin}:${env.PATH}`,
  });
}

/** A home with a sandbox as the current profile and a second profile for it. */
async function prepared() {
  const home = openHome();
  prepare(home);
  const { baseUrl, key } = await home.sandbox();
  writeFileSync(path.join(home.folder, 'key.txt'), `${key}\n`);
  const line = ['login', '--base-url', baseUrl, '--profile', 'staging', '--with-key'];
  await home.svc(line, { stdin: key });
  return { home, baseUrl, key };
}

const needsOwnHome = new Set(['sandbox', 'demo', 'login', 'logout', 'profiles', 'config']);

describe.each(nouns)('svc %s', (noun, examples) => {
  if (needsOwnHome.has(noun)) {
    it.each(examples)('%s', async (line) => runs(line, await prepared()));
  } else {
    it('has examples that work', async () => {
      const ready = await prepared();
      if (noun === 'runs') {
        for (let run = 1; run <= 3; run += 1) {
          await ready.home.svc(['subscribers', 'bulk-import', 'users.csv']);
        }
      }
      for (const line of examples) await runs(line, ready);
    });
  }
});

type Ready = Awaited<ReturnType<typeof prepared>>;

async function runs(line: string, { home, baseUrl, key }: Ready) {
  // The only address that is made up; here the sandbox stands for it.
  const real = line
    .replace('https://notifications.example.com', baseUrl)
    .replace(/svc sandbox start(?!.*--port)/, '$& --port 0');
  if (line === 'svc login --base-url https://notifications.example.com') {
    const args = [String(home.env.SVC), ...real.split(' ').slice(1)];
    const terminal = onTerminal(process.execPath, args, { env: home.env, cwd: home.folder });
    await terminal.shows('API key:');
    terminal.types(`${key}\r`);
    await terminal.shows('Name of the profile:');
    terminal.types('work\r');
    expect((await terminal.ended()).code).toBe(0);
  } else if (line.startsWith('svc sandbox start') && !line.includes('--detach')) {
    const started = home.start(real.split(' ').slice(1).concat('--profile-name', 'other'));
    await started.says('baseUrl');
    started.process.kill('SIGINT');
    expect((await started.ended).code).toBe(130);
  } else {
    const named = line.startsWith('svc sandbox start') ? `${real} --profile-name other` : real;
    const { code, stderr } = await home.shell(named);
    if (named !== real || real.includes('sandbox start'))
      await home.svc(['sandbox', 'stop', '-p', 'other']);
    expect({ line, code, stderr: code === 0 ? '' : stderr }).toEqual({ line, code: 0, stderr: '' });
  }
}

/** The profile of a real service as the current one; gives the requests that it gets. */
async function withProduction({ folder }: Home): Promise<string[]> {
  const requests: string[] = [];
  const server = createServer(({ method, url }, answer) => {
    requests.push(`${method} ${url}`);
    answer.writeHead(500).end();
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

  it('makes the file that it imports, and renders no empty template', async () => {
    expect(blocks.find((block) => block.includes('users.csv'))).toContain('> users.csv');
    const home = openHome();
    prepare(home);
    const [digest = ''] = blocks.filter((block) => block.includes('comment-digest'));
    const { stdout } = await home.shell(
      digest.replace('--in-memory', '$& --port 0').replace('svc inbox list u1', '$& -o csv'),
    );
    expect(stdout).toContain('On Hello: Ada, Efua');
  });

  it('has a CI job that can run twice at the same time', async () => {
    const home = openHome();
    const [job = ''] = blocks.filter((block) => block.includes('--no-profile'));
    const ended = await Promise.all([home.shell(job), home.shell(job)]);
    expect(ended).toMatchObject([{ code: 0 }, { code: 0 }]);
  });

  it.each(blocks)('%s', async (block) => {
    const home = openHome();
    prepare(home);
    const requests = await withProduction(home);
    // A block that makes the file needs none.
    if (block.includes('> users.csv')) rmSync(path.join(home.folder, 'users.csv'));
    const script = `set -e\n${block.replace(/svc sandbox start(?!.*--port)/g, '$& --port 0')}`;
    const { code, stderr } = await home.shell(script);
    await home.svc(['sandbox', 'stop', '-p', 'sandbox']);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(requests).toEqual([]);
  });
});
