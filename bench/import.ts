// Importing and listing, measured: rows a second beside two baselines in the same run, the latency curve, and
// resident memory over ten million rows. `ROWS=100000 npm run bench -- import` for a short run.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  createReadStream,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Measured, Tell } from './measured.ts';

const svc = path.resolve('bin/svc.js');
const folder = mkdtempSync(path.join(tmpdir(), 'svc-bench-import-'));
const env: NodeJS.ProcessEnv = {
  ...process.env,
  NODE_EXTRA_CA_CERTS: undefined,
  SVC_CONFIG_DIR: path.join(folder, 'config'),
  SVC_STATE_DIR: path.join(folder, 'state'),
  SVC_CACHE_DIR: path.join(folder, 'cache'),
  SVC_API_KEY: 'bench',
};

const most = { memory: 200 };
const header = 'subscriberId,firstName,lastName,email,phone,locale,timezone,plan\n';

/** Everything, in the order in which it is told; `tell` gets each figure as it is known. */
export async function measureImport(rows: number, tell: Tell): Promise<void> {
  try {
    const file = writeRows('rows.csv', rows);
    await speed(file, rows, tell);
    await curve(tell);
    rmSync(file);
    await memory(rows * 10, tell);
    await listings(rows, tell);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function speed(file: string, rows: number, tell: Tell) {
  const sink = await openSink(0);
  const rounds = 3;
  const figures = { svc: [] as number[], pipeline: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    figures.pipeline.push(Number(await output('bench/csv-parse-pipeline.js', [file, sink.port])));
    figures.svc.push((await importing(file, sink.port)).rowsPerSecond);
  }
  const loop = Number(
    await output('bench/public-client-loop.js', [file, sink.port, String(rows / 10)]),
  );
  sink.stop();
  const [ours, bare] = [median(figures.svc), median(figures.pipeline)];
  tell({ name: `import of ${grouped(rows)} rows`, figure: `${grouped(ours)} rows/s` });
  tell({ name: 'bare csv-parse pipeline', figure: `${grouped(bare)} rows/s` });
  tell({ name: 'loop over the public client', figure: `${grouped(loop)} rows/s` });
  tell(ratio('to the bare pipeline', ours / bare, 1.5));
  tell({ name: 'ratio to the loop', figure: (ours / loop).toFixed(2) });
}

async function curve(tell: Tell) {
  for (const latency of [0, 20, 100]) {
    const sink = await openSink(latency);
    const cells: string[] = [];
    for (const concurrency of [1, 4, 16, 64]) {
      const rows = Math.min(
        400_000,
        Math.max(20_000, (concurrency * 500 * 3_000) / (latency || 5)),
      );
      const file = writeRows('curve.csv', rows);
      const { rowsPerSecond } = await importing(file, sink.port, [
        '--concurrency',
        String(concurrency),
      ]);
      cells.push(`${concurrency}: ${grouped(rowsPerSecond)}`);
    }
    sink.stop();
    tell({ name: `rows/s at ${latency} ms, by requests at a time`, figure: cells.join('  ') });
  }
}

async function memory(rows: number, tell: Tell) {
  const file = writeRows('many.csv', rows);
  for (const [name, latency, piped] of [
    ['from a file', 0, false],
    ['from a pipe', 0, true],
    ['from a file, 100 ms a request', 100, false],
  ] as const) {
    const sink = await openSink(latency);
    const { peak, early, late, rowsPerSecond } = await importing(file, sink.port, [], piped);
    sink.stop();
    tell({
      name: `memory, ${grouped(rows)} rows ${name}`,
      figure: `${peak} MB at most (${early} MB early, ${late} MB late), ${grouped(rowsPerSecond)} rows/s`,
      goal: `${most.memory} MB`,
      holds: peak <= most.memory,
    });
  }
  rmSync(file);
}

async function listings(items: number, tell: Tell) {
  const sink = await openSink(0, items);
  for (const line of [
    ['topics', 'list'],
    ['activity', 'list'],
  ]) {
    const run = start([...line, '--all', '-o', 'ndjson'], sink.port);
    run.stdout?.resume();
    const { peak, early, late } = await watched(run);
    tell({
      name: `memory, ${line.join(' ')} --all of ${grouped(items)}`,
      figure: `${peak} MB at most (${early} MB early, ${late} MB late)`,
      goal: `${most.memory} MB`,
      holds: peak <= most.memory,
    });
  }
  sink.stop();
}

async function importing(file: string, port: string, more: string[] = [], piped = false) {
  const line = [
    'subscribers',
    'bulk-import',
    piped ? '-' : file,
    '--data-column',
    'plan',
    '--json',
    '-q',
  ];
  const run = start([...line, ...more], port);
  if (piped && run.stdin) createReadStream(file).pipe(run.stdin);
  let said = '';
  run.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const facts = await watched(run);
  const summary = JSON.parse(said) as { rowsPerSecond: number; rows: number; created: number };
  if (summary.created !== summary.rows) throw new Error(`not all rows were created: ${said}`);
  return { ...facts, rowsPerSecond: summary.rowsPerSecond };
}

const start = (line: string[], port: string) =>
  spawn(process.execPath, [svc, ...line], {
    env: { ...env, SVC_BASE_URL: `http://127.0.0.1:${port}` },
    stdio: ['pipe', 'pipe', 'inherit'],
  });

/** Resident megabytes, looked at every second: the most, and the means of the first and the last third. */
async function watched(run: ChildProcess) {
  const samples: number[] = [];
  const timer = setInterval(() => {
    const found = /VmRSS:\s+(\d+)/.exec(statusOf(run.pid ?? 0));
    if (found) samples.push(Math.round(Number(found[1]) / 1024));
  }, 1_000);
  const code = await new Promise((resolve) => run.on('close', resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`svc ended with ${code}`);
  const third = Math.ceil(samples.length / 3);
  const mean = (part: number[]) =>
    Math.round(part.reduce((sum, one) => sum + one, 0) / Math.max(1, part.length));
  return {
    peak: Math.max(0, ...samples),
    early: mean(samples.slice(0, third)),
    late: mean(samples.slice(-third)),
  };
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

async function openSink(latency: number, items = 0) {
  const child = spawn(process.execPath, ['bench/sink.js', String(latency), String(items)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
  });
  return { port, stop: () => child.kill('SIGTERM') };
}

function output(script: string, args: string[]): Promise<string> {
  const child = spawn(process.execPath, [script, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  return new Promise((resolve) => child.on('close', () => resolve(said.trim())));
}

function writeRows(name: string, rows: number): string {
  const file = path.join(folder, name);
  const descriptor = openSync(file, 'w');
  let text = header;
  for (let row = 0; row < rows; row += 1) {
    const number = String(row).padStart(8, '0');
    text += `user-${number},Firstname${row % 100},Lastname${row % 1000},first.last${row}@example.com,+1555${number},en-US,Europe/Berlin,pro\n`;
    if (text.length > 1_000_000) {
      writeSync(descriptor, text);
      text = '';
    }
  }
  writeSync(descriptor, text);
  closeSync(descriptor);
  return file;
}

const median = (all: number[]) =>
  [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;
const grouped = (count: number) => Math.round(count).toLocaleString('en-US');
const ratio = (name: string, value: number, least: number): Measured => ({
  name: `ratio ${name}`,
  figure: value.toFixed(2),
  goal: `at least ${least}`,
  holds: value >= least,
});
