// `svc sandbox exec` as a process: streams, exit codes, signals and what remains.
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Home, openHome, putOnPath } from '../support/built.ts';
import { printedError } from '../support/printed-error.ts';
import { onTerminal } from '../support/terminal.ts';

const key = '0123456789abcdef0123456789abcdef';

/** A home whose temporary files are in a folder of its own. */
function openPrivateHome(): Home & { leftovers(): string[] } {
  const home = openHome();
  putOnPath(home);
  home.env.TMPDIR = home.folder;
  return {
    ...home,
    leftovers: () => readdirSync(home.folder).filter((name) => name.startsWith('svc-')),
  };
}

const exec = (...line: string[]) => ['sandbox', 'exec', ...line];
const shell = (script: string) => exec('--', 'sh', '-c', script);

describe('the command', () => {
  it('gets address and key, and no other settings of svc', async () => {
    const home = openPrivateHome();
    const { code, stdout, stderr } = await home.svc(exec('--', 'env'), {
      env: {
        ...{ SVC_PROFILE: 'work', SVC_OUTPUT: 'json', SVC_SANDBOX_KEY: key },
        ...{ NO_PROXY: 'example.com, localhost', no_proxy: 'example.org' },
      },
    });
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.split('\n').filter((line) => /^(SVC_|NOVU_|NO_PROXY|no_proxy)/.test(line));
    const {
      SVC_BASE_URL: url,
      SVC_CONFIG_DIR,
      ...variables
    } = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)));
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(path.dirname(SVC_CONFIG_DIR)).toBe(home.folder);
    expect(variables).toEqual({
      ...{ SVC_API_KEY: key, SVC_SANDBOX_KEY: key, NOVU_SECRET_KEY: key },
      SVC_SANDBOX_SERVICE: '3.11',
      ...{ NOVU_API_URL: url, NOVU_SOCKET_URL: url, NOVU_APPLICATION_IDENTIFIER: 'sandbox-dev' },
      ...{
        NO_PROXY: 'example.com,localhost,127.0.0.1',
        no_proxy: 'example.org,127.0.0.1,localhost',
      },
    });
    expect(home.leftovers()).toEqual([]);
  });

  it('gets what an inbox in a browser needs, for the origins that are allowed', async () => {
    const home = openPrivateHome();
    const client = createRequire(import.meta.url).resolve('socket.io-client');
    const script = path.join(home.folder, 'inbox.cjs');
    writeFileSync(
      script,
      `const { io } = require(${JSON.stringify(client)});
const { NOVU_API_URL, NOVU_SOCKET_URL, NOVU_APPLICATION_IDENTIFIER } = process.env;
const headers = { 'content-type': 'application/json', origin: process.argv[2] };
const body = JSON.stringify({ applicationIdentifier: NOVU_APPLICATION_IDENTIFIER, subscriberId: 'u1' });
fetch(NOVU_API_URL + '/v1/inbox/session', { method: 'POST', headers, body })
  .then((response) => response.json())
  .then(({ data, message }) => {
    if (!data) return console.log(message);
    const query = { token: data.token };
    const socket = io(NOVU_SOCKET_URL, { transports: ['websocket'], query, extraHeaders: headers });
    socket.on('connect', () => console.log('connected') ?? socket.disconnect());
  });
`,
    );
    const open = (origin: string) =>
      home.svc(
        exec('--allow-origin', 'https://app.example.com', '--', process.execPath, script, origin),
      );
    const outputs = await Promise.all(
      ['http://localhost:3000', 'https://app.example.com', 'https://evil.example'].map(
        async (origin) => (await open(origin)).stdout,
      ),
    );
    expect(outputs).toEqual([
      'connected\n',
      'connected\n',
      'Requests from other origins are not allowed\n',
    ]);
  });

  it('shares the standard streams, also for megabytes', async () => {
    const home = openPrivateHome();
    const echoed = await home.svc(exec('--', 'cat'), { stdin: 'a line\n' });
    expect(echoed).toEqual({ code: 0, stdout: 'a line\n', stderr: '' });
    const { stdout } = await home.shell('svc sandbox exec -- head -c 5000000 /dev/zero | wc -c');
    expect(stdout.trim()).toBe('5000000');
  });

  it('gets its arguments as they are, also those that look like options of svc', async () => {
    const home = openPrivateHome();
    const { stdout } = await home.svc(exec('--', 'echo', '--json', '--', '-p', ' x ', '--help'));
    expect(stdout).toBe('--json -- -p  x  --help\n');
  });

  it('can run svc, another sandbox, and stop the sandbox', async () => {
    const home = openPrivateHome();
    const urls = 'echo $SVC_BASE_URL; svc sandbox exec -- sh -c "echo \\$SVC_BASE_URL; exit 7"';
    const nested = await home.svc(shell(urls));
    expect(nested).toMatchObject({ code: 7, stderr: '' });
    expect(new Set(nested.stdout.trim().split('\n')).size).toBe(2);
    const stopped = await home.svc(shell('svc sandbox stop --jq .stopped; exit 4'));
    expect(stopped).toEqual({ code: 4, stdout: 'true\n', stderr: '' });
    expect(home.leftovers()).toEqual([]);
  });
});

