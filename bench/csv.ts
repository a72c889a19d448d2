// `node scripts/run.js bench/csv.ts`: rows a second of the readers, as ratios to csv-parse over the same file in
// this run, in turn; then the resident memory while a file of 1,000,000 rows is read. Fails when a goal is missed.
import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { openRecords } from '../src/input/records.ts';

const rows = Number(process.env.ROWS ?? 1_000_000);
const rounds = Number(process.env.ROUNDS ?? 5);
const folder = mkdtempSync(path.join(tmpdir(), 'svc-bench-csv-'));
const fileOf = (name: string) => path.join(folder, name);

type Row = readonly string[];
const columns = ['subscriberId', 'firstName', 'lastName', 'email', 'locale', 'data.plan'];
const ascii = (n: number): Row => [
  `user-${String(n).padStart(8, '0')}`,
  `Ada${n}`,
  'Lovelace',
  `ada${n}@example.com`,
  'en_GB',
  n % 2 ? 'pro' : 'free',
];
const accented = (n: number): Row => ascii(n).with(1, `Zoë${n}`).with(2, '京都 🎉');
const plain = (row: Row) => row.join(',');
const quoted = (row: Row) => row.map((cell) => `"${cell}"`).join(',');
const object = (row: Row) =>
  JSON.stringify(Object.fromEntries(row.map((cell, index) => [columns[index], cell])));

const inputs = [
  { name: 'plain.csv', head: plain(columns), line: (n: number) => plain(ascii(n)), least: 700_000 },
  { name: 'quoted.csv', head: plain(columns), line: (n: number) => quoted(ascii(n)) },
  { name: 'unicode.csv', head: plain(columns), line: (n: number) => plain(accented(n)) },
  { name: 'rows.ndjson', head: undefined, line: (n: number) => object(ascii(n)), least: 400_000 },
];

try {
  for (const { name, head, line } of inputs) await write(name, head, line);
  await pipeline(
    createReadStream(fileOf('plain.csv')),
    createGzip({ level: 1 }),
    createWriteStream(fileOf('plain.csv.gz')),
  );
  process.stdout.write(
    `Node ${process.version}, ${rows} rows of six columns, best of ${rounds} rounds\n\n`,
  );
  const measured = [
    { name: 'csv-parse, plain.csv', least: 0, read: () => withCsvParse('plain.csv') },
    ...inputs.map(({ name, least = 0 }) => ({ name, least, read: () => withOurs(name) })),
    { name: 'plain.csv.gz', least: 0, read: () => withOurs('plain.csv.gz') },
    {
      name: 'plain.csv, all passed over',
      least: 0,
      read: () => withOurs('plain.csv', { skip: rows }),
    },
  ];
  const best = measured.map(() => 0);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { read }] of measured.entries())
      best[index] = Math.max(best[index] ?? 0, await speedOf(read));
  }
  const bare = best[0] ?? 1;
  let holds = true;
  for (const [index, { name, least }] of measured.entries()) {
    const speed = best[index] ?? 0;
    const verdict = least === 0 ? '' : `   goal ${least}   ${speed >= least ? 'holds' : 'MISSED'}`;
    holds &&= speed >= least;
    process.stdout.write(
      `${name.padEnd(28)} ${String(Math.round(speed)).padStart(9)} rows/s ${(speed / bare).toFixed(1).padStart(6)} x${verdict}\n`,
    );
  }
  process.stdout.write('\nresident memory in MB, a tenth of the file at a time\n');
  for (const name of ['plain.csv', 'quoted.csv', 'plain.csv.gz'])
    process.stdout.write(`${name.padEnd(28)} ${memoryOver(fileOf(name))}\n`);
  process.exitCode = holds ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function write(name: string, head: string | undefined, line: (n: number) => string) {
  function* lines() {
    if (head !== undefined) yield `${head}\n`;
    for (let n = 0; n < rows; n += 1000)
      yield `${Array.from({ length: Math.min(1000, rows - n) }, (_unused, at) => line(n + at)).join('\n')}\n`;
  }
  await pipeline(Readable.from(lines()), createWriteStream(fileOf(name)));
}

async function speedOf(read: () => Promise<number>): Promise<number> {
  const began = process.hrtime.bigint();
  const count = await read();
  if (count !== 0 && count !== rows) throw new Error(`${count} rows instead of ${rows}`);
  return (rows * 1e9) / Number(process.hrtime.bigint() - began);
}

/** As the tool read before: objects with the lines they end on. */
async function withCsvParse(name: string): Promise<number> {
  let count = 0;
  const parser = createReadStream(fileOf(name), { highWaterMark: 64 * 1024 }).pipe(
    parse({
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      from_line: 2,
    }),
  );
  for await (const _row of parser) count += 1;
  return count;
}

async function withOurs(name: string, options: { skip?: number } = {}): Promise<number> {
  let count = 0;
  const source = await openRecords({ file: fileOf(name), stdin: Readable.from([]), ...options });
  for await (const records of source.chunks) {
    count += records.length;
    for (const { error } of records) if (error !== undefined) throw new Error(error);
  }
  return count;
}

/** In a process of its own. */
function memoryOver(file: string): string {
  const line = ['scripts/run.js', 'bench/csv-memory.ts', file, String(rows)];
  return spawnSync(process.execPath, line, { encoding: 'utf8' }).stdout.trim();
}
