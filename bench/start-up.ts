// `npm run bench`: how long svc takes to start, as a ratio to `node -e 0`, both measured in this run in turn.
// Prints goals and medians; fails when a goal is missed.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

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

const server = await startSandbox();
try {
  const rows = goals.map((goal) => ({ ...goal, ratio: medianRatio([svc, ...goal.line]) }));
  process.stdout.write(
    `Node ${process.version}, ${rounds} rounds; ratio of wall time to node -e 0, median\n\n`,
  );
  for (const { name, most, ratio } of rows) {
    const verdict = ratio <= most ? 'holds' : 'MISSED';
    process.stdout.write(
      `${name.padEnd(22)} ${ratio.toFixed(2).padStart(6)}   goal ${most.toFixed(1)}   ${verdict}\n`,
    );
  }
  process.exitCode = rows.every(({ ratio, most }) => ratio <= most) ? 0 : 1;
} finally {
  server.kill('SIGTERM');
  rmSync(home, { recursive: true, force: true });
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
