// Options of bulk commands: input, sending, rejects, fields of columns, canary, shards.
import type { Options, RunTrait, Values } from '../../cli/command.ts';
import {
  choice,
  commaList,
  duration,
  flag,
  id,
  integer,
  several,
  text,
} from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { encodings, type RecordFormat, recordFormats } from '../../input/formats.ts';
import type { Summary } from '../engine/stats.ts';

const input = { group: 'Input', run: ['original'], rare: true } as const;
const sending = { group: 'Sending' };
/** The options that assign columns to fields. */
const fields = 'Fields';
const rejected = { group: 'Rejects', run: ['unrecorded', 'original'], rare: true } as const;

const detected = 'detected from the file name and content by default';

const format = (formats: readonly RecordFormat[], summary: string) =>
  choice('--format <format>', formats, `${summary}; ${detected}`, input);

/** How columns with other names are assigned, for every command that reads rows. */
export const mappingOptions = {
  map: several(
    '--map <field=column>',
    'Fill a field from this column; several fields can use the same column',
    { group: fields },
  ),
  mapFile: text('--map-file <mapping.yaml>', 'Read the field of each column from a file', {
    group: fields,
    complete: 'files',
    rare: true,
    // Its content is recorded as options.
    run: ['unrecorded'],
  }),
};

export const bulkOptions = {
  ...mappingOptions,
  format: format(recordFormats, 'Format of the input, where lines means one id per line'),
  delimiter: text('--delimiter <character>', 'CSV delimiter; detected by default', input),
  columns: commaList(
    '--columns <a,b>',
    'Names of the CSV columns, if the input has no header line',
    input,
  ),
  encoding: choice('--encoding <encoding>', encodings, 'Character encoding of the input', {
    ...input,
    defaultText: 'utf-8, or by the byte order mark',
  }),
  skip: integer('--skip <n>', 'Skip the first n rows', { min: 0, ...input }),
  take: integer('--take <n>', 'Process at most n rows', { min: 1, ...input }),
  spool: flag('--spool', 'Copy standard input to a file first, so that the run can be resumed', {
    ...input,
    tool: false,
  }),
  failOnEmpty: flag(
    '--fail-on-empty',
    'Exit with code 2 if the input has no rows, instead of printing a warning',
    { ...input, run: ['unrecorded', 'original'] },
  ),
  validateOnly: flag('--validate-only', 'Validate every row without sending', sending),
  concurrency: integer(
    '--concurrency <n>',
    'Max concurrent requests; reduced while the service is overloaded',
    { min: 1, max: 64, ...sending, defaultText: '64', run: ['changeable', 'original'], rare: true },
  ),
  rate: integer('--rate <n>', 'Max rows per second', { min: 1, ...sending, run: ['changeable'] }),
  maxErrors: text('--max-errors <n|p%>', 'Stop if more than n rows, or p% of the rows, fail', {
    ...sending,
    run: ['changeable', 'original'],
  }),
  resume: text('--resume <run-id>', 'Resume a run that stopped early', {
    ...sending,
    complete: 'runs',
    rare: true,
    run: ['unrecorded', 'changeable', 'original'],
  }),
  rejects: text(
    '--rejects <path>',
    'File for rejected rows (default: a file in the folder of the run)',
    { ...rejected, complete: 'files' },
  ),
  force: flag('--force', 'Replace an existing file of --rejects or --save-map', {
    ...rejected,
    tool: false,
  }),
};

/** Options of a bulk command whose rows are more than ids. */
export const columnBulkOptions = {
  ...bulkOptions,
  format: format(
    recordFormats.filter((format) => format !== 'lines'),
    'Format of the input',
  ),
};

/** `--file` of a command that also takes ids as arguments. */
export const fileOption = (nouns: string) =>
  text('--file <file|->', `File of ${nouns}: one id per line, CSV, NDJSON or JSON`, {
    complete: 'files',
    group: input.group,
    run: input.run,
  });

export const summaryFields = [
  'runId',
  'rows',
  'created',
  'updated',
  'subscribed',
  'triggered',
  'cancelled',
  'notPending',
  'marked',
  'deleted',
  'unsubscribed',
  'added',
  'removed',
  'erased',
  'absent',
  'unchanged',
  'same',
  'different',
  'missing',
  'extra',
  'unchangedWorkflows',
  'failed',
  'invalid',
  'skipped',
  'unknown',
  'duplicates',
  'batches',
  'requests',
  'retries',
  'seconds',
  'rowsPerSecond',
  'rejects',
  'resumed',
  'alreadyFinished',
  'replayed',
  'sentAgain',
  'stopped',
  'emptyRows',
  'ignoredColumns',
  'localFiles',
  'repeatedIds',
  'absentIds',
  'repeatedAddresses',
  'canary',
  'missingSubscribers',
  'problems',
  'origin',
  'unfinished',
] as const satisfies readonly (keyof Summary)[];