describe('the exit code', () => {
  it.each([
    ['exit 0', 0],
    ['exit 3', 3],
    ['exit 255', 255],
    ['kill -TERM $$', 143],
    ['kill -KILL $$', 137],
  ])('of `%s` is %i', async (script, code) => {
    const home = openPrivateHome();
    expect(await home.svc(shell(script))).toEqual({ code, stdout: '', stderr: '' });
    expect(home.leftovers()).toEqual([]);
  });

  it('is 127 for a command that does not exist, and 126 for one that cannot be executed', async () => {
    const home = openPrivateHome();
    expect(await home.svc(exec('--', 'no-such-command', '--json'))).toEqual({
      code: 127,
      stdout: '',
      stderr:
        'Error: The command `no-such-command` does not exist.\nCheck its spelling, and that PATH contains its folder.\n',
    });
    writeFileSync(path.join(home.folder, 'plain'), '');
    const { code, stderr } = await home.svc(exec('--json', '--', './plain'));
    expect(code).toBe(126);
    expect(printedError(stderr)).toMatchObject({
      name: 'notExecutable',
      message: '`./plain` cannot be executed.',
    });
    expect(home.leftovers()).toEqual([]);
  });

  it('is 2 without a command or with a wrong key, and 8 if the sandbox cannot start', async () => {
    const home = openPrivateHome();
    for (const line of [exec(), exec('--'), exec('--nothing', '--', 'true')])
      expect(await home.svc(line)).toMatchObject({ code: 2, stdout: '' });
    const file = path.join(home.folder, 'key');
    writeFileSync(file, `${key}\n`, { mode: 0o644 });
    const withFile = exec('--key-file', 'key', '--', 'sh', '-c', 'echo $SVC_API_KEY');
    expect(await home.svc(withFile)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Run `chmod 600 key`.'),
    });
    chmodSync(file, 0o600);
    expect(await home.svc(withFile)).toMatchObject({ code: 0, stdout: `${key}\n` });
    const { baseUrl } = await home.sandbox();
    const busy = await home.svc(exec('--port', new URL(baseUrl).port, '--', 'true'));
    expect(busy).toMatchObject({ code: 8, stderr: expect.stringContaining('is in use') });
    expect(home.leftovers()).toEqual([]);
  });
});

/** A command that writes down each signal, uses the sandbox after the first one, and exits with 42. */
const recorder = `
const { appendFileSync } = require('node:fs');
const log = (text) => appendFileSync('log', text + '\\n');
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'])
  process.on(name, () => {
    log(name);
    if (name === 'SIGUSR2') return;
    const headers = { authorization: 'ApiKey ' + process.env.SVC_API_KEY };
    setTimeout(async () => {
      log((await fetch(process.env.SVC_BASE_URL + '/v2/topics', { headers })).status);
      process.exit(42);
    }, 200);
  });
log('ready ' + process.pid);
setInterval(() => undefined, 1000);
`;

