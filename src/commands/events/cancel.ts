// `svc events cancel`

import { summaryFields } from '../../bulk/command/options.ts';
import { command } from '../../cli/command.ts';
import { rest } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { cancelList, cancelOptions, cancelRun } from './cancel-many.ts';
import { cancelNamed } from './cancel-named.ts';

export const cancel = command({
  summary: 'Cancel the pending jobs of transactions',
  details:
    'Cancels pending digests and delays and the steps after them. The service creates the jobs of an event after it has accepted the trigger, so a cancellation can come too early. In that case, svc checks the activity and cancels again, with increasing pauses, until the transaction is cancelled, every job has finished, or --wait-timeout expires. If nothing is left to cancel, the command still succeeds.\n\n--run cancels every transaction of a finished run, in the environment of the run. Each transaction takes one request, so svc first prints how long the command takes.',
  arguments: {
    transactionIds: rest(
      '[transaction-id|-...]',
      'Transaction ids, as returned by `svc events trigger`; - reads a list from standard input',
      'transactions',
    ),
  },
  options: cancelOptions,
  output:
    'For each transaction: cancelled, notPending (nothing left to cancel) or unknown (the service did not report the outcome in time); as JSON, [{transactionId, cancelled: true|false|null, state}]. With - or --run, the summary of the run, which counts the three states.',
  exitCodes: ['partial'],
  examples: [
    {
      line: 'svc events cancel txn_6774858005787ee036e9fda0 --yes',
      description: 'Cancel one transaction',
    },
    {
      line: 'svc activity list --workflow trial-ending -o ids | svc events cancel - --yes',
      description: 'Cancel all transactions in a list',
    },
  ],
  fields: ({ args, options }) =>
    options.run !== undefined || args.transactionIds[0] === '-'
      ? summaryFields
      : ['transactionId', 'cancelled', 'state', 'error'],
  operations: ['cancelEvent', 'listActivity'],
  writes: true,
  gracefulShutdown: true,
  async run(context, { args: { transactionIds: ids }, options: { run, ...options } }) {
    if (run !== undefined) {
      if (ids.length > 0) throw usageError('Transaction ids cannot be combined with --run.');
      return cancelRun(context, run, options);
    }
    if (ids.length === 1 && ids[0] === '-') return cancelList(context, options);
    if (ids.length === 0) {
      throw usageError('No transaction is given.', {
        next: ['svc activity list', 'svc events cancel <transaction-id>'],
      });
    }
    return cancelNamed(context, ids, options.waitTimeout);
  },
});
