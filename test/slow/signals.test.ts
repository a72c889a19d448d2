// Signals during a run: after the first one, requests in flight finish; the second one stops immediately. In both cases
// the journal is correct and the run can be resumed.
import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { type Home, openHome } from '../support/built.ts';
import { runParallel } from '../support/parallel.ts';
import { json, openService, type Seen } from '../support/service.ts';
import { onTerminal } from '../support/terminal.ts';

interface PendingRequest {
  seen: Seen;
  response: ServerResponse;
  /** Responds that all subscribers were created. */
  create: () => void;
}

/** Opens a service that leaves each request pending until the test responds. */
async function openPendingService() {
  const arrived: PendingRequest[] = [];
  const waiting: (() => void)[] = [];
  const service = await openService((seen, response) => {
    const create = () => {
      const { subscribers } = JSON.parse(seen.body) as { subscribers: unknown[] };
      json(response, 201, { created: subscribers, updated: [], failed: [] });
    };
    arrived.push({ seen, response, create });
    for (const wake of waiting.splice(0)) wake();
  });
  const request = async (number: number): Promise<PendingRequest> => {
    while (arrived.length < number) await new Promise<void>((resolve) => waiting.push(resolve));
    return arrived[number - 1] as PendingRequest;
  };
  return { ...service, request, arrived };
}

/** Writes 1,500 rows, which need three requests. */
function writeRows(home: Home) {
  const rows = Array.from({ length: 1500 }, (_unused, index) => `u${index}`);
  writeFileSync(path.join(home.folder, 'users.csv'), `subscriberId\n${rows.join('\n')}\n`);
}

function startImport(home: Home, env: Record<string, string>) {
  writeRows(home);
  const line = ['subscribers', 'bulk-import', 'users.csv', '--concurrency', '1', '--json'];
  return home.start(line, { env: { ...home.env, ...env } });
}

const sentIds = ({ seen }: PendingRequest) =>
  (JSON.parse(seen.body) as { subscribers: { subscriberId: string }[] }).subscribers.map(
    ({ subscriberId }) => subscriberId,
  );

describe('a run', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    'after one %s waits for the pending response, sends nothing else and exits with %i',
    async (signal, code) => {
      const home = openHome();
      const service = await openPendingService();
      const run = startImport(home, service.env);
      const first = await service.request(1);
      run.process.kill(signal);
      // Long enough for another request to arrive, if svc sent one.
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(run.process.exitCode).toBeNull();
      first.create();
      const ended = await run.ended;
      expect(ended.code).toBe(code);
      expect(service.arrived).toHaveLength(1);
      const summary = JSON.parse(ended.stdout) as { runId: string; created: number };
      expect(summary.created).toBe(500);

      const resumed = home.start(['runs', 'resume', summary.runId, '--json'], {
        env: { ...home.env, ...service.env },
      });
      for (const number of [2, 3]) (await service.request(number)).create();
      expect((await resumed.ended).code).toBe(0);
      const sent = service.arrived.flatMap(sentIds);
      expect(new Set(sent).size).toBe(1500);
      expect(sent).toHaveLength(1500);
    },
  );

  it('after a second signal stops immediately; when resumed, it repeats the request with the same key', async () => {
    const home = openHome();
    const service = await openPendingService();
    const run = startImport(home, service.env);
    const first = await service.request(1);
    run.process.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 100));
    run.process.kill('SIGINT');
    const ended = await run.ended;
    expect(ended.code).toBe(130);
    const summary = JSON.parse(ended.stdout) as { runId: string; created: number };
    expect(summary.created).toBe(0);

    const env = { ...home.env, ...service.env };
    expect((await home.svc(['runs', 'show', summary.runId])).code).toBe(0);
    const resumed = home.start(['runs', 'resume', summary.runId, '--json'], { env });
    for (const number of [2, 3, 4]) (await service.request(number)).create();
    expect(await resumed.ended).toMatchObject({ code: 0 });
    const second = await service.request(2);
    expect(second.seen.body).toBe(first.seen.body);
    expect(second.seen.headers['idempotency-key']).toBe(first.seen.headers['idempotency-key']);
  });

  it('is interrupted by Ctrl-C on a terminal and prints the command to resume', async () => {
    const home = openHome();
    const service = await openPendingService();
    writeRows(home);
    const env = { ...home.env, ...service.env };
    const program = [
      home.env.SVC ?? '',
      'subscribers',
      'bulk-import',
      'users.csv',
      '--concurrency',
      '1',
    ];
    const terminal = onTerminal(process.execPath, program, { env, cwd: home.folder });
    const request = await service.request(1);
    terminal.types('\x03');
    await terminal.shows('Stopping after the requests in flight finish.');
    request.create();
    const { code, screen } = await terminal.ended();
    expect(code).toBe(130);
    expect(screen).toContain('svc runs resume');
    expect(screen).toContain('500');
  });
});

function linkIfOpen(descriptor: string): string | undefined {
  try {
    return readlinkSync(descriptor);
  } catch {
    // It was closed in the meantime.
  }
}