/** The complete lines of the log in `folder`: a file may exist before its first line does. */
function recordedIn(folder: string): string[] {
  const file = path.join(folder, 'log');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

/** Starts the recorder in a sandbox, in a group of processes of its own. */
async function startRecorder() {
  const home = openPrivateHome();
  const run = home.start(exec('--', process.execPath, '-e', recorder), {
    ...{ env: home.env, cwd: home.folder, detached: true },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = () => recordedIn(home.folder);
  while (log().length === 0) await wait(20);
  const [ready = ''] = log();
  const child = Number(ready.split(' ')[1]);
  onTestFinished(() => {
    try {
      process.kill(child, 'SIGKILL');
    } catch {
      // It has exited, as it should.
    }
  });
  return { ...home, ...run, pid: run.process.pid ?? 0, child, log: () => log().slice(1) };
}

describe('a signal', () => {
  it.each([
    ['SIGINT', 'the group'],
    ['SIGTERM', 'the group'],
    ['SIGINT', 'svc'],
    ['SIGTERM', 'svc'],
    ['SIGHUP', 'svc'],
  ] as const)(
    '%s to %s reaches the command once, which can still use the sandbox',
    async (signal, target) => {
      const { pid, ended, log, leftovers } = await startRecorder();
      process.kill(target === 'svc' ? pid : -pid, signal);
      expect(await ended).toEqual({ code: 42, stdout: '', stderr: '' });
      expect(log()).toEqual([signal, '200']);
      expect(leftovers()).toEqual([]);
    },
  );

  it('that ends nothing is forwarded, too', async () => {
    const { pid, ended, log } = await startRecorder();
    process.kill(pid, 'SIGUSR2');
    while (log().length === 0) await wait(20);
    process.kill(pid, 'SIGTERM');
    expect((await ended).code).toBe(42);
    expect(log()).toEqual(['SIGUSR2', 'SIGTERM', '200']);
  });

  it('SIGKILL to svc leaves the command and an empty folder', async () => {
    const { pid, process: svc, child, leftovers, folder } = await startRecorder();
    process.kill(pid, 'SIGKILL');
    // The command still has the standard streams, so only the process of svc has ended.
    await once(svc, 'exit');
    expect(() => process.kill(child, 0)).not.toThrow();
    expect(leftovers().flatMap((name) => readdirSync(path.join(folder, name)))).toEqual([]);
  });

  it('Ctrl-C on a terminal reaches the command once', async () => {
    const home = openPrivateHome();
    const line = [String(home.env.SVC), ...exec('--', process.execPath, '-e', recorder)];
    const terminal = onTerminal(process.execPath, line, { env: home.env, cwd: home.folder });
    while (recordedIn(home.folder).length === 0) await wait(20);
    terminal.types('\x03');
    expect((await terminal.ended()).code).toBe(42);
    expect(recordedIn(home.folder).slice(1)).toEqual(['SIGINT', '200']);
    expect(home.leftovers()).toEqual([]);
  });
});

it('a route that the sandbox does not have is named at the end, unless --quiet is given', async () => {
  const home = openPrivateHome();
  const request = 'svc api GET /v1/channel-endpoints 2>/dev/null; exit 3';
  expect(await home.svc(shell(request))).toEqual({
    code: 3,
    stdout: '',
    stderr:
      'Warning: The command requested routes that exist in the service, not in the sandbox: GET /v1/channel-endpoints (1).\n',
  });
  const quiet = await home.svc(exec('--quiet', '--', 'sh', '-c', request));
  expect(quiet).toEqual({ code: 3, stdout: '', stderr: '' });
});
