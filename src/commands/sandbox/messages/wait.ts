import type { Context } from '../../../app/context.ts';
import { command } from '../../../cli/command.ts';
import { integer } from '../../../cli/options.ts';
import { durationText } from '../../../core/durations.ts';
import { SvcError } from '../../../core/errors.ts';
import { counted, shellLine } from '../../../core/text.ts';
import * as result from '../../../output/result.ts';
import type { MessageQuery } from '../../../sandbox/control/client.ts';
import {
  deliveredMessages,
  describePendingJobs,
  earlyEndTexts,
  explainMissingMessages,
  type WaitOutcome,
  waitForMessages,
} from '../../../sandbox/control/wait-for-messages.ts';
import {
  type ConnectedSandbox,
  callControl,
  connectSandbox,
  noteChosenSandbox,
} from '../connect.ts';
import { filterArguments, filterQuery, messageColumns, messageFilters, messageId } from './view.ts';

const defaultTimeoutMs = 10_000;

export const wait = command({
  summary: 'Wait until the sandbox has captured messages',
  details:
    'The exit code is 0 as soon as enough messages match, and 9 if they do not appear within --timeout (default 10s). With --transaction, svc stops waiting as soon as all steps have finished, or if the remaining steps are not due within --timeout. Only messages with the status sent count: a service would not deliver the others, such as those to a subscriber without an address. The error says why each step did not deliver. Messages that were captured before the command started count too. Delays and digests follow the clock of the sandbox: advance it with `svc sandbox clock advance`.',
  options: {
    ...messageFilters,
    count: integer('--count <n>', 'Number of messages to wait for', {
      min: 1,
      max: 1_000_000,
      defaultText: '1',
    }),
  },
  output:
    'A list of all delivered messages that match, newest first; with -o ids, the `_id` of each.',
  exitCodes: ['notFound', 'undelivered'],
  examples: {
    'svc sandbox messages wait --transaction txn_6774858005787ee036e9fda0 --channel email -p sandbox':
      'Wait for an e-mail of a transaction',
    'svc sandbox messages wait --workflow welcome --count 2 --timeout 30s -o ids -p sandbox':
      'Wait up to 30 seconds for two messages; print their ids',
  },
  writes: false,
  tool: 'read',
  async run(context, { options: { count = 1, ...filters } }) {
    const connected = await connectSandbox(context);
    noteChosenSandbox(context, connected);
    const timeoutMs = context.globals.timeout ?? defaultTimeoutMs;
    const query = filterQuery(filters);
    const outcome = await waitFor(context, connected, query, { count, timeoutMs });
    const items = await callControl(connected, (control) => deliveredMessages(control, query));
    if (outcome !== 'captured') {
      const wanted = counted(count, 'message');
      throw await notCaptured(context, connected, filters, {
        captured:
          items.length === 0
            ? `did not capture ${wanted}`
            : `captured only ${items.length} of ${wanted}`,
        end: outcome === 'timeout' ? ` within ${durationText(timeoutMs)}.` : earlyEndTexts[outcome],
      });
    }
    return result.list({
      pages: result.onePage(items),
      columns: messageColumns,
      id: messageId,
      empty: 'No messages match.',
    });
  },
});

async function waitFor(
  { host }: Context,
  connected: ConnectedSandbox,
  query: MessageQuery,
  goal: { count: number; timeoutMs: number },
): Promise<WaitOutcome> {
  const { ticks: now, sleep } = host.clock;
  const options = { ...goal, now, sleep, intervalMs: 100 };
  try {
    return await callControl(connected, (control) => waitForMessages(control, query, options));
  } catch (error) {
    // --timeout also limits each request.
    const outcome = error instanceof SvcError ? error.details.outcome : undefined;
    if (outcome && 'failure' in outcome && outcome.failure === 'timeout') return 'timeout';
    throw error;
  }
}

/** The error that says what is missing and why, and which jobs are still pending. */
async function notCaptured(
  { propose }: Context,
  connected: ConnectedSandbox,
  filters: Parameters<typeof filterArguments>[0],
  { captured, end }: { captured: string; end: string },
): Promise<SvcError> {
  const selected = filterArguments(filters);
  const { control } = connected;
  const pending = await describePendingJobs(control).catch(() => undefined);
  // A sandbox of an earlier version cannot explain it.
  const { knownWorkflows, reasons } = await explainMissingMessages(
    control,
    filterQuery(filters),
  ).catch(() => ({ knownWorkflows: undefined, reasons: [] }));
  const matching = selected.length === 0 ? '' : ` with ${selected.join(' ')}`;
  return new SvcError(
    'undelivered',
    `The ${connected.title} ${captured}${matching}${end}${knownWorkflows ? ` Unknown workflow \`${filters.workflow}\`.` : ''}`,
    {
      fieldErrors: reasons,
      ...(knownWorkflows
        ? { suggestion: { input: filters.workflow ?? '', candidates: knownWorkflows } }
        : {}),
      hint: pending?.text,
      next: [
        ['messages', 'list', ...selected],
        ...(pending ? [['clock', 'set', pending.nextJobAt]] : []),
      ].map((words) => propose(`svc sandbox ${shellLine(words)}`, connected.profile)),
    },
  );
}
