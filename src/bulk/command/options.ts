// The options of every command that sends many items: input, sending, rejects.
import type { Values } from '../../cli/command.ts';
import { choice, flag, integer, text } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import type { Summary } from '../engine/stats.ts';

const input = 'Input';
const sending = 'Sending';
const rejected = 'Rejects';

export const bulkOptions = {
  format: choice(
    '--format <format>',
    ['csv', 'ndjson', 'json', 'lines'],
    'Format of the input; else guessed from name and content',
    { group: input },
  ),
  delimiter: text('--delimiter <character>', 'Between CSV cells; else guessed', { group: input }),
  skip: integer('--skip <n>', 'Skip the first n rows', { min: 0, group: input }),
  take: integer('--take <n>', 'Process at most n rows', { min: 1, group: input }),
  spool: flag('--spool', 'Keep a copy of standard input first, so that the run can be resumed', {
    group: input,
  }),
  failOnEmpty: flag(
    '--fail-on-empty',
    'Exit with 2 when the input has no rows, instead of warning',
    {
      group: input,
    },
  ),
  validateOnly: flag('--validate-only', 'Check every row without sending', { group: sending }),
  concurrency: integer('--concurrency <n>', 'Max concurrent requests; adapts to the service', {
    min: 1,
    max: 64,
    group: sending,
    defaultText: '64',
  }),
  rate: integer('--rate <n>', 'Max rows per second', { min: 1, group: sending }),
  maxErrors: text('--max-errors <n|p%>', 'Stop when more rows than this fail', {
    group: sending,
  }),
  resume: text('--resume <run-id>', 'Resume a run that ended early', {
    group: sending,
    complete: 'runs',
  }),
  rejects: text('--rejects <path>', 'Where rejected rows go; else in the folder of the run', {
    group: rejected,
    complete: 'files',
  }),
  force: flag('--force', 'Replace a rejects file that exists', { group: rejected }),
};

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
  'stopped',
] as const satisfies readonly (keyof Summary)[];

export type BulkOptions = Partial<Values<typeof bulkOptions>>;

/** Rows before a share means anything. */
const sampled = 100;

/** `--max-errors 20` or `--max-errors 5%`. */
export function readMaxErrors(typed: string | undefined): (bad: number, rows: number) => boolean {
  if (typed === undefined) return () => false;
  const found = /^(\d+(?:\.\d+)?)(%?)$/.exec(typed.trim());
  const most = Number(found?.[1]);
  if (!found || (found[2] === '' && !Number.isInteger(most)) || (found[2] !== '' && most > 100)) {
    throw usageError(
      `--max-errors: \`${typed}\` is neither a number of rows nor a share such as 5%.`,
    );
  }
  if (found[2] === '') return (bad) => bad > most;
  return (bad, rows) => rows >= sampled && bad * 100 > rows * most;
}
