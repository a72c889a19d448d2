// `svc events trigger … --wait`: the exit code reports whether the event was delivered.

import type { Context } from '../../app/context.ts';
import type { Values } from '../../cli/command.ts';
import { choice, duration, severalOf } from '../../cli/options.ts';
import { SvcError } from '../../core/errors.ts';
import { shellWord } from '../../core/text.ts';
import { waitGoals } from '../../deliveries/outcome.ts';
import { outcomeReport, type Watched, watchTransaction } from '../../deliveries/watch.ts';
import { outputShape } from '../../output/printer.ts';
import * as result from '../../output/result.ts';
import { allChannels } from '../../service/schemas/vocabulary.ts';
import type { Recipient } from './recipients.ts';

const minute = 60_000;

/** Fields of the result of `--wait`. */
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
    'Wait until every job has a final status (settled, the default), or until every recipient has received a message (delivered)',
    { group: 'Waiting' },
  ),
  waitTimeout: duration('--wait-timeout <duration>', 'Maximum time to wait; implies --wait', {
    group: 'Waiting',
    defaultText: '60s',
  }),
  require: severalOf(
    '--require <channel>',
    allChannels,
    'Exit with 9 unless this channel reached every recipient; implies --wait',
    { group: 'Waiting' },
  ),
};

type Options = Partial<Values<typeof waitOptions>>;

export const isWaiting = ({ wait, waitTimeout, require }: Options): boolean =>
  wait !== undefined || waitTimeout !== undefined || require !== undefined;

interface Triggered {
  transactionId: string;
  to: readonly Recipient[];
  /** Members to add to the result. */
  extraFields: object;
}

export async function waitForOutcome(
  context: Context,
  { transactionId, to, extraFields }: Triggered,
  { wait, waitTimeout = minute, require: required = [] }: Options,
) {
  const subscriberIds = new Set(
    to.flatMap((recipient) => ('subscriberId' in recipient ? [recipient.subscriberId] : [])),
  );
  const topics = to.flatMap((recipient) => ('topicKey' in recipient ? [recipient.topicKey] : []));
  const expected = {
    minRecipients: Math.max(1, subscriberIds.size),
    isExact: topics.length === 0,
    topics,
  };
  const watching = watchTransaction(context, {
    transactionId,
    condition: { goal: wait === 'delivered' ? 'delivered' : 'settled', required },
    timeoutMs: waitTimeout,
    expected,
    printsSteps: outputShape(context) === 'table',
  });
  const report = async (watched: Watched) =>
    result.report({
      value: { ...watched, ...extraFields },
      ...(await outcomeReport(context, watched, { expected, required })),
    });
  return watching.then(report, (error: unknown) => {
    if (error instanceof SvcError) return unknownReport(context, transactionId, extraFields, error);
    throw error;
  });
}

/** Does not use the exit code of the error: a script could take it for a failed trigger and send the event twice. */
function unknownReport(
  { propose }: Context,
  transactionId: string,
  extraFields: object,
  { message }: SvcError,
) {
  const failure = `The event was triggered, but its outcome is unknown: ${message}`;
  const check = `svc activity get ${shellWord(transactionId)}`;
  return result.report({
    value: { transactionId, outcome: 'unfinished', recipients: [], items: [], ...extraFields },
    lines: [failure, `Check again: ${propose(check)}`],
    tsv: '',
    ids: [transactionId],
    end: result.exit('undelivered', { message: failure, next: [check] }),
  });
}
