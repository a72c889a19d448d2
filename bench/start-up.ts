// How long svc takes to start, as a ratio to `node -e 0`, both measured in this run in turn.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Tell } from './measured.ts';

const rounds = Number(process.env.ROUNDS ?? 41);
const home = mkdtempSync(path.join(tmpdir(), 'svc-bench-'));
// On Node 20 this variable alone triples the start of every process.
const { NODE_EXTRA_CA_CERTS: _unset, ...inherited } = process.env;
const env: NodeJS.ProcessEnv = {
  ...inherited,
  SVC_CONFIG_DIR: path.join(home, 'config'),
  SVC_STATE_DIR: path.join(home, 'state'),
  SVC_CACHE_DIR: path.join(home, 'cache'),
};
const svc = path.resolve('bin/svc.js');

const goals = [
  { name: 'svc --version', line: ['--version'], most: 1.2 },
  { name: 'svc __complete topics', line: ['__complete', 'topics'], most: 1.2 },
  { name: 'svc --help', line: ['--help'], most: 1.3 },
  { name: 'svc topics --help', line: ['topics', '--help'], most: 1.5 },
  { name: 'svc topics list', line: ['topics', 'list'], most: 2.2 },
];

/** The ratio of each command line, told with its goal. */
export async function measureStartUp(tell: Tell): Promise<void> {
  const server = await startSandbox();
  try {
    for (const { name, line, most } of goals) {
      const ratio = medianRatio([svc, ...line]);
      tell({ name, figure: ratio.toFixed(2), goal: most.toFixed(1), holds: ratio <= most });
    }
  } finally {
    server.kill('SIGTERM');
    rmSync(home, { recursive: true, force: true });
  }
}

/** Bare and measured runs alternate, so that a drifting machine slows both. */
function medianRatio(line: readonly string[]): number {
  time(line);
  const ratios = Array.from({ length: rounds }, () => {
    const bare = time(['-e', '0']);
    return time(line) / bare;
  });
  ratios.sort((a, b) => a - b);
  return ratios[Math.floor(rounds / 2)] ?? Number.NaN;
}

function time(line: readonly string[]): number {
  const began = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, line, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (status !== 0) throw new Error(`${line.join(' ')} ended with ${status}: ${stderr}`);
  return Number(process.hrtime.bigint() - began);
}

async function startSandbox(): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [svc, 'sandbox', 'start', '--in-memory', '--port', '0', '--json'],
    {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('exit', (code) => reject(new Error(`the sandbox ended with ${code}`)));
  });
  return child;
}
