// Several sandboxes on one machine: each has its own profile, port and data.
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { currentProcess } from '../../src/platform/process-identity.ts';
import { type Home, openHome } from '../support/built.ts';
import { words } from '../support/words.ts';

interface Started {
  baseUrl: string;
  key: string;
  profile: string | null;
  pid: number;
}

const start = ['sandbox', 'start', '--detach', '--port', '0'];

/** Starts a sandbox in the background and kills it when the test finishes. */
async function startSandbox(home: Home, options: readonly string[] = []): Promise<Started> {
  const { stdout, stderr, code } = await home.svc([...start, '--json', ...options]);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const sandbox: Started = JSON.parse(stdout);
  onTestFinished(() => kill(sandbox.pid));
  return sandbox;
}

function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already exited.
  }
}

const readStatus = async (home: Home, profile: string) =>
  JSON.parse((await home.svc(['sandbox', 'status', '-p', profile, '--json'])).stdout);

const getTopicName = (home: Home, profile: string) =>
  home.svc(['topics', 'get', 'announcements', '--jq', '.name', '-p', profile]);

describe('a second sandbox', () => {
  it('gets its own profile and data, and each is stopped by the name of its profile', async () => {
    const home = openHome();
    const first = await startSandbox(home);
    const second = await startSandbox(home);
    expect([first.profile, second.profile]).toEqual(['sandbox', 'sandbox-2']);
    await home.svc(['topics', 'rename', 'announcements', 'Second', '-p', 'sandbox-2']);
    expect((await getTopicName(home, 'sandbox-2')).stdout).toBe('Second\n');
    expect((await getTopicName(home, 'sandbox')).stdout).not.toBe('Second\n');
    const stop = await home.svc(['sandbox', 'stop', '-p', 'sandbox-2', '--json']);
    expect(JSON.parse(stop.stdout)).toMatchObject({ stopped: true, profile: 'sandbox-2' });
    expect(await readStatus(home, 'sandbox-2')).toMatchObject({ running: false });
    expect(await readStatus(home, 'sandbox')).toMatchObject({ running: true, pid: first.pid });
    const restarted = await startSandbox(home);
    expect(restarted.profile).toBe('sandbox-2');
    expect((await getTopicName(home, 'sandbox-2')).stdout).toBe('Second\n');
  });

  it('that starts at the same time gets another profile, and all of them work and can be stopped', async () => {
    const home = openHome();
    const all = await Promise.all([1, 2, 3].map(() => startSandbox(home)));
    expect(all.map(({ profile }) => profile).sort()).toEqual(['sandbox', 'sandbox-2', 'sandbox-3']);
    expect(new Set(all.map(({ baseUrl }) => baseUrl)).size).toBe(3);
    for (const { profile, pid } of all) {
      const name = String(profile);
      expect((await getTopicName(home, name)).code).toBe(0);
      const stop = await home.svc(['sandbox', 'stop', '-p', name, '--jq', '.stopped']);
      expect(stop.stdout).toBe('true\n');
      expect(currentProcess.isAlive(pid)).toBe(false);
    }
  });

  it('is one of eight jobs at once, and none takes the profile, port or data of another', async () => {
    const home = openHome();
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        startSandbox(home, index % 2 === 0 ? [] : ['--no-profile']),
      ),
    );
    expect(all.flatMap(({ profile }) => profile ?? []).sort()).toEqual(
      words`sandbox sandbox-2 sandbox-3 sandbox-4`,
    );
    expect(new Set(all.map(({ baseUrl }) => baseUrl)).size).toBe(8);
    expect(new Set(all.map(({ key }) => key)).size).toBe(8);
    const variablesFor = ({ baseUrl, key }: Started) => ({
      SVC_BASE_URL: baseUrl,
      SVC_API_KEY: key,
    });
    await Promise.all(
      all.map((sandbox) =>
        home.svc(['topics', 'rename', 'announcements', sandbox.baseUrl], {
          env: variablesFor(sandbox),
        }),
      ),
    );
    const names = await Promise.all(
      all.map(async (sandbox) => {
        const get = ['topics', 'get', 'announcements', '--jq', '.name'];
        return (await home.svc(get, { env: variablesFor(sandbox) })).stdout.trim();
      }),
    );
    expect(names).toEqual(all.map(({ baseUrl }) => baseUrl));
  }, 60_000);

  it('reuses the profile and the data of a sandbox that was stopped or killed', async () => {
    const home = openHome();
    for (const end of ['stop', 'kill', 'stop']) {
      const { profile, pid } = await startSandbox(home);
      expect(profile).toBe('sandbox');
      if (end === 'kill') process.kill(pid, 'SIGKILL');
      else expect((await home.svc(['sandbox', 'stop'])).code).toBe(0);
    }
    expect((await startSandbox(home)).profile).toBe('sandbox');
  });

  it('cannot use the profile or the data folder of a running sandbox', async () => {
    const home = openHome();
    const data = path.join(home.folder, 'data');
    const { baseUrl } = await startSandbox(home, ['--data', data, '--profile-name', 'mine']);
    const named = await home.svc([...start, '--profile-name', 'mine']);
    expect(named).toMatchObject({
      code: 8,
      stderr: expect.stringContaining(
        `The sandbox of profile mine is already running at ${baseUrl}.`,
      ),
    });
    expect(named.stderr).toContain(
      '  svc sandbox start --detach --profile-name mine --reuse\n  svc sandbox stop --profile mine\n  svc sandbox start --detach --port 0 --profile-name mine-2\n',
    );
    const again = await home.svc([...start, '--profile-name', 'mine', '--data', data]);
    const [, command = ''] = /^ {2}(svc sandbox start .*mine-2)$/m.exec(again.stderr) ?? [];
    const second: Started = JSON.parse((await home.shell(`${command} --json`)).stdout);
    onTestFinished(() => kill(second.pid));
    expect(second.profile).toBe('mine-2');
    const chosen = await home.svc([...start, '-p', 'mine']);
    expect(chosen.code).toBe(8);
    const folder = await home.svc([...start, '--data', data]);
    expect(folder).toMatchObject({ code: 8, stderr: expect.stringContaining(`using ${data}`) });
  });

  it('fails on a port in use and names the sandbox or program that uses it', async () => {
    const home = openHome();
    const { baseUrl } = await startSandbox(home);
    const { port } = new URL(baseUrl);
    const { code, stderr } = await home.svc(['sandbox', 'start', '--port', port]);
    expect(code).toBe(8);
    expect(stderr).toBe(
      `Error: Port ${port} is in use by the sandbox of profile sandbox (${baseUrl}).\n` +
        'Use that sandbox with --reuse, or start another sandbox on a free port with --port 0.\n' +
        '  svc sandbox start --reuse\n  svc sandbox start --port 0\n',
    );
    expect(existsSync(path.join(home.folder, '.local/state/svc/sandbox/sandbox-2'))).toBe(false);
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const otherPort = String((other.address() as { port: number }).port);
    const result = await home.svc(['sandbox', 'start', '--port', otherPort]);
    expect(result).toMatchObject({
      code: 8,
      stderr: expect.stringContaining(
        `Port ${otherPort} on 127.0.0.1 is in use by another program.`,
      ),
    });
    expect(result.stderr).toContain('--port 0');
    const isolated = await startSandbox(home, ['--no-profile', '--in-memory']);
    const isolatedPort = new URL(isolated.baseUrl).port;
    const third = await home.svc(['sandbox', 'start', '--port', isolatedPort]);
    expect(third).toMatchObject({
      code: 8,
      stderr: expect.stringContaining(
        `Port ${isolatedPort} on 127.0.0.1 is in use by a sandbox without a profile here.`,
      ),
    });
  });
});

