// Sums up the runs of several machines that sent the shards of one input, from copies of their folders.
import path from 'node:path';
import { z } from 'zod';
import { localError, SvcError, toLocalError, usageError } from '../../core/errors.ts';
import { replaceFile } from '../../platform/files/atomic-write.ts';
import { readRegularFile } from '../../platform/files/regular-file.ts';
import { countRows } from '../engine/stats.ts';
import { readRange } from './disk.ts';
import { type LedgerState, loadLedger } from './ledger.ts';
import { listChangedOptions, type Manifest, manifestFile, requireFormat } from './manifest.ts';
import { rejectedRowsFile } from './rejects.ts';

export interface CopiedRun {
  folder: string;
  manifest: Manifest;
  ledger: LedgerState;
}

export type MergedRuns = ReturnType<typeof mergeRuns>;

const hashOrNull = z.string().nullable();

/** The manifest. Unknown members of newer versions are accepted. */
const manifestSchema = z.looseObject({
  format: z.number(),
  runId: z.string().regex(/^[\w-]+$/, 'not a run id'),
  command: z.string(),
  args: z.record(z.string(), z.unknown()),
  options: z.record(z.string(), z.unknown()),
  profile: z.string().nullable(),
  service: z.string(),
  keyMark: hashOrNull,
  environmentId: hashOrNull,
  file: z
    .looseObject({ path: z.string(), size: z.number(), mtimeMs: z.number(), digest: z.string() })
    .nullable(),
  rejects: z.string(),
  startedAt: z.string(),
  version: z.string(),
});

const wholeNumber = z.number().int().min(0);

/** The sums of the ledger. */
const ledgerSchema = z.looseObject({
  counts: z.record(z.string(), wholeNumber),
  totals: z.looseObject({
    batches: wholeNumber,
    requests: wholeNumber,
    retries: wholeNumber,
    duplicates: wholeNumber,
    milliseconds: z.number().min(0),
    replayed: wholeNumber,
    sentAgain: z.array(z.tuple([wholeNumber, wholeNumber])).optional(),
  }),
  rejectsBytes: wholeNumber,
});

/** Reads the folder of a run. Throws a usage error if it is not one, and a local error if its journal is damaged. */
export function readCopiedRun(folder: string): CopiedRun {
  const manifest = validate(manifestSchema, readJson(manifestFile(folder)), manifestFile(folder));
  requireFormat(folder, manifest);
  const ledger = loadLedger(folder, manifest);
  validate(ledgerSchema, ledger, path.join(folder, 'ledger.ndjson'));
  return { folder, manifest: manifest as unknown as Manifest, ledger };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readRegularFile(file));
  } catch (error) {
    if (error instanceof SvcError) throw error;
    throw usageError(
      `${path.dirname(file)} is not the folder of a run: ${(error as Error).message}`,
      {
        hint: 'A run folder contains manifest.json and ledger.ndjson. This command prints the folder of a run:',
        next: ['svc runs show <run-id>'],
      },
    );
  }
}

function validate<T>(schema: z.ZodType<T>, value: unknown, file: string): T {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const [problem] = checked.error.issues.map(
    ({ path: at, message }) => `${at.join('.')}: ${message}`,
  );
  throw localError(`${file} is damaged: ${problem}.`);
}

/**
 * Sums up runs. Throws a usage error unless they are different runs of the same command and input. `different`: the
 * options that may differ.
 */
export function mergeRuns(runs: readonly CopiedRun[], different: ReadonlySet<string>) {
  const [first] = runs;
  if (!first) throw usageError('No run folders are given.');
  for (const run of runs) {
    refuseValidation(run);
    requireSameWork(first, run, different);
  }
  requireSameEnvironment(runs);
  const totals = runs.map(({ ledger }) => ledger.totals);
  const sentAgain = totals.flatMap((one) => one.sentAgain ?? []);
  const counts = sumMembers(runs.map(({ ledger }) => ledger.counts));
  return {
    runs: runs.map(({ manifest }) => manifest.runId),
    command: first.manifest.command,
    counts,
    rows: countRows(counts),
    totals: {
      ...sumMembers(totals.map(({ sentAgain: _rows, hasKeys: _flag, ...numbers }) => numbers)),
      milliseconds: Math.max(...totals.map(({ milliseconds }) => milliseconds)),
      ...(sentAgain.length > 0 ? { sentAgain } : {}),
    },
    /** Runs that stopped early. */
    unfinished: runs
      .filter(({ ledger }) => ledger.end === undefined)
      .map(({ manifest }) => manifest.runId),
    /** Shards of the input without a run. */
    missingShards: findMissingShards(runs),
    /** Runs with --skip or --take, which processed only a part of the input. */
    limited: runs
      .filter(({ manifest: { options } }) => (options.skip ?? options.take) !== undefined)
      .map(({ manifest }) => manifest.runId),
  };
}

/** A run with --validate-only has sent nothing. */
function refuseValidation({ folder, manifest }: CopiedRun): void {
  if (manifest.options.validateOnly === true)
    throw usageError(`${folder} is a run with --validate-only, which sent nothing.`);
}

