// Polls the activity of a transaction until its jobs have finished, and prints new execution details.
import type { Context } from '../app/context.ts';
import { isSandboxTarget } from '../config/target.ts';
import { collectItems, growingPauses, pollUntil } from '../core/async.ts';
import { shellWord } from '../core/text.ts';
import { isWaitStart } from '../service/job-outcomes.ts';
import type { ActivityItem, ExecutionDetail } from '../service/schemas/activity.ts';
import { detailText } from './causes.ts';
import { type EventRun, findEventRun, requireRunTarget, type SentEvents } from './event-run.ts';
import {
  type DeliveryCondition,
  isWithoutSteps,
  judgeDelivery,
  type RecipientOutcome,
} from './outcome.ts';
import { createDigestEvents, readAllTransactions, readTransactions } from './read.ts';
import { createDeliveries, type Deliveries, type DeliverySummary } from './summary.ts';
import { waitEnd } from './verdict.ts';

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

// The deliveries of a run: reads them once, or until they are finished.

/** Finds the run and checks that it belongs to the active service. */
export async function openRunDeliveries(context: Context, name: string): Promise<EventRun> {
  const { openRunStore } = await import('../bulk/journal/run-store.ts');
  const participle = 'read';
  const store = openRunStore(context.host);
  const run = await findEventRun(context, store, name, { participle, resends: true });
  await requireRunTarget(context, run, {
    participle,
    command: 'runs show --deliveries',
    ifReplaced: 'the deliveries are in the activity: `svc activity stats`',
  });
  return run;
}

/** The profile that a run was started with; undefined for `last`, which is a run of the active profile. */
export async function profileOfRun(context: Context, name: string): Promise<string | undefined> {
  if (name === 'last') return undefined;
  const { openRunStore } = await import('../bulk/journal/run-store.ts');
  return openRunStore(context.host).readManifest(name).profile ?? undefined;
}

const rejectedCount = ({ rejected }: SentEvents) =>
  rejected.reduce((sum, { count }) => sum + count, 0);

interface RunDeliveries {
  summary: DeliverySummary;
  deliveries: Deliveries;
  sent: SentEvents;
}

/** Reads the deliveries of a run once. `add` gets each event as it is read. */
export async function readRunDeliveries(
  context: Context,
  run: EventRun,
  add: (item: ActivityItem) => void = () => undefined,
): Promise<RunDeliveries> {
  const sent = await run.readSent();
  const deliveries = createDeliveries();
  await readAllTransactions(context, { ids: sent.ids, isSingle: run.isSingle }, (item) => {
    deliveries.add(item);
    add(item);
  });
  await readDigests(context, deliveries);
  return { deliveries, sent, summary: deliveries.summary(sent.ids, rejectedCount(sent)) };
}

/** A step that was merged into the digest of an earlier event has the outcome of that digest. */
async function readDigests(context: Context, deliveries: Deliveries): Promise<void> {
  const digests = await createDigestEvents(context).read(deliveries.openDigests());
  for (const digest of digests) deliveries.addDigest(digest);
}

const runPolling = { firstMs: 500, maxMs: 5_000 };
/** One poll asks for at most this many events, those that were asked for longest ago first. */
const maxPolled = 2_000;
/** An event that is not in the activity after this time without any news is not expected any more. */
const maxSilenceMs = 60_000;

export interface Snapshot extends DeliverySummary {
  /** Whether the run is still sending events. */
  isSending: boolean;
  /** The remaining events are not in the activity, and nothing has changed for a while. */
  isStuck: boolean;
}

/** Yields the deliveries after each poll, until all recipients, or this part of them, are finished. */
export async function* watchRunDeliveries(
  context: Context,
  run: EventRun,
  { until, isRunning }: { until: number; isRunning: () => boolean },
): AsyncGenerator<Snapshot, void, void> {
  const { clock, shutdownSignal } = context.host;
  let isSending = isRunning();
  let { deliveries, sent, summary } = await readRunDeliveries(context, run);
  const growing = createGrowingEvents(run, deliveries, clock.now());
  growing.update(sent.ids);
  let queue: readonly string[] = [];
  let changedAt = clock.ticks();
  const nextPause = growingPauses(runPolling);
  for (let pause = nextPause(); ; pause = nextPause()) {
    const { waiting } = summary.outcomes;
    const isSilent = clock.ticks() - changedAt >= maxSilenceMs;
    const isStuck = !isSending && isSilent && waiting > 0 && waiting === summary.missing;
    yield { ...summary, isSending, isStuck };
    const isEnough = summary.finished >= summary.recipients * until;
    const mayGrow = until === 1 && sent.ids.some(growing.has);
    if (isStuck || (!isSending && isEnough && !mayGrow)) return;
    await clock.sleep(pause, shutdownSignal);
    // A run that has just finished can have sent more events since the last poll.
    const wasSending = isSending;
    isSending &&= isRunning();
    if (wasSending) sent = await run.readSent();
    const open = new Set(sent.ids.filter((id) => deliveries.isOpen(id) || growing.has(id)));
    const earlier = queue.filter((id) => open.delete(id));
    queue = [...earlier, ...open];
    const polled = queue.slice(0, maxPolled);
    queue = queue.slice(maxPolled);
    await readTransactions(context, { ids: polled, isSingle: run.isSingle }, deliveries.add);
    await readDigests(context, deliveries);
    growing.update(polled);
    const next = deliveries.summary(sent.ids, rejectedCount(sent));
    if (next.finished !== summary.finished || next.recipients !== summary.recipients)
      changedAt = clock.ticks();
    summary = next;
  }
}

/** After this time, the service has added the recipients of a topic. */
const growthMs = 600_000;

/**
 * The events that may get more recipients. The service adds the subscribers of a topic one by one, so an event is
 * complete once two polls have seen the same number.
 */
function createGrowingEvents(
  { isSingle, writtenAt }: EventRun,
  deliveries: Deliveries,
  now: number,
) {
  const counts = new Map<string, number>();
  const isComplete = isSingle || now - writtenAt > growthMs;
  return {
    update(ids: readonly string[]) {
      for (const id of isComplete ? [] : ids) {
        const count = deliveries.recipientsOf(id);
        counts.set(id, counts.get(id) === count ? complete : count);
      }
    },
    has: (id: string) => (counts.get(id) ?? complete) > 0,
  };
}

const complete = 0;