describe.runIf(process.platform === 'linux')('an import from a named pipe without a writer', () => {
  it.each([[[]], [['--spool']]])('exits on the first Ctrl-C, with %j', async (more) => {
    const home = openHome();
    const service = await openPendingService();
    execFileSync('mkfifo', [path.join(home.folder, 'ff')]);
    const run = home.start(['subscribers', 'bulk-import', 'ff', ...more], {
      env: { ...home.env, ...service.env },
    });
    const descriptors = `/proc/${run.process.pid}/fd`;
    const opened = () =>
      readdirSync(descriptors).map((descriptor) => linkIfOpen(`${descriptors}/${descriptor}`));
    await vi.waitUntil(() => opened().includes(path.join(home.folder, 'ff')), { interval: 20 });
    run.process.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
  });
});

describe.runIf(process.platform === 'linux')('the comparison of a finished run', () => {
  /** Finishes a run of a named pipe, then starts the same command again. */
  async function startAgain(...more: string[]) {
    const home = openHome();
    const service = await openPendingService();
    const env = { ...home.env, ...service.env };
    const fifo = path.join(home.folder, 'ff');
    execFileSync('mkfifo', [fifo]);
    const line = ['subscribers', 'bulk-import', 'ff', '--spool', '--run-id', 'nightly', '--json'];
    const first = home.start([...line, '--environment-id', 'e1'], { env });
    await writeFile(fifo, 'subscriberId\nu1\n');
    (await service.request(1)).create();
    expect((await first.ended).code).toBe(0);
    return { run: home.start([...line, ...more], { env }), service, fifo };
  }

  it('ends on the first Ctrl-C while the input is a named pipe without a writer', async () => {
    const { run, fifo } = await startAgain('--environment-id', 'e1');
    const descriptors = `/proc/${run.process.pid}/fd`;
    const opened = () =>
      readdirSync(descriptors).map((descriptor) => linkIfOpen(`${descriptors}/${descriptor}`));
    await vi.waitUntil(() => opened().includes(fifo), { interval: 20, timeout: 15_000 });
    run.process.kill('SIGINT');
    expect(await run.ended).toEqual({ code: 130, stdout: '', stderr: '' });
  });

  it('ends on the first Ctrl-C while the service does not respond', async () => {
    const { run, service, fifo } = await startAgain();
    await writeFile(fifo, 'subscriberId\nu1\n');
    expect((await service.request(2)).seen.target).toBe('/v1/environments');
    run.process.kill('SIGINT');
    expect(await run.ended).toEqual({ code: 130, stdout: '', stderr: '' });
  });
});

describe('an import from a process substitution', () => {
  it('reads it as a stream', async () => {
    const home = openHome();
    const service = await openService((seen, response) => {
      const { subscribers } = JSON.parse(seen.body) as { subscribers: unknown[] };
      json(response, 201, { created: subscribers, updated: [], failed: [] });
    });
    const script =
      '"$0" "$SVC" subscribers bulk-import <(printf "subscriberId\\nx\\n") --jq .created';
    const env = { ...process.env, ...home.env, ...service.env };
    const printed = await promisify(execFile)('bash', ['-c', script, process.execPath], { env });
    expect(printed.stdout).toBe('1\n');
  });
});

describe('during the wait before a retry', () => {
  const lines = [
    ['topics', 'list'],
    ['subscribers', 'bulk-import', 'users.csv', '--json'],
    ['topics', 'rename', 'news', 'News', '--idempotency-key', 'k'],
    ['events', 'trigger', 'welcome', '--to', 'u1', '--wait'],
  ];

  it('every command exits on Ctrl-C, not after the wait', async () => {
    const results = await runParallel(lines, async (line) => {
      const home = openHome();
      writeFileSync(path.join(home.folder, 'users.csv'), 'subscriberId\nu1\n');
      const service = await openPendingService();
      const run = home.start([...line, '--max-wait', '10m'], {
        env: { ...home.env, ...service.env },
      });
      // A trigger first looks up whether its recipient exists.
      const lookUps = line[1] === 'trigger' ? 1 : 0;
      if (lookUps > 0) json((await service.request(1)).response, 200, {});
      const { response } = await service.request(1 + lookUps);
      json(response, 503, { statusCode: 503, message: 'later' }, { 'retry-after': '300' });
      await new Promise((resolve) => setTimeout(resolve, 300));
      const isWaiting = run.process.exitCode === null;
      run.process.kill('SIGINT');
      // The Retry-After of five minutes is longer than the timeout of this test.
      const { code } = await run.ended;
      return { line, isWaiting, code, requests: service.arrived.length - lookUps };
    });
    expect(results).toEqual(
      lines.map((line) => ({ line, isWaiting: true, code: 130, requests: 1 })),
    );
  });
});

describe('while a request is in flight', () => {
  it.each([
    ['a listing', ['topics', 'list']],
    ['a listing with --all', ['topics', 'list', '--all']],
    ['a write', ['topics', 'rename', 'news', 'News']],
    ['a trigger', ['events', 'trigger', 'welcome', '--to', 'u1']],
  ])('%s exits on Ctrl-C', async (_what, line) => {
    const home = openHome();
    const service = await openPendingService();
    const run = home.start([...line, '--timeout', '10m'], { env: { ...home.env, ...service.env } });
    await service.request(1);
    run.process.kill('SIGINT');
    expect(await run.ended).toMatchObject({ code: 130, stdout: '' });
  });
});
