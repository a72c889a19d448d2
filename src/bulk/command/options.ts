// Options of all bulk commands: input, sending, rejects.
import type { Options, RunTrait, Values } from '../../cli/command.ts';
import { choice, commaList, flag, integer, several, text } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { encodings, type RecordFormat, recordFormats } from '../../input/formats.ts';
import type { Summary } from '../engine/stats.ts';
import { readRowsOrPercent } from './rows-or-percent.ts';
import type { shardOptions } from './shard-options.ts';

const input = { group: 'Input', run: ['original'], rare: true } as const;
const sending = { group: 'Sending' };
/** The options that assign columns to fields. */
export const fields = 'Fields';
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

/** The fields of a run's summary. */
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
