// Watching a transaction until it has come to its end: asks again and again, tells what is new.
import type { ActivityItem } from '../api/schemas/activity.ts';
import type { Context } from '../context.ts';
import type { Ending } from '../errors.ts';
import { outcomeOf, type RecipientOutcome, type WaitGoal } from './transaction-outcome.ts';

export interface Watched {
  transactionId: string;
  outcome: 'delivered' | 'undelivered' | 'unfinished';
  recipients: RecipientOutcome[];
  items: ActivityItem[];
}

export interface WatchOptions {
  transactionId: string;
  goal: WaitGoal;
  timeoutMs: number;
  /** How many recipients must show up; not exact when a topic may bring more. */
  expected: { least: number; exact: boolean };
}

const firstPauseMs = 250;
const longestPauseMs = 2_000;
/** Longer than the service takes to begin; from then on silence needs a word. */
const silentMs = 5_000;

const noRecipient =
  'No recipient has shown up: a topic that does not exist, or has no subscribers, brings none.';

export async function watchTransaction(
  context: Context,
  { transactionId, goal, timeoutMs, expected }: WatchOptions,
): Promise<Watched> {
  const { clock, interruption } = context.world;
  const began = clock.ticks();
  const until = began + timeoutMs;
  const tell = storyteller(context);
  let settledBefore = false;
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 1.5, longestPauseMs)) {
    const items = await itemsOf(context, transactionId);
    tell(items);
    if (items.length === 0 && clock.ticks() - began > silentMs) tell.silence();
    const recipients = items.map((item) => outcomeOf(item, goal));
    const settled =
      items.length >= expected.least && recipients.every(({ outcome }) => outcome !== 'unfinished');
    // Recipients of a topic come one after the other: a second look finds the same, or goes on.
    if ((settled && (settledBefore || expected.exact)) || clock.ticks() + pause > until) {
      return { transactionId, outcome: overall(recipients, settled), recipients, items };
    }
    settledBefore = settled;
    await clock.sleep(pause, interruption);
  }
}

function overall(recipients: readonly RecipientOutcome[], settled: boolean): Watched['outcome'] {
  if (recipients.some(({ outcome }) => outcome === 'undelivered')) return 'undelivered';
  return settled ? 'delivered' : 'unfinished';
}

export const endingOf = ({ outcome }: Watched): Ending =>
  outcome === 'delivered' ? 'ok' : 'undelivered';

/** What a pipe gets: recipient, outcome and reasons, one recipient a line. */
export const outcomePlain = ({ recipients }: Watched): string =>
  recipients
    .map(({ subscriberId, outcome, reasons }) => [subscriberId, outcome, reasons.join('; ')])
    .map((cells) => cells.map((cell) => cell.replace(/[\t\r\n]/g, ' ')).join('\t'))
    .join('\n');

/** Lines for a person: one for each recipient, and what to do when it did not end. */
export function outcomeLines({ transactionId, outcome, recipients }: Watched): string[] {
  const lines = recipients.map(({ subscriberId, outcome: own, reasons }) => {
    const why = reasons.length > 0 ? `: ${reasons.join('; ')}` : '';
    return `${subscriberId}: ${own === 'merged' ? 'merged into an earlier digest' : own}${why}`;
  });
  if (recipients.length === 0) lines.push(noRecipient);
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
        for (const { _id, detail } of job.executionDetails.filter(isNews))
          once(_id, `  ${who}  ${job.type}  ${detail}`);
        if (job.status === 'delayed' && context.profile()?.profile.sandbox) {
          once(
            'clock',
            'A step waits. In the sandbox time can be moved: svc sandbox clock advance, with 10m or 3d',
          );
        }
      }
    }
  };
  return Object.assign(tell, { silence: () => once('silence', noRecipient) });
}