/** The environment is unknown if the key of a run was not of a profile. */
function requireSameEnvironment(runs: readonly CopiedRun[]): void {
  const [first, ...others] = runs.filter(({ manifest }) => manifest.environmentId !== null);
  const other = others.find(
    ({ manifest }) => manifest.environmentId !== first?.manifest.environmentId,
  );
  if (first && other)
    throw usageError(`${first.folder} and ${other.folder} are runs of different environments.`);
}

function requireSameWork(first: CopiedRun, run: CopiedRun, different: ReadonlySet<string>): void {
  const [a, b] = [first.manifest, run.manifest];
  const refuse = (what: string, hint?: string): never => {
    throw usageError(`${first.folder} and ${run.folder} are runs ${what}.`, hint ? { hint } : {});
  };
  if (a.command !== b.command) refuse(`of different commands: ${a.command} and ${b.command}`);
  if (a.file && b.file && (a.file.digest !== b.file.digest || a.file.size !== b.file.size))
    refuse('of different inputs', 'Merge only the shards of one file.');
  if (a.service !== b.service) refuse('of different services');
  const changed = listChangedOptions(a, b, different);
  if (changed.length > 0) refuse(`with different options: ${changed.join(', ')}`);
  if (JSON.stringify(a.args) !== JSON.stringify(b.args)) refuse('with different arguments');
}

function sumMembers<T extends object>(all: readonly T[]): T {
  const sums = new Map<string, number>();
  for (const members of all)
    for (const [name, count] of Object.entries(members) as [string, number][])
      sums.set(name, (sums.get(name) ?? 0) + count);
  return Object.fromEntries(sums) as T;
}

/** Throws a usage error if a shard occurs twice, because its rows would count twice. */
function findMissingShards(runs: readonly CopiedRun[]): string[] {
  const folderByShard = new Map<string, string>();
  const counts = new Set<number>();
  for (const { manifest, folder } of runs) {
    const shard = typeof manifest.options.shard === 'string' ? manifest.options.shard : '0/1';
    const earlier = folderByShard.get(shard);
    if (earlier !== undefined)
      throw usageError(`${earlier} and ${folder} are runs of the same rows (shard ${shard}).`);
    folderByShard.set(shard, folder);
    counts.add(Number(shard.split('/')[1]));
  }
  const [count = 1, ...others] = counts;
  if (others.length > 0)
    throw usageError('The runs have different numbers of shards, so some rows would count twice.');
  return Array.from({ length: count }, (_unused, index) => `${index}/${count}`).filter(
    (shard) => !folderByShard.has(shard),
  );
}

// Joins the rejected rows of several runs of the same command into one file, which can be imported like the file of a
// single run.

const quote = 34;
const lineFeed = 10;

/** Writes the rejected rows of all runs. Returns false, and writes no file, if there are none. Removes it after an error. */
export function joinRejects(
  target: string,
  runs: readonly CopiedRun[],
  { replaces = false }: { replaces?: boolean } = {},
): boolean {
  const withRejects = runs.filter(({ ledger }) => ledger.rejectsBytes > 0);
  const [first] = withRejects;
  if (!first) return false;
  const head = readHead(first);
  const frame = chooseFrame(head);
  for (const run of withRejects) {
    if (readHead(run).subarray(0, frame.start.length).equals(frame.start)) continue;
    throw usageError(
      `The rejected rows of ${first.folder} and ${run.folder} have different columns or formats.`,
    );
  }
  try {
    replaceFile(target, joinRows(withRejects, frame), { exclusive: !replaces });
  } catch (error) {
    throw toLocalError(error, `${target} cannot be written`, {
      hint: 'The runs are unchanged. Choose another file or free some disk space, then run the command again.',
    });
  }
  return true;
}

function* joinRows(runs: readonly CopiedRun[], { start, separator, end }: Frame) {
  yield start;
  for (const [index, run] of runs.entries()) {
    if (index > 0) yield separator;
    yield* readRows(run, start.length);
  }
  yield end;
}

interface Frame {
  start: Buffer;
  separator: string;
  end: string;
}

/** The text before the first row, between two files and after the last row, by the format of the rows. */
function chooseFrame(head: Buffer): Frame {
  if (head.toString('utf8', 0, 2) === '[\n')
    return { start: Buffer.from('[\n'), separator: ',\n', end: '\n]\n' };
  const isJson = head.toString('utf8', 0, 2) === '{"';
  const start = isJson ? Buffer.alloc(0) : head.subarray(0, headerLength(head));
  return { start, separator: '', end: '' };
}

/** Length of the CSV header, whose names may contain quoted line ends. */
function headerLength(head: Buffer): number {
  let isQuoted = false;
  for (const [at, byte] of head.entries()) {
    if (byte === quote) isQuoted = !isQuoted;
    else if (byte === lineFeed && !isQuoted) return at + 1;
  }
  return head.length;
}

function readHead(run: CopiedRun): Buffer {
  // Leaving the loop closes the file.
  for (const chunk of readRows(run, 0)) return chunk;
  return Buffer.alloc(0);
}

function* readRows({ folder, ledger }: CopiedRun, from: number): Generator<Buffer, void> {
  const file = rejectedRowsFile(folder);
  try {
    yield* readRange(file, from, ledger.rejectsBytes);
  } catch (error) {
    throw toLocalError(error, `${file} cannot be read`, {
      hint: 'Copy the whole folder of the run.',
    });
  }
}
