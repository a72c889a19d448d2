// `svc events trigger … --wait`: the exit code is the outcome of the delivery.
import type { Values } from '../../cli/command.ts';
import { choice, duration } from '../../cli/options.ts';
import type { Context } from '../../context.ts';
import * as result from '../../output/result.ts';
import { waitGoals } from '../transaction-outcome.ts';
import { endingOf, outcomeLines, outcomePlain, watchTransaction } from '../watch-transaction.ts';
import type { Recipient } from './recipients.ts';

const minute = 60_000;

export const waitOptions = {
  wait: choice(
    '--wait[=settled|delivered]',
    ['', ...waitGoals],
    'Wait until every job has settled (the default), or until every recipient has got something',
    { group: 'Waiting' },
  ),
  waitTimeout: duration('--wait-timeout <duration>', 'Longest time to wait', {
    group: 'Waiting',
    defaultText: '60s',
  }),
};

export async function waitedFor(
  context: Context,
  transactionId: string,
  to: readonly Recipient[],
  { wait, waitTimeout = minute }: Partial<Values<typeof waitOptions>>,
) {
  const named = new Set(to.flatMap((one) => ('subscriberId' in one ? [one.subscriberId] : [])));
  const watched = await watchTransaction(context, {
    transactionId,
    goal: wait === 'delivered' ? 'delivered' : 'settled',
    timeoutMs: waitTimeout,
    expected: { least: Math.max(1, named.size), exact: named.size === to.length },
  });
  return result.report({
    value: watched,
    lines: outcomeLines(watched),
    plain: outcomePlain(watched),
    ids: [transactionId],
    ending: endingOf(watched),
  });
}
