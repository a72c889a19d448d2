import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { flag, required } from '../../cli/options.ts';
import { SvcError } from '../../core/errors.ts';
import { findTransactionId } from '../../deliveries/read.ts';
import { outcomeReport, readActivity, watchTransaction } from '../../deliveries/watch.ts';
import * as result from '../../output/result.ts';
import { timelineColumns, timelineRows } from './view.ts';

export const get = command({
  summary: 'Show the timeline of a transaction: recipients, jobs and details',
  arguments: {
    transactionId: required(
      '<transaction-id>',
      'Transaction id, as returned by `svc events trigger`, or its beginning or end if that is unique',
      'transactions',
    ),
  },
  options: {
    all: flag('--all', 'Show every execution detail of each step'),
    follow: flag(
      '--follow',
      'Wait until every job has a final status, and print each step as it happens',
    ),
  },
  output:
    'The timeline; as JSON, {transactionId, items}. With --follow, the outcome per recipient; as JSON, {transactionId, outcome, recipients, items}.',
  exitCodes: ['undelivered'],
  examples: {
    'svc activity get txn_6774858005787ee036e9fda0': 'See who received what, and why not',
    'svc activity get txn_6774858005787ee036e9fda0 --jq ".items[].jobs[].status"':
      'Print the status of each job',
  },
  fields: ({ options }) =>
    options.follow
      ? ['transactionId', 'outcome', 'recipients', 'items']
      : ['transactionId', 'items'],
  operations: ['listActivity'],
  writes: false,
  tool: 'read',
  async run(context, { args, options }) {
    if (options.follow) return followTransaction(context, args.transactionId);
    const { transactionId, items } = await readEvent(context, args.transactionId);
    if (items.length === 0) {
      throw new SvcError(
        'notFound',
        `No event with transaction id \`${transactionId}\` was found.`,
        {
          hint: 'An event that was just triggered may take a moment to appear. Events older than the retention period of the plan are deleted.',
          next: ['svc activity list --since 1h'],
        },
      );
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
        { field: 'at', header: 'WHEN', value: () => items[0]?.createdAt, time: true },
        { field: 'severity', header: 'SEVERITY', value: () => items[0]?.severity },
        { field: 'payload', header: 'PAYLOAD', value: () => items[0]?.payload },
        { field: 'recipients', header: 'RECIPIENTS', value: () => items.length },
      ],
      parts: [
        {
          title: 'Timeline',
          rows: timelineRows(items, options.all === true),
          columns: timelineColumns,
          empty: 'This transaction has no jobs.',
        },
      ],
      id: (record) => record.transactionId,
    });
  },
});

/** Reads a transaction by its id, or by the beginning or the end of it. */
async function readEvent(context: Context, name: string) {
  const items = await readActivity(context, name);
  const found = items.length > 0 ? undefined : await findTransactionId(context, name);
  return found === undefined
    ? { transactionId: name, items }
    : { transactionId: found, items: await readActivity(context, found) };
}

/** Prints new execution details on standard error; returns the outcome. */
async function followTransaction(context: Context, transactionId: string) {
  const expected = { minRecipients: 1, isExact: false };
  const watched = await watchTransaction(context, {
    transactionId,
    condition: { goal: 'settled', required: [] },
    timeoutMs: Number.POSITIVE_INFINITY,
    expected,
  });
  return result.report({
    value: watched,
    ...(await outcomeReport(context, watched, { expected })),
  });
}