export type BulkOptions = Partial<Values<typeof bulkOptions & typeof shardOptions>>;

/** A percentage applies only after this many rows. */
const minSampledRows = 100;

/** Parses `--max-errors 20` or `--max-errors 5%` into a predicate. */
export function parseMaxErrors(value: string | undefined): (bad: number, rows: number) => boolean {
  if (value === undefined) return () => false;
  const limit = readRowsOrPercent(value);
  if (limit === undefined) {
    throw usageError(
      `--max-errors: \`${value}\` must be a number of rows or a percentage such as 5%.`,
    );
  }
  if ('rows' in limit) return (bad) => bad > limit.rows;
  return (bad, rows) => rows >= minSampledRows && bad * 100 > rows * limit.percent;
}

/** The attributes of the options with this trait. */
export const optionsWith = (trait: RunTrait, options: Options): ReadonlySet<string> =>
  new Set(Object.keys(options).filter((name) => options[name]?.run?.includes(trait)));

// Parses a number of rows or a percentage of the rows, such as `20` or `5%`.

/** Undefined for another text, a fraction of a row, or more than 100%. */
export function readRowsOrPercent(
  text: string,
): { rows: number } | { percent: number } | undefined {
  const [, number, sign] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  const value = Number(number);
  if (sign === '%') return value <= 100 ? { percent: value } : undefined;
  return Number.isInteger(value) ? { rows: value } : undefined;
}

// Options that assign columns to fields, for importing subscribers and for triggering one event per row.

export const fieldOptions = {
  ...mappingOptions,
  dataColumn: commaList('--data-column <a,b>', 'Send these columns as custom data', {
    group: fields,
  }),
  dataRest: flag('--data-rest', 'Send all unknown columns or keys as custom data', {
    group: fields,
  }),
  ignoreColumn: several('--ignore-column <column>', 'Do not send the columns with this name', {
    group: fields,
  }),
  phoneRegion: text(
    '--phone-region <country>',
    'Convert phone numbers to E.164; numbers without a country code belong to this country, such as DE',
    { group: fields },
  ),
  infer: flag(
    '--infer',
    'Send numbers, true, false and null in custom data as JSON values, not as text',
    { group: fields, rare: true },
  ),
  empty: choice(
    '--empty <what>',
    ['skip', 'null'],
    'How to treat an empty cell: skip it or send null',
    { group: fields, defaultText: 'skip', rare: true },
  ),
};

/** Only for an import, which proposes fields for columns with other names. */
export const importOptions = {
  ...fieldOptions,
  saveMap: text('--save-map <mapping.yaml>', 'Save the proposed fields of the columns to a file', {
    group: fields,
    complete: 'files',
    rare: true,
    run: ['unrecorded', 'original'],
  }),
};

// Options of the canary of a mass send.

const canary = { group: 'Canary', run: ['original'] } as const;

export const canaryOptions = {
  canary: text(
    '--canary <n|p%>',
    'Send the first n rows (or this percentage) alone, and the other rows only if enough of the first events were delivered',
    canary,
  ),
  canaryTimeout: duration(
    '--canary-timeout <duration>',
    'Maximum time to wait for the deliveries of the canary',
    { ...canary, defaultText: '5m', rare: true },
  ),
  canaryRate: text(
    '--canary-rate <p%>',
    'Minimum percentage of events that must be delivered: delivered / (delivered + failed)',
    { ...canary, defaultText: '95%', rare: true },
  ),
};

export const skipCanaryOption = {
  skipCanary: flag('--skip-canary', 'Send the other rows although the canary did not pass', {
    run: ['unrecorded', 'changeable', 'original'],
  }),
};

// --shard and --run-id: send one input from several machines, each of which can be restarted with an empty disk.

const machines = { group: 'Several machines', run: ['original'], rare: true } as const;
const identity = { ...machines, run: ['unrecorded', 'original'] } as const;

export const shardOptions = {
  shard: text(
    '--shard <i/n>',
    'Process only the rows whose subscriber is in shard i of n, where i starts at 0; auto or auto/n reads i from the job scheduler',
    machines,
  ),
  runId: id(
    '--run-id <id>',
    'Id of the run; resumes the run if it exists. A run with the same id in the same environment sends the same idempotency keys, and the same transaction ids for the same rows',
    identity,
  ),
  environmentId: id(
    '--environment-id <id>',
    'With --run-id: the id of the environment, if the API key cannot list environments',
    identity,
  ),
};
