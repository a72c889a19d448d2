// `svc activity get`
import type { ActivityItem } from '../../api/schemas/activity.ts';
import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { flag, required } from '../../cli/options.ts';
import { SvcError } from '../../core/errors.ts';
import * as result from '../../output/result.ts';
import {
  exitReasonOf,
  outcomeLines,
  outcomePlain,
  watchTransaction,
} from '../shared/watch-transaction.ts';
import { timeline, timelineColumns } from './view.ts';

export const get = command({
  summary: 'Show the timeline of a transaction: recipients, jobs and details',
  arguments: {
    transactionId: required(
      '<transaction-id>',
      'Id that the trigger answered with',
      'transactions',
    ),
  },
  options: {
    follow: flag('--follow', 'Wait until every job has a final status, and print what happens'),
  },
  output:
    'The timeline; as data, {transactionId, items}. With --follow the outcome for each recipient; as data, {transactionId, outcome, recipients, items}.',
  exitCodes: ['undelivered'],
  examples: [
    {
      line: 'svc activity get txn_6774858005787ee036e9fda0',
      description: 'Who got what, and why not',
    },
    {
      line: 'svc activity get txn_6774858005787ee036e9fda0 --jq ".items[].jobs[].status"',
      description: 'The states of its jobs',
    },
  ],
  fields: ({ options }) =>
    options.follow
      ? ['transactionId', 'outcome', 'recipients', 'items']
      : ['transactionId', 'items'],
  operations: ['listActivity'],
  writes: false,
  async run(context, { args: { transactionId }, options }) {
    if (options.follow) return followed(context, transactionId);
    const items: ActivityItem[] = [];
    for await (const page of context.pages(
      'listActivity',
      { query: { transactionId } },
      { all: true },
    )) {
      items.push(...page.items);
    }
    if (items.length === 0) {
      throw new SvcError('notFound', `No event of transaction \`${transactionId}\` is known.`, {
        hint: 'A trigger that was just accepted may take a moment; events beyond the retention of the plan are gone.',
        next: ['svc activity list --since 1h'],
      });
    }
    const value = { transactionId, items };
    return result.one({
      value,
      fields: [
        { field: 'transactionId', header: 'TRANSACTION', tone: () => 'strong' },
        {
          field: 'workflow',
          header: 'WORKFLOW',
          value: () => items[0]?.template?.triggers[0]?.identifier,
        },
        { field: 'severity', header: 'SEVERITY', value: () => items[0]?.severity },
        { field: 'payload', header: 'PAYLOAD', value: () => items[0]?.payload },
        { field: 'recipients', header: 'RECIPIENTS', value: () => items.length },
      ],
      parts: [
        {
          title: 'Timeline',
          rows: timeline(items),
          columns: timelineColumns as never,
          empty: 'It has no jobs.',
        },
      ],
      id: (shown) => shown.transactionId,
    });
  },
});

/** Prints the timeline on standard error as it grows; the result is the outcome. */
async function followed(context: Context, transactionId: string) {
  const expected = { least: 1, exact: false };
  const watched = await watchTransaction(context, {
    transactionId,
    wanted: { goal: 'settled', required: [] },
    timeoutMs: Number.POSITIVE_INFINITY,
    expected,
  });
  return result.report({
    value: watched,
    lines: outcomeLines(watched, expected),
    tsv: outcomePlain(watched),
    ids: [transactionId],
    exitReason: exitReasonOf(watched),
  });
}
