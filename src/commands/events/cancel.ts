// `svc events cancel`
import { command } from '../../cli/command.ts';
import { required, rest } from '../../cli/options.ts';
import * as result from '../../output/result.ts';

interface Cancelled {
  transactionId: string;
  /** Null when a repetition hid the answer. */
  cancelled: boolean | null;
}

export const cancel = command({
  summary: 'Cancel what a trigger started and what has not happened yet',
  details: 'Stops waiting digests and delays. Nothing to cancel is no error: `cancelled` is false.',
  arguments: {
    transactionId: required(
      '<transaction-id>',
      'Id that the trigger answered with',
      'transactions',
    ),
    others: rest('[transaction-id...]', 'More of them', 'transactions'),
  },
  gives:
    'For each transaction whether anything was waiting; as data, [{transactionId, cancelled}].',
  examples: [
    { line: 'svc events cancel txn_6774858005787ee036e9fda0 --yes', means: 'One transaction' },
    {
      line: 'svc events cancel txn_6774858005787ee036e9fda0 txn_677485803c9dceb341688cd0 --yes',
      means: 'Two of them',
    },
  ],
  calls: ['cancelEvent'],
  writes: true,
  async run(context, { args: { transactionId, others } }) {
    const ids = [transactionId, ...others];
    const what = ids.length === 1 ? `transaction ${transactionId}` : `${ids.length} transactions`;
    await context.confirm(`Cancel what is waiting of ${what}?`);
    const client = await context.client();
    const value: Cancelled[] = [];
    const calls = ids.map((id) => ({ path: { transactionId: id } }));
    for await (const { value: cancelled, attempts } of client.each('cancelEvent', calls)) {
      // A first attempt whose answer was lost may have cancelled; the repetition then finds nothing.
      value.push({
        transactionId: ids[value.length] ?? '',
        cancelled: attempts > 1 && !cancelled ? null : cancelled,
      });
    }
    return result.report({ value, lines: value.map(lineOf), ids });
  },
});

function lineOf({ transactionId, cancelled }: Cancelled): string {
  if (cancelled === null)
    return `${transactionId}: cancelled or nothing was waiting; the first answer was lost.`;
  return `${transactionId}: ${cancelled ? 'cancelled.' : 'nothing was waiting.'}`;
}
