// Polls the activity of a transaction until its jobs have finished, and prints new execution details.

import type { Context } from '../../app/context.ts';
import { isSandboxTarget } from '../../config/target.ts';
import { collectItems, pollUntil } from '../../core/async.ts';
import { shellWord } from '../../core/text.ts';
import { detailText } from '../../explain/causes.ts';
import { isWithoutSteps } from '../../explain/event-outcome.ts';
import { waitEnd } from '../../explain/verdict.ts';
import { isWaitStart } from '../../service/job-outcomes.ts';
import type { ActivityItem, ExecutionDetail } from '../../service/schemas/activity.ts';
import {
  type DeliveryCondition,
  judgeDelivery,
  type RecipientOutcome,
} from './transaction-outcome.ts';

export interface Watched {
  transactionId: string;
  outcome: 'delivered' | 'undelivered' | 'unfinished';
  recipients: RecipientOutcome[];
  items: ActivityItem[];
}

export interface WatchOptions {
  transactionId: string;
  condition: DeliveryCondition;
  timeoutMs: number;
  /** Minimum number of recipients; not exact if topics may add more. */
  expected: { minRecipients: number; isExact: boolean; topics?: readonly string[] };
  /** The report has a line for each step, so a step is printed early only if it is delayed. */
  printsSteps?: boolean;
}

const polling = { firstMs: 250, maxMs: 2_000 };
/** Time after which an event without jobs is reported. Most services need less. */
const expectedDelayMs = 5_000;

export async function watchTransaction(
  context: Context,
  { transactionId, condition, timeoutMs, expected, printsSteps = false }: WatchOptions,
): Promise<Watched> {
  const { clock, shutdownSignal } = context.host;
  const startedAt = clock.ticks();
  const reporter = createReporter(context, printsSteps ? isWaitStart : isRelevant);
  let wasFinished = false;
  return pollUntil({ ...polling, clock, signal: shutdownSignal, timeoutMs }, async (isLast) => {
    const items = (await readActivity(context, transactionId)).reverse();
    reporter.printNew(items);
    if (items.length === 0 && clock.ticks() - startedAt > expectedDelayMs)
      reporter.printNotProcessed(expected);
    const recipients = items.map((item) => judgeDelivery(item, condition));
    // The service may add the jobs of an event without any a moment later.
    const isCertain = expected.isExact && !items.some(isWithoutSteps);
    const isFinished =
      items.length >= expected.minRecipients &&
      recipients.every(({ outcome }) => outcome !== 'unfinished');
    // The service adds the recipients of a topic one by one, so one more poll must find no new ones.
    if ((isFinished && (wasFinished || isCertain)) || isLast())
      return { transactionId, outcome: overallOutcome(recipients, isFinished), recipients, items };
    wasFinished = isFinished;
    return undefined;
  });
}

function overallOutcome(
  recipients: readonly RecipientOutcome[],
  isFinished: boolean,
): Watched['outcome'] {
  if (recipients.some(({ outcome }) => outcome === 'undelivered')) return 'undelivered';
  return isFinished ? 'delivered' : 'unfinished';
}

/** All items of a transaction, newest first. */
export const readActivity = (context: Context, transactionId: string): Promise<ActivityItem[]> =>
  collectItems(context.pages('listActivity', { query: { transactionId } }, { all: true }));

/** Leaves out intermediate details such as `Step queued` and `Message created`. */
const isRelevant = (detail: ExecutionDetail) => detail.status !== 'Pending' || isWaitStart(detail);

/** Prints each message once. */
function createReporter(context: Context, isPrinted: (entry: ExecutionDetail) => boolean) {
  const printed = new Set<string>();
  const printOnce = (id: string, text: string) => {
    if (printed.has(id)) return;
    printed.add(id);
    context.note(text);
  };
  return {
    printNew(items: readonly ActivityItem[]) {
      for (const item of items) {
        const subscriber = item.subscriber?.subscriberId ?? item._subscriberId;
        for (const job of item.jobs ?? []) {
          for (const entry of job.executionDetails.filter(isPrinted))
            printOnce(entry._id, `  ${subscriber}  ${job.type}  ${detailText(entry)}`);
        }
      }
      const [dueAt] = items
        .flatMap(({ jobs = [] }) => jobs.filter(({ status }) => status === 'delayed'))
        .flatMap((job) => waitEnd(job) ?? [])
        .sort();
      if (dueAt !== undefined && isSandboxTarget(context.connection.target()))
        printOnce(
          'clock',
          `A step is delayed. To move the sandbox's clock: svc sandbox clock set ${shellWord(dueAt)}`,
        );
    },
    printNotProcessed: (expected: WatchOptions['expected']) =>
      printOnce('notProcessed', notProcessedText(expected)),
  };
}

export function notProcessedText({ topics = [] }: WatchOptions['expected']): string {
  const text = 'The service has not processed the event yet.';
  if (topics.length === 0) return text;
  const keys = topics.map((key) => `\`${key}\``).join(', ');
  return `${text} An event for a topic without subscribers is never processed (${keys}).`;
}
