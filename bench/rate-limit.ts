// Measures runs at the rate limit of a free plan, which the sandbox imposes. No request may be answered with 429.
// `npm run bench -- rate-limit` takes about a minute.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Report } from './measurements.ts';

const svc = path.resolve('bin/svc.js');
const rows = 2_000;
const windowSeconds = 5;
/** Requests that the plan accepts in each window. */
const perWindow = { import: 1, events: 3 };
/** The time of the last responses, of starting the process, and of resets that the service rounds up. */
const marginSeconds = 2;

interface Run {
  requests: number;
  retries: number;
}

export async function measureRateLimit(report: Report): Promise<void> {
  for (const kind of ['import', 'events'] as const) {
    const folder = mkdtempSync(path.join(tmpdir(), 'svc-bench-rate-limit-'));
    try {
      report(await measure(folder, kind));
    } finally {
      await run(folder, ['sandbox', 'stop']).catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Each measurement has its own sandbox, so that it starts with all units of the plan. */
async function measure(folder: string, kind: 'import' | 'events') {
  const ids = Array.from({ length: rows }, (_unused, index) => `s${index},Example`);
  const file = path.join(folder, 'users.csv');
  const column = kind === 'import' ? 'firstName' : 'payload.product';
  writeFileSync(file, `subscriberId,${column}\n${ids.join('\n')}\n`);
  await run(folder, ['sandbox', 'start', '--detach', '--in-memory', '--port', '0']);
  await run(folder, ['sandbox', 'faults', 'set', '--rate-limit', 'free']);
  const line = {
    import: ['subscribers', 'bulk-import', file],
    events: ['events', 'trigger', 'welcome', '--recipients', file],
  }[kind];
  const startedAt = performance.now();
  const { requests, retries } = JSON.parse(await run(folder, [...line, '--yes', '--json'])) as Run;
  const seconds = (performance.now() - startedAt) / 1_000;
  const windows = Math.ceil((requests - retries) / perWindow[kind]) - 1;
  const allowed = windows * windowSeconds + marginSeconds;
  return {
    name: `${kind} of ${rows.toLocaleString('en-US')} rows at the limit of a free plan`,
    figure: `${seconds.toFixed(1)} s, ${requests} requests, ${retries} retries`,
    goal: `${allowed} s, no retries`,
    isMet: seconds <= allowed && retries === 0,
  };
}

function run(folder: string, line: readonly string[]): Promise<string> {
  const { NODE_EXTRA_CA_CERTS: _unset, ...inherited } = process.env;
  const child = spawn(process.execPath, [svc, ...line], {
    env: {
      ...inherited,
      SVC_CONFIG_DIR: path.join(folder, 'config'),
      SVC_STATE_DIR: path.join(folder, 'state'),
      SVC_CACHE_DIR: path.join(folder, 'cache'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      if (code === 0) resolve(stdout);
      else reject(new Error(`svc ${line.join(' ')} exited with ${code}`));
    });
  });
}
