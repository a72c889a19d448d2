// Measures `svc-cli/testing` of the built program: the time until the first sandbox is ready in a new process, a suite of
// 200 tests in four workers, and events per second without a socket and through one.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { nativeDriver } from '../src/sandbox/store/driver.ts';
import type { Sandbox, startSandbox as StartSandbox } from '../src/testing/index.ts';
import type { Report } from './measurements.ts';

const entry = pathToFileURL(path.resolve('dist/testing.cjs')).href;
const driver = nativeDriver() ? 'node:sqlite' : 'WebAssembly';
const rounds = Number(process.env.ROUNDS ?? 11);

/** Runs all measurements and reports each figure as soon as it is known. */
export async function measureTesting(report: Report): Promise<void> {
  measureReady(report);
  measureSuite(report);
  await measureEvents(report);
}

interface Start {
  ms: number;
  cpuMs: number;
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** In a new process each time, because the first sandbox of a process compiles code that the others use. */
function measureReady(report: Report) {
  const script = `
    const { startSandbox } = await import('${entry}');
    const start = async () => {
      const [from, cpu] = [performance.now(), process.cpuUsage()];
      const sandbox = await startSandbox();
      const ms = performance.now() - from;
      const { user, system } = process.cpuUsage(cpu);
      await sandbox.stop();
      return { ms, cpuMs: (user + system) / 1000 };
    };
    console.log(JSON.stringify([await start(), await start()]));`;
  const bare: number[] = [];
  const runs = Array.from({ length: rounds }, () => {
    bare.push(run(['-e', '0']).ms);
    const { stdout, ms } = run(['--input-type=module', '-e', script]);
    const [first, second] = JSON.parse(stdout) as Start[];
    if (!first || !second) throw new Error(`the process printed ${stdout}`);
    return { ms, first, second };
  });
  const first = median(runs.map((run) => run.first.ms));
  const second = median(runs.map((run) => run.second.ms));
  const cpuMs = median(runs.map((run) => run.first.cpuMs));
  const ratio = median(runs.map(({ ms }, index) => ms / (bare[index] ?? Number.NaN)));
  report({
    name: `startSandbox() ready, ${driver}`,
    figure: `${Math.round(first)} ms (${Math.round(cpuMs)} ms of CPU time); the next one in ${Math.round(second)} ms`,
    goal: 'at most 250 ms',
    isMet: first <= 250,
  });
  report({
    name: 'process that starts two of them, to node -e 0',
    figure: `${ratio.toFixed(1)} times`,
  });
}

function run(line: readonly string[], cwd = process.cwd()) {
  const from = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, line, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${line.join(' ')} exited with ${status}: ${stdout}${stderr}`);
  return { ms: performance.now() - from, stdout };
}

/** 200 tests that each reset the sandbox, trigger a workflow and read its e-mail, and the same number of empty tests. */
function measureSuite(report: Report) {
  const parent = path.resolve('node_modules', '.cache');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(path.join(parent, 'svc-bench-testing-'));
  const vitest = path.resolve('node_modules', 'vitest', 'vitest.mjs');
  try {
    const suite = (name: string, source: string) => {
      const root = path.join(folder, name);
      mkdirSync(root);
      for (let file = 1; file <= 4; file += 1)
        writeFileSync(path.join(root, `suite-${file}.test.js`), source);
      writeFileSync(
        path.join(root, 'vitest.config.js'),
        'export default { test: { testTimeout: 60_000 } };',
      );
      return () =>
        run([vitest, 'run', '--root', root, '--maxWorkers', '4', '--reporter', 'dot']).ms / 1000;
    };
    const empty = suite(
      'empty',
      `import { it } from 'vitest';
      for (let test = 1; test <= 50; test += 1) it('test ' + test, () => {});`,
    );
    const full = suite('full', suiteSource);
    const pairs = Array.from({ length: 3 }, () => ({ bare: empty(), seconds: full() }));
    const seconds = median(pairs.map((pair) => pair.seconds));
    const bare = median(pairs.map((pair) => pair.bare));
    report({
      name: `200 tests of an application in 4 workers, ${driver}`,
      figure: `${seconds.toFixed(1)} s, ${(seconds / bare).toFixed(1)} times 200 empty tests`,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const suiteSource = `
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startSandbox } from '${entry}';
let sandbox;
beforeAll(async () => { sandbox = await startSandbox(); });
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.stop());
for (let test = 1; test <= 50; test += 1) it('test ' + test, async () => {
  const response = await fetch(sandbox.url + '/v1/events/trigger', {
    method: 'POST',
    headers: { authorization: 'ApiKey ' + sandbox.key, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'welcome', to: 'u1', payload: { product: 'Bench' } }),
  });
  expect(response.status).toBe(201);
  expect(await sandbox.messages({ subscriber: 'u1', channel: 'email' })).toHaveLength(1);
});
`;

/** The same bulk requests through `sandbox.fetch` and through the socket. */
async function measureEvents(report: Report) {
  const { startSandbox } = (await import(entry)) as { startSandbox: typeof StartSandbox };
  const measureRate = async (send: (sandbox: Sandbox) => typeof fetch) => {
    const sandbox = await startSandbox();
    await triggerMany(sandbox, send(sandbox), 1_000);
    const from = performance.now();
    await triggerMany(sandbox, send(sandbox), 6_000);
    const seconds = (performance.now() - from) / 1000;
    await sandbox.stop();
    return 6_000 / seconds;
  };
  const direct = await measureRate((sandbox) => sandbox.fetch as typeof fetch);
  const socket = await measureRate(() => fetch);
  report({
    name: `events of two steps, in process, ${driver}`,
    figure: `${Math.round(direct).toLocaleString('en-US')}/s, ${(direct / socket).toFixed(2)} times those through its port`,
  });
}

async function triggerMany({ url, key }: Sandbox, send: typeof fetch, count: number) {
  for (let from = 0; from < count; from += 100) {
    const events = Array.from({ length: 100 }, (_, index) => ({
      name: 'welcome',
      to: [{ subscriberId: `bench-${from + index}`, email: `bench-${from + index}@example.com` }],
      payload: { product: 'Bench' },
    }));
    const response = await send(`${url}/v1/events/trigger/bulk`, {
      method: 'POST',
      headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ events }),
    });
    const text = await response.text();
    if (text.split('"processed"').length !== 101) throw new Error(`an event failed: ${text}`);
  }
}