describe('the commands that a failed start suggests', () => {
  it('keep its options, and work as they are', async () => {
    const home = openHome();
    const { baseUrl } = await startSandbox(home, ['--in-memory']);
    const { port } = new URL(baseUrl);
    const line = ['sandbox', 'start', '--detach', '--in-memory', '--seed', 'my seed', '--port'];
    mkdirSync(path.join(home.folder, 'my seed'));
    const file = '# svc workflow, format 1\nworkflowId: hello\n';
    writeFileSync(path.join(home.folder, 'my seed', 'hello.yaml'), file);
    const { code, stderr } = await home.svc([...line, port]);
    expect(code).toBe(8);
    expect(stderr).toBe(
      `Error: Port ${port} is in use by the sandbox of profile sandbox (${baseUrl}), with a seed other than my seed.\n` +
        'Start another sandbox on a free port with --port 0.\n' +
        "  svc sandbox start --detach --port 0 --in-memory --seed 'my seed'\n",
    );
    const [, command = ''] = /^ {2}(svc .+)$/m.exec(stderr) ?? [];
    const started = await home.shell(`${command} --json`);
    const other: Started = JSON.parse(started.stdout);
    onTestFinished(() => kill(other.pid));
    expect(other.profile).toBe('sandbox-2');
  });

  it('do not reuse a sandbox with another mode', async () => {
    const home = openHome();
    const { baseUrl } = await startSandbox(home, ['--in-memory']);
    const { port } = new URL(baseUrl);
    const options = ['--in-memory', '--compat', 'specification', '--port', port];
    const busy = await home.svc(['sandbox', 'start', '--detach', ...options]);
    expect(busy.code).toBe(8);
    expect(busy.stderr).toContain(', with a mode other than --compat specification.\n');
    expect(busy.stderr).not.toContain('--reuse');
    const reused = await home.svc(['sandbox', 'start', '--detach', '--reuse', ...options]);
    expect(reused.code).toBe(2);
    expect(reused.stderr).toContain(
      '  svc sandbox stop --profile sandbox\n  svc sandbox start --detach --port 0 --in-memory --compat specification\n',
    );
    const same = ['--in-memory', '--compat', 'novu', '--port', port];
    const suggested = await home.svc(['sandbox', 'start', '--detach', ...same]);
    const [, command = ''] = /^ {2}(svc .+ --reuse)$/m.exec(suggested.stderr) ?? [];
    expect((await home.shell(`${command} --jq .baseUrl`)).stdout).toBe(`${baseUrl}\n`);
  });
});

