// Watching a transaction until its jobs have finished: polls the activity and prints what is new.
import type { ActivityItem } from '../../api/schemas/activity.ts';
import type { Context } from '../../app/context.ts';
import type { ExitReason } from '../../core/errors.ts';
import { detailText } from './failure-reason.ts';
import { outcomeOf, type RecipientOutcome, type Wanted } from './transaction-outcome.ts';

export interface Watched {
  transactionId: string;
  outcome: 'delivered' | 'undelivered' | 'unfinished';
  recipients: RecipientOutcome[];
  items: ActivityItem[];
}

export interface WatchOptions {
  transactionId: string;
  wanted: Wanted;
  timeoutMs: number;
  /** How many recipients must show up; not exact when topics may bring more. */
  expected: { least: number; exact: boolean; topics?: readonly string[] };
}

const firstPauseMs = 250;
const longestPauseMs = 2_000;
/** Most services have processed an event by then. */
const silentMs = 5_000;

function notProcessed({ topics = [] }: WatchOptions['expected']): string {
  const text = 'The service has not processed the event yet.';
  if (topics.length === 0) return text;
  const named = topics.map((key) => `\`${key}\``).join(', ');
  return `${text} A topic without subscribers (${named}) never gets any further.`;
}

export async function watchTransaction(
  context: Context,
  { transactionId, wanted, timeoutMs, expected }: WatchOptions,
): Promise<Watched> {
  const { clock, shutdownSignal } = context.host;
  const began = clock.ticks();
  const until = began + timeoutMs;
  const tell = storyteller(context);
  let settledBefore = false;
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 1.5, longestPauseMs)) {
    const items = await itemsOf(context, transactionId);
    tell(items);
    if (items.length === 0 && clock.ticks() - began > silentMs) tell.silence(expected);
    const recipients = items.map((item) => outcomeOf(item, wanted));
    const settled =
      items.length >= expected.least && recipients.every(({ outcome }) => outcome !== 'unfinished');
    // Recipients of a topic come one after the other: a second look finds the same, or goes on.
    if ((settled && (settledBefore || expected.exact)) || clock.ticks() + pause > until) {
      return { transactionId, outcome: overall(recipients, settled), recipients, items };
    }
    settledBefore = settled;
    await clock.sleep(pause, shutdownSignal);
  }
}

function overall(recipients: readonly RecipientOutcome[], settled: boolean): Watched['outcome'] {
  if (recipients.some(({ outcome }) => outcome === 'undelivered')) return 'undelivered';
  return settled ? 'delivered' : 'unfinished';
}

export const exitReasonOf = ({ outcome }: Watched): ExitReason =>
  outcome === 'delivered' ? 'ok' : 'undelivered';

/** What a pipe gets: recipient, outcome and reasons, one recipient a line. */
export const outcomePlain = ({ recipients }: Watched): string =>
  recipients
    .map(({ subscriberId, outcome, reasons }) => [subscriberId, outcome, reasons.join('; ')])
    .map((cells) => cells.map((cell) => cell.replace(/[\t\r\n]/g, ' ')).join('\t'))
    .join('\n');

/** Lines for a person: one for each recipient, and what to do when it did not end. */
export function outcomeLines(
  { transactionId, outcome, recipients }: Watched,
  expected: WatchOptions['expected'],
): string[] {
  const lines = recipients.map(({ subscriberId, outcome: own, reasons }) => {
    const why = reasons.length > 0 ? `: ${reasons.join('; ')}` : '';
    return `${subscriberId}: ${own === 'merged' ? 'merged into an earlier digest' : own}${why}`;
  });
  if (recipients.length === 0) lines.push(notProcessed(expected));
  if (outcome === 'unfinished') lines.push(`Look again: svc activity get ${transactionId}`);
  return lines;
}

async function itemsOf(context: Context, transactionId: string): Promise<ActivityItem[]> {
  const items: ActivityItem[] = [];
  const query = { transactionId };
  for await (const page of context.pages('listActivity', { query }, { all: true })) {
    items.push(...page.items);
  }
  return items.reverse();
}

/** Steps on the way to one of these are left out: `Step queued`, `Message created`. */
const isNews = ({ status, detail }: { status: string; detail: string }) =>
  status !== 'Pending' || /^Step (delayed|digested)/.test(detail);

/** Tells each thing that happens once, as it happens. */
function storyteller(context: Context) {
  const told = new Set<string>();
  const once = (id: string, text: string) => {
    if (told.has(id)) return;
    told.add(id);
    context.note(text);
  };
  const tell = (items: readonly ActivityItem[]) => {
    for (const item of items) {
      const who = item.subscriber?.subscriberId ?? item._subscriberId;
      for (const job of item.jobs ?? []) {
        for (const happened of job.executionDetails.filter(isNews))
          once(happened._id, `  ${who}  ${job.type}  ${detailText(happened)}`);
        if (job.status === 'delayed' && context.profile()?.profile.sandbox) {
          once(
            'clock',
            'A step waits. In the sandbox time can be moved: svc sandbox clock advance, with 10m or 3d',
          );
        }
      }
    }
  };
  const silence = (expected: WatchOptions['expected']) => once('silence', notProcessed(expected));
  return Object.assign(tell, { silence });
}
