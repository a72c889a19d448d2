// Measures reading: rows per second for each form of input, and the ratio to csv-parse over the same file in this run.
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { openRecords } from '../src/input/records.ts';
import type { Report } from './measurements.ts';

const rounds = 3;

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
  { name: 'plain.csv', head: plain(columns), line: (n: number) => plain(ascii(n)), min: 700_000 },
  { name: 'quoted.csv', head: plain(columns), line: (n: number) => quoted(ascii(n)) },
  { name: 'unicode.csv', head: plain(columns), line: (n: number) => plain(accented(n)) },
  { name: 'rows.ndjson', head: undefined, line: (n: number) => object(ascii(n)), min: 400_000 },
];

/** Measures each reader over files with this number of rows. */
export async function measureCsv(rows: number, report: Report): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-bench-csv-'));
  const inFolder = (name: string) => path.join(folder, name);
  try {
    for (const { name, head, line } of inputs) await write(inFolder(name), rows, head, line);
    await pipeline(
      createReadStream(inFolder('plain.csv')),
      createGzip({ level: 1 }),
      createWriteStream(inFolder('plain.csv.gz')),
    );
    const readers: { name: string; min?: number; read: () => Promise<number> }[] = [
      { name: 'plain.csv by csv-parse', read: () => readWithCsvParse(inFolder('plain.csv')) },
      ...inputs.map(({ name, min }) => ({
        name,
        ...(min === undefined ? {} : { min }),
        read: () => readWithSvc(inFolder(name)),
      })),
      { name: 'plain.csv.gz', read: () => readWithSvc(inFolder('plain.csv.gz')) },
      {
        name: 'plain.csv, all rows skipped',
        read: () => readWithSvc(inFolder('plain.csv'), { skip: rows }),
      },
    ];
    const best = readers.map(() => 0);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, { read }] of readers.entries())
        best[index] = Math.max(best[index] ?? 0, await rowsPerSecond(rows, read));
    }
    const [bare = 1] = best;
    for (const [index, { name, min }] of readers.entries()) {
      const speed = best[index] ?? 0;
      const ratio = index === 0 ? '' : `, ${(speed / bare).toFixed(1)} times csv-parse`;
      report({
        name: `reading ${name}`,
        figure: `${Math.round(speed).toLocaleString('en-US')} rows/s${ratio}`,
        ...(min === undefined
          ? {}
          : { goal: `at least ${min.toLocaleString('en-US')}`, isMet: speed >= min }),
      });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function write(
  file: string,
  rows: number,
  head: string | undefined,
  line: (n: number) => string,
) {
  function* lines() {
    if (head !== undefined) yield `${head}\n`;
    for (let n = 0; n < rows; n += 1000)
      yield `${Array.from({ length: Math.min(1000, rows - n) }, (_unused, at) => line(n + at)).join('\n')}\n`;
  }
  await pipeline(Readable.from(lines()), createWriteStream(file));
}

async function rowsPerSecond(rows: number, read: () => Promise<number>): Promise<number> {
  const startedAt = process.hrtime.bigint();
  const count = await read();
  if (count !== 0 && count !== rows) throw new Error(`${count} rows instead of ${rows}`);
  return (rows * 1e9) / Number(process.hrtime.bigint() - startedAt);
}

/** Reads with csv-parse; `info` makes it report line numbers, which svc does too. */
async function readWithCsvParse(file: string): Promise<number> {
  let count = 0;
  const parser = createReadStream(file, { highWaterMark: 64 * 1024 }).pipe(
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

async function readWithSvc(file: string, options: { skip?: number } = {}): Promise<number> {
  let count = 0;
  const source = await openRecords({ file, stdin: Readable.from([]), ...options });
  for await (const records of source.chunks) {
    count += records.length;
    for (const { error } of records) if (error !== undefined) throw new Error(error);
  }
  return count;
}