describe('--reuse', () => {
  it('starts only one sandbox, also if several commands run at the same time', async () => {
    const home = openHome();
    const [first, ...others] = await Promise.all(
      [1, 2, 3].map(() => startSandbox(home, ['--reuse'])),
    );
    for (const other of [...others, await startSandbox(home, ['--reuse'])])
      expect(other).toEqual(first);
    const foreground = await home.svc(['sandbox', 'start', '--reuse', '-o', 'table']);
    expect(foreground).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`The sandbox is already running at ${first?.baseUrl}.\n`),
    });
  });

  it('fails if --seed or --data differs from that of the running sandbox', async () => {
    const home = openHome();
    const seed = 'version: 1\nenvironments:\n  - name: Development\n';
    for (const name of ['a', 'same']) writeFileSync(path.join(home.folder, `${name}.yaml`), seed);
    const topic = '    topics:\n      - key: only\n';
    writeFileSync(path.join(home.folder, 'b.yaml'), `${seed}${topic}`);
    const first = await startSandbox(home, ['--seed', 'a.yaml']);
    expect(await startSandbox(home, ['--reuse', '--seed', 'same.yaml'])).toEqual(first);
    for (const more of [
      ['--seed', 'b.yaml'],
      ['--data', 'elsewhere'],
    ]) {
      const { code, stderr } = await home.svc([...start, '--reuse', ...more]);
      expect(code).toBe(2);
      expect(stderr).toContain('The sandbox of profile sandbox is already running at');
      expect(stderr).toContain('  svc sandbox stop --profile sandbox\n');
    }
  });
});

describe('--no-profile', () => {
  it('creates no profile and deletes the data when the sandbox stops', async () => {
    const home = openHome();
    const temporary = path.join(home.folder, 'tmp');
    mkdirSync(temporary);
    home.env.TMPDIR = temporary;
    const { baseUrl, key, profile } = await startSandbox(home, ['--no-profile']);
    expect(profile).toBeNull();
    expect((await home.svc(['profiles', 'list', '--json'])).stdout.trim()).toBe('[]');
    expect(readdirSync(temporary)).toHaveLength(1);
    const env = { SVC_BASE_URL: baseUrl, SVC_API_KEY: key };
    expect((await home.svc(['topics', 'list'], { env })).code).toBe(0);
    expect((await home.svc(['sandbox', 'stop'])).code).toBe(5);
    const stop = await home.svc(['sandbox', 'stop', '--json'], { env });
    expect(JSON.parse(stop.stdout)).toEqual({ stopped: true, profile: null, baseUrl });
    expect(readdirSync(temporary)).toEqual([]);
    expect(existsSync(path.join(home.folder, '.local/state/svc/sandbox'))).toBe(false);
  });

  it('prints the variables that select it', async () => {
    const home = openHome();
    const { stdout } = await home.svc([...start, '--no-profile', '--in-memory', '-o', 'table']);
    const [, line = ''] = /^Use it +(export SVC_BASE_URL=\S+ SVC_API_KEY=\S+)$/m.exec(stdout) ?? [];
    const other = { SVC_STATE_DIR: path.join(home.folder, 'other') };
    const refused = await home.shell(`${line} && svc sandbox stop`, { ...home.env, ...other });
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('delete its data, which is in memory'),
    });
    const { code } = await home.shell(`${line} && svc topics list && svc sandbox stop`);
    expect(code).toBe(0);
    expect(readdirSync(path.join(home.folder, '.local/state/svc/sandboxes'))).toEqual([]);
  });

  it('keeps the folder of --data, and cannot be combined with options for profiles', async () => {
    const home = openHome();
    const data = path.join(home.folder, 'data');
    const { baseUrl, key } = await startSandbox(home, ['--no-profile', '--data', data]);
    const env = { SVC_BASE_URL: baseUrl, SVC_API_KEY: key };
    expect((await home.svc(['sandbox', 'stop'], { env })).code).toBe(0);
    expect(readdirSync(data)).toContain('sandbox.db');
    for (const more of [['--reuse'], ['--profile-name', 'x'], ['-p', 'x']]) {
      const { code, stderr } = await home.svc([...start, '--no-profile', ...more]);
      expect(code).toBe(2);
      expect(stderr).toContain('--no-profile');
    }
  });
});

