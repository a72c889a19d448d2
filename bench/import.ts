// Measures importing and listing: rows per second for each kind of rows, compared to two baselines in the same run,
// throughput by latency and concurrency, and resident memory over ten million rows. Short run: `ROWS=100000 npm run bench -- import`.
import { spawn } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Report } from './measurements.ts';
import { privateEnv } from './private-env.ts';
import { measureUsage } from './process-usage.ts';
import { rowKinds, writeRows } from './rows.ts';

const svc = path.resolve('bin/svc.js');
const folder = mkdtempSync(path.join(tmpdir(), 'svc-bench-import-'));
const env: NodeJS.ProcessEnv = { ...privateEnv(folder), SVC_API_KEY: 'bench' };

const maxMegabytes = 200;

/** Runs all measurements and reports each figure as soon as it is known. */
export async function measureImport(rows: number, report: Report): Promise<void> {
  try {
    await measureSpeed(rows, report);
    await measureConcurrency(report);
    await measureImportMemory(rows * 10, report);
    await measureListingMemory(rows, report);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Imports each kind of rows, in turn with the pipeline. Reports the median of the ratios, because the machine is shared. */
async function measureSpeed(rows: number, report: Report) {
  const sink = await openSink(0);
  for (const kind of rowKinds) {
    const file = path.join(folder, 'rows.csv');
    writeRows(file, kind, rows);
    const rounds: { ours: number; bare: number; peak: number }[] = [];
    for (let round = 0; round < 5; round += 1) {
      const bare = Number(await runScript('bench/csv-parse-pipeline.js', [file, sink.port]));
      const { rowsPerSecond, peak } = await importFile(file, sink.port);
      rounds.push({ ours: rowsPerSecond, bare, peak });
    }
    const ratios = rounds.map(({ ours, bare }) => ours / bare);
    const [ours, bare] = [
      median(rounds.map((round) => round.ours)),
      median(rounds.map((round) => round.bare)),
    ];
    const peak = Math.max(...rounds.map((round) => round.peak));
    report({
      name: `import of ${grouped(rows)} ${kind.name} rows`,
      figure: `${grouped(ours)} rows/s, ${peak} MB at most`,
      goal: `${maxMegabytes} MB`,
      isMet: peak <= maxMegabytes,
    });
    report({
      name: `ratio to the bare csv-parse pipeline, ${kind.name} rows`,
      figure: `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}; pipeline: ${grouped(bare)} rows/s)`,
      goal: `at least ${kind.minRatio}`,
      isMet: median(ratios) >= kind.minRatio,
    });
    if (kind.name === 'plain') await measureLoop(file, rows, sink.port, ours, report);
    rmSync(file);
  }
  sink.stop();
}

async function measureLoop(file: string, rows: number, port: string, ours: number, report: Report) {
  const args = [file, port, String(rows / 10)];
  const loop = Number(await runScript('bench/public-client-loop.js', args));
  report({ name: 'loop over the public client', figure: `${grouped(loop)} rows/s` });
  report({ name: 'ratio to the loop', figure: (ours / loop).toFixed(2) });
}

async function measureConcurrency(report: Report) {
  for (const latency of [0, 20, 100]) {
    const sink = await openSink(latency);
    const cells: string[] = [];
    for (const concurrency of [1, 4, 16, 64]) {
      const rows = Math.min(
        400_000,
        Math.max(20_000, (concurrency * 500 * 3_000) / (latency || 5)),
      );
      const file = writePlainRows('curve.csv', rows);
      const { rowsPerSecond } = await importFile(file, sink.port, [
        '--concurrency',
        String(concurrency),
      ]);
      cells.push(`${concurrency}: ${grouped(rowsPerSecond)}`);
    }
    sink.stop();
    report({ name: `rows/s at ${latency} ms, by concurrency`, figure: cells.join('  ') });
  }
}

async function measureImportMemory(rows: number, report: Report) {
  const file = writePlainRows('many.csv', rows);
  for (const [name, latency, isPiped] of [
    ['from a file', 0, false],
    ['from a pipe', 0, true],
    ['from a file, 100 ms per request', 100, false],
  ] as const) {
    const sink = await openSink(latency);
    const { peak, early, late, rowsPerSecond } = await importFile(file, sink.port, [], isPiped);
    sink.stop();
    report({
      name: `memory, ${grouped(rows)} rows ${name}`,
      figure: `${peak} MB at most (${early} MB early, ${late} MB late), ${grouped(rowsPerSecond)} rows/s`,
      goal: `${maxMegabytes} MB`,
      isMet: peak <= maxMegabytes,
    });
  }
  rmSync(file);
}

async function measureListingMemory(items: number, report: Report) {
  const sink = await openSink(0, items);
  for (const line of [
    ['topics', 'list', '--all', '-o', 'ndjson'],
    ['activity', 'list', '--all', '-o', 'ndjson'],
    ['activity', 'stats', '--by', 'workflow'],
    ['activity', 'stats', '--by', 'hour'],
    ['activity', 'export', path.join(folder, 'activity.ndjson')],
  ]) {
    const run = start(line, sink.port);
    run.stdout?.resume();
    const { peak, early, late } = await measureUsage(run, 'svc');
    report({
      name: `memory, ${line.slice(0, 2).join(' ')}${byWord(line)} of ${grouped(items)}`,
      figure: `${peak} MB at most (${early} MB early, ${late} MB late)`,
      goal: `${maxMegabytes} MB`,
      isMet: peak <= maxMegabytes,
    });
  }
  sink.stop();
}

/** ` --by hour`, if the command line has it. */
const byWord = (line: readonly string[]) =>
  line.includes('--by') ? ` --by ${line[line.indexOf('--by') + 1]}` : '';

async function importFile(file: string, port: string, more: string[] = [], isPiped = false) {
  const line = ['subscribers', 'bulk-import', isPiped ? '-' : file, '--data-rest', '--json', '-q'];
  const run = start([...line, ...more], port);
  if (isPiped && run.stdin) createReadStream(file).pipe(run.stdin);
  let stdout = '';
  run.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const memory = await measureUsage(run, 'svc');
  const summary = JSON.parse(stdout) as { rowsPerSecond: number; rows: number; created: number };
  if (summary.created !== summary.rows) throw new Error(`not all rows were created: ${stdout}`);
  return { ...memory, rowsPerSecond: summary.rowsPerSecond };
}

const start = (line: string[], port: string) =>
  spawn(process.execPath, [svc, ...line], {
    env: { ...env, SVC_BASE_URL: `http://127.0.0.1:${port}` },
    stdio: ['pipe', 'pipe', 'inherit'],
  });

async function openSink(latency: number, items = 0) {
  const child = spawn(process.execPath, ['bench/sink.js', String(latency), String(items)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
  });
  return { port, stop: () => child.kill('SIGTERM') };
}

function runScript(script: string, args: string[]): Promise<string> {
  const child = spawn(process.execPath, [script, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  return new Promise((resolve) => child.on('close', () => resolve(stdout.trim())));
}

function writePlainRows(name: string, rows: number): string {
  const file = path.join(folder, name);
  if (rowKinds[0]) writeRows(file, rowKinds[0], rows);
  return file;
}

const median = (all: number[]) =>
  [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;
const grouped = (count: number) => Math.round(count).toLocaleString('en-US');
