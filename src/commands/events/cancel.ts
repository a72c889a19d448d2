// `svc events cancel`
import { command } from '../../cli/command.ts';
import { rest, text } from '../../cli/options.ts';
import type { Context } from '../../context.ts';
import { SvcError, usageError } from '../../errors.ts';
import { counted } from '../../output/progress.ts';
import * as result from '../../output/result.ts';
import { bulkOptions, summaryFields } from '../bulk-options.ts';
import { severalEnding } from '../several-ending.ts';
import { cancelList, cancelRun } from './cancel-many.ts';

interface Cancelled {
  transactionId: string;
  /** Null when a repetition hid the answer, or when there was none. */
  cancelled: boolean | null;
  /** Why it was refused. */
  error?: string;
}

export const cancel = command({
  summary: 'Cancel what a trigger started and what has not happened yet',
  details:
    'Stops waiting digests and delays. Nothing to cancel is no error: `cancelled` is false. --run undoes a mass send: every transaction of the run, as far as it is still waiting, in the environment that it was sent to and once it has ended.',
  arguments: {
    transactionIds: rest(
      '[transaction-id|-...]',
      'Ids that the trigger answered with; - for a list on standard input',
      'transactions',
    ),
  },
  options: {
    run: text('--run <id|last>', 'Every transaction of a run of `svc events trigger`', {
      complete: 'runs',
    }),
    ...bulkOptions,
  },
  gives:
    'For each transaction whether anything was waiting; as data, [{transactionId, cancelled}]. With - or --run the summary of the run.',
  ends: ['partial', 'local'],
  examples: [
    { line: 'svc events cancel txn_6774858005787ee036e9fda0 --yes', means: 'One transaction' },
    {
      line: 'svc activity list --workflow trial-ending -o ids | svc events cancel - --yes',
      means: 'All of a list',
    },
  ],
  fields: ({ args, options }) =>
    options.run !== undefined || args.transactionIds[0] === '-'
      ? summaryFields
      : ['transactionId', 'cancelled', 'state', 'error'],
  calls: ['cancelEvent'],
  writes: true,
  async run(context, { args: { transactionIds: ids }, options: { run, ...options } }) {
    if (run !== undefined) {
      if (ids.length > 0) throw usageError('Give transactions or --run, not both.');
      return cancelRun(context, run, options);
    }
    if (ids.length === 1 && ids[0] === '-') return cancelList(context, options);
    if (ids.length === 0) {
      throw usageError('No transaction is named.', {
        next: ['svc activity list', 'svc events cancel <transaction-id>'],
      });
    }
    return cancelNamed(context, ids);
  },
});

async function cancelNamed(context: Context, ids: readonly string[]) {
  const what = ids.length === 1 ? `transaction ${ids[0]}` : `${ids.length} transactions`;
  await context.confirm(`Cancel what is waiting of ${what}`);
  const client = await context.client();
  const value: Cancelled[] = [];
  const errors: SvcError[] = [];
  const calls = ids.map((id) => ({ path: { transactionId: id } }));
  for await (const answer of client.each('cancelEvent', calls)) {
    const transactionId = ids[value.length] ?? '';
    if (answer instanceof SvcError) {
      errors.push(answer);
      value.push({ transactionId, cancelled: null, error: answer.message });
      continue;
    }
    // A first attempt whose answer was lost may have cancelled; the repetition then finds nothing.
    const { value: cancelled, uncertain } = answer;
    value.push({ transactionId, cancelled: uncertain && !cancelled ? null : cancelled });
  }
  const done = value.filter((one) => one.cancelled === true).length;
  const headline = `Cancelled ${done} of ${counted(ids.length, 'transaction')}`;
  const lines = value.map(lineOf);
  return result.report({ value, headline, lines, ids, ...severalEnding(errors, value) });
}

function lineOf({ transactionId, cancelled, error }: Cancelled): string {
  if (error !== undefined) return `${transactionId}: not cancelled: ${error}`;
  if (cancelled === null)
    return `${transactionId}: cancelled or nothing was waiting; the first answer was lost.`;
  return `${transactionId}: ${cancelled ? 'cancelled.' : 'nothing was waiting.'}`;
}
