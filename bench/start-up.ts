// Measures how long svc takes to start, as a ratio to `node -e 0`.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Report } from './measurements.ts';

const rounds = Number(process.env.ROUNDS ?? 151);
const home = mkdtempSync(path.join(tmpdir(), 'svc-bench-'));
// On Node 20, NODE_EXTRA_CA_CERTS triples the start-up time of every process.
const { NODE_EXTRA_CA_CERTS: _unset, ...inherited } = process.env;
const env: NodeJS.ProcessEnv = {
  ...inherited,
  SVC_CONFIG_DIR: path.join(home, 'config'),
  SVC_STATE_DIR: path.join(home, 'state'),
  SVC_CACHE_DIR: path.join(home, 'cache'),
};
const svc = path.resolve('bin/svc.js');

/** From version 22, Node runs the same program faster. */
const listGoal = Number.parseInt(process.versions.node, 10) < 22 ? 2.2 : 2.0;
const goals = [
  { name: 'svc --version', line: ['--version'], max: 1.2 },
  {
    name: 'svc __complete -- topics get',
    line: ['__complete', '--', 'topics', 'get', ''],
    max: 1.2,
  },
  { name: 'svc --help', line: ['--help'], max: 1.3 },
  { name: 'svc topics --help', line: ['topics', '--help'], max: 1.5 },
  { name: 'svc topics list', line: ['topics', 'list'], max: listGoal },
];

/** Reports the ratio of each command line with its goal. */
export async function measureStartUp(report: Report): Promise<void> {
  const server = await startSandbox();
  try {
    for (const { name, line, max } of goals) {
      const ratio = medianRatio([svc, ...line]);
      report({ name, figure: ratio.toFixed(2), goal: max.toFixed(1), isMet: ratio <= max });
    }
  } finally {
    server.kill('SIGTERM');
    rmSync(home, { recursive: true, force: true });
  }
}

/** Alternates `node -e 0` and the measured command, so that changes in the load of the machine affect both. */
function medianRatio(line: readonly string[]): number {
  measureTime(line);
  const ratios = Array.from({ length: rounds }, () => {
    const bare = measureTime(['-e', '0']);
    return measureTime(line) / bare;
  });
  ratios.sort((a, b) => a - b);
  return ratios[Math.floor(rounds / 2)] ?? Number.NaN;
}

/** Returns the wall time of one process in nanoseconds. */
function measureTime(line: readonly string[]): number {
  const startedAt = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, line, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (status !== 0) throw new Error(`${line.join(' ')} exited with ${status}: ${stderr}`);
  return Number(process.hrtime.bigint() - startedAt);
}

async function startSandbox(): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [svc, 'sandbox', 'start', '--in-memory', '--port', '0', '--json'],
    { env, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('exit', (code) => reject(new Error(`the sandbox exited with ${code}`)));
  });
  return child;
}
