// `svc events cancel`

import { bulkOptions, summaryFields } from '../../bulk/command/options.ts';
import { command } from '../../cli/command.ts';
import { rest, text } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { cancelList, cancelRun } from './cancel-many.ts';
import { cancelNamed } from './cancel-named.ts';
import { followOptions } from './follow-up.ts';

export const cancel = command({
  summary: 'Cancel the pending jobs of transactions',
  details:
    'Cancels waiting digests, delays and the steps after them. The service creates the jobs of an event after it has accepted the trigger, so a cancellation may come too early: then svc checks the activity and cancels again, with growing pauses, until the transaction is cancelled, every job has finished, or the time is over (--wait-timeout). It is no error when nothing is left to cancel. --run undoes a mass send: it cancels every transaction of the run, in the environment that the run was sent to, once the run has ended.',
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
    ...followOptions,
    ...bulkOptions,
  },
  output:
    'For each transaction: cancelled, notPending (nothing is left to cancel) or unknown (the service has not shown it); as data, [{transactionId, cancelled: true|false|null, state}]. With - or --run the summary of the run, which counts the three.',
  exitCodes: ['partial', 'refused', 'local'],
  examples: [
    {
      line: 'svc events cancel txn_6774858005787ee036e9fda0 --yes',
      description: 'One transaction',
    },
    {
      line: 'svc activity list --workflow trial-ending -o ids | svc events cancel - --yes',
      description: 'All of a list',
    },
  ],
  fields: ({ args, options }) =>
    options.run !== undefined || args.transactionIds[0] === '-'
      ? summaryFields
      : ['transactionId', 'cancelled', 'state', 'error'],
  operations: ['cancelEvent', 'listActivity'],
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
    return cancelNamed(context, ids, options.waitTimeout);
  },
});