it('a sandbox prints the line that selects it in a shell, in the foreground and in the background', async () => {
  const home = openHome();
  const line = ['sandbox', 'start', '--in-memory', '--port', '0', '-o', 'table'];
  const background = await home.svc([...line, '--detach']);
  expect(background.stdout).toMatch(/^Use it {3}export SVC_PROFILE=sandbox$/m);
  const link =
    /^Page {5}(http:\S+)\n {9}works once, within a minute; then: svc sandbox open -p sandbox$/m;
  const [, url = ''] = link.exec(background.stdout) ?? [];
  expect((await fetch(url)).status).toBe(200);
  expect((await fetch(url)).status).toBe(403);
  expect(background.stdout).toMatch(/^Stop it {2}svc sandbox stop -p sandbox$/m);
  const foreground = home.start(line);
  expect(await foreground.says('Ctrl-C')).toMatch(/^Use it {3}export SVC_PROFILE=sandbox-2$/m);
  const reused = await home.svc(['sandbox', 'start', '--reuse', '-p', 'sandbox']);
  expect(reused.stdout).toMatch(/^page\tsvc sandbox open -p sandbox$/m);
  const field = await home.svc(['sandbox', 'start', '--reuse', '-p', 'sandbox', '--fields', 'pid']);
  expect(field.stdout).toMatch(/^pid\t\d+\n$/);
  foreground.process.kill('SIGINT');
  expect((await foreground.ended).code).toBe(130);
  await home.svc(['sandbox', 'stop']);
});

it('a sandbox with --log prints each request and message on standard error', async () => {
  const home = openHome();
  const { baseUrl, key, ...log } = await home.sandbox(['--in-memory', '--log']);
  const env = { SVC_BASE_URL: baseUrl, SVC_API_KEY: key };
  await home.svc(['events', 'trigger', 'welcome', '--to', 'u1', '-f', 'product=Svc'], { env });
  await home.svc(['sandbox', 'stop'], { env });
  const { stderr } = await log.ended;
  expect(stderr.replace(/^\d\d:\d\d:\d\d|\d+ ms$/gm, '')).toBe(
    [
      '  GET /v2/subscribers/u1/preferences  200  ',
      '  POST /v1/events/trigger/bulk  201  ',
      '  in_app to u1  Welcome, Ada!',
      '  email to u1 <ada@example.com>  Welcome to Svc',
      '',
    ].join('\n'),
  );
  const detached = await home.svc([...start, '--log']);
  expect(detached).toMatchObject({ code: 2, stderr: expect.stringContaining('--log') });
});

it('an error in a seed file is reported with its line and column, in the background too', async () => {
  const home = openHome();
  const seed = 'version: 1\nenvironments:\n  - name: Development\n    topics:\n      - keey: x\n';
  writeFileSync(path.join(home.folder, 'bad.yaml'), seed);
  const line = ['sandbox', 'start', '--in-memory', '--port', '0', '--seed', 'bad.yaml'];
  const foreground = await home.svc(line);
  expect(foreground.code).toBe(2);
  expect(foreground.stderr).toContain('bad.yaml:5:9: environments[0].topics[0].keey');
  expect(await home.svc([...line, '--detach'])).toEqual(foreground);
});
