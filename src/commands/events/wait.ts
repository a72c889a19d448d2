// `svc events trigger … --wait`: the exit code is the outcome of the delivery.
import type { Values } from '../../cli/command.ts';
import { choice, duration } from '../../cli/options.ts';
import type { Context } from '../../context.ts';
import { SvcError } from '../../errors.ts';
import * as result from '../../output/result.ts';
import { waitGoals } from '../transaction-outcome.ts';
import {
  endingOf,
  outcomeLines,
  outcomePlain,
  type Watched,
  watchTransaction,
} from '../watch-transaction.ts';
import type { Recipient } from './recipients.ts';

const minute = 60_000;

/** The fields of what `--wait` prints. */
export const outcomeFields = [
  'transactionId',
  'outcome',
  'recipients',
  'items',
] as const satisfies readonly (keyof Watched)[];

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
  const watching = watchTransaction(context, {
    transactionId,
    goal: wait === 'delivered' ? 'delivered' : 'settled',
    timeoutMs: waitTimeout,
    expected: { least: Math.max(1, named.size), exact: named.size === to.length },
  });
  return watching.then(outcomeReport, (error: unknown) => {
    if (error instanceof SvcError) return unknownReport(transactionId, error);
    throw error;
  });
}

const outcomeReport = (watched: Watched) =>
  result.report({
    value: watched,
    lines: outcomeLines(watched),
    plain: outcomePlain(watched),
    ids: [watched.transactionId],
    ending: endingOf(watched),
  });

/** The event is sent: to end as a trigger that fails could have it sent twice. */
function unknownReport(transactionId: string, { message }: SvcError) {
  const failure = `It is triggered, but what becomes of it cannot be asked: ${message}`;
  const again = `Look again: svc activity get ${transactionId}`;
  return result.report({
    value: { transactionId, outcome: 'unfinished', recipients: [], items: [] },
    lines: [failure, again],
    plain: '',
    ids: [transactionId],
    ending: 'undelivered',
    failure: { message: failure, hint: again },
  });
}
