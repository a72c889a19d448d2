// Measures how long it takes to read the deliveries of a run against a sandbox: requests, time and peak memory (Linux
// only). Short run: `EVENTS=1000 npm run bench -- deliveries`.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Report } from './measurements.ts';
import { privateEnv } from './private-env.ts';
import { measureUsage } from './process-usage.ts';

const svc = path.resolve('bin/svc.js');
const folder = mkdtempSync(path.join(tmpdir(), 'svc-bench-deliveries-'));
const env = privateEnv(folder);

const sizes = (process.env.EVENTS ?? '1000,10000,100000').split(',').map(Number);
const grouped = (count: number) => count.toLocaleString('en-US');

/** Runs all measurements and reports each figure as soon as it is known. */
export async function measureDeliveries(report: Report): Promise<void> {
  try {
    for (const events of sizes) await measureRun(events, report);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureRun(events: number, report: Report): Promise<void> {
  const sandbox = await startSandbox();
  Object.assign(env, { SVC_BASE_URL: sandbox.baseUrl, SVC_API_KEY: sandbox.key });
  try {
    const file = path.join(folder, `${events}.csv`);
    const rows = Array.from({ length: events }, (_unused, index) => `p${index}\n`);
    writeFileSync(file, `subscriberId\n${rows.join('')}`);
    const trigger = ['events', 'trigger', 'welcome', '--recipients', file, '--yes', '--json'];
    const { runId } = JSON.parse((await run(trigger)).stdout) as { runId: string };
    const read = await run(['runs', 'show', runId, '--deliveries', '--debug']);
    const announced = /^Reading .*$/m.exec(read.stderr)?.[0] ?? '';
    const requests = read.stderr.match(/^> GET \S*\/v1\/notifications/gm)?.length ?? 0;
    report({
      name: `deliveries of a run of ${grouped(events)} events`,
      figure: `${read.seconds.toFixed(1)} s, ${grouped(requests)} requests, ${read.peak} MB of memory (it said: ${announced})`,
    });
  } finally {
    sandbox.process.kill('SIGTERM');
  }
}

interface Sandbox {
  process: ChildProcess;
  baseUrl: string;
  key: string;
}

async function startSandbox(): Promise<Sandbox> {
  const options = ['--in-memory', '--no-profile', '--port', '0', '--json'];
  const child = spawn(process.execPath, [svc, 'sandbox', 'start', ...options], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', resolve);
    child.once('exit', () => reject(new Error('The sandbox did not start.')));
  });
  const { baseUrl, key } = JSON.parse(printed) as { baseUrl: string; key: string };
  return { process: child, baseUrl, key };
}

async function run(line: readonly string[]) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [svc, ...line], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const { peak } = await measureUsage(child, `svc ${line.join(' ')}`).catch((error) => {
    process.stderr.write(output.stderr);
    throw error;
  });
  return { ...output, seconds: (performance.now() - startedAt) / 1_000, peak };
}
