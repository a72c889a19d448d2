// A run that triggered events: finds it, and reads its deliveries once or until they are finished.
import type { Context } from '../app/context.ts';
import { resolveRunId } from '../bulk/command/resolve-run.ts';
import { createRunTarget } from '../bulk/command/run-target.ts';
import { resendCommand, triggerCommand } from '../bulk/journal/ledger.ts';
import type { RunStore, StoredRunDetails } from '../bulk/journal/run-store.ts';
import type { RejectedBatch } from '../bulk/journal/transaction-id-file.ts';
import { growingPauses, mapConcurrently } from '../core/async.ts';
import { usageError } from '../core/errors.ts';
import { counted, listText } from '../core/text.ts';
import type { ActivityItem } from '../service/schemas/activity.ts';
import { createEventReader, maxConcurrent, readAllTransactions, readTransactions } from './read.ts';
import { createDeliveries, type Deliveries, type DeliverySummary } from './summary.ts';

export interface SentEvents {
  ids: readonly string[];
  /** The row of each id in the input, from 1. */
  rows: readonly number[];
  /** Batches in which the service rejected events. */
  rejected: readonly RejectedBatch[];
}

export interface TriggerRun {
  run: StoredRunDetails;
  folder: string;
  /** Whether each event has exactly one recipient. */
  isSingle: boolean;
  /** When the journal was last written, in milliseconds since 1970. */
  writtenAt: number;
  /** The events that the run has sent so far. */
  readSent(): Promise<SentEvents>;
}

interface Purpose {
  /** As in "cannot be cancelled". */
  participle: string;
  /** Whether a run of `events resend` is accepted, too. */
  resends: boolean;
}

/** Finds a run by its id; `last` is the newest one of the selected profile. Throws a usage error for other runs. */
export async function findTriggerRun(
  context: Context,
  store: RunStore,
  name: string,
  { participle, resends }: Purpose,
): Promise<TriggerRun> {
  const commands = resends ? [triggerCommand, resendCommand] : [triggerCommand];
  const isSent = ({ command, manifest }: StoredRunDetails) =>
    commands.includes(command) && manifest.service !== '';
  const run = store.read(resolveRunId(context, store, name, isSent));
  const { runId, command, manifest } = run;
  if (!commands.includes(command))
    throw usageError(
      `Run ${runId} is a run of \`svc ${command}\`. Only runs of ${listText(
        commands.map((line) => `\`svc ${line}\``),
        'or',
      )} can be ${participle}.`,
    );
  const folder = store.runFolder(runId);
  return {
    run,
    folder,
    isSingle: command === resendCommand || manifest.args.workflowId !== undefined,
    writtenAt: store.writtenAt(runId) ?? Date.parse(run.startedAt),
    async readSent() {
      const { readSentTransactions } = await import('../bulk/journal/transaction-id-file.ts');
      return readSentTransactions(folder);
    },
  };
}

/** Throws a usage error unless the run belongs to the active service and environment. */
export async function requireRunTarget(
  context: Context,
  { run: { manifest } }: TriggerRun,
  action: { participle: string; command: string; ifReplaced: string },
): Promise<void> {
  const { requireSameTarget } = await import('../bulk/journal/run-target.ts');
  const { runId } = manifest;
  requireSameTarget(manifest, await createRunTarget(context, runId), {
    verb: `be ${action.participle} here`,
    command: `svc ${action.command} ${runId}`,
    ifReplaced: action.ifReplaced,
  });
}

/** Finds the run and checks that it belongs to the active service. */
export async function openRunDeliveries(context: Context, name: string): Promise<TriggerRun> {
  const { openRunStore } = await import('../bulk/journal/run-store.ts');
  const participle = 'read';
  const store = openRunStore(context.host);
  const run = await findTriggerRun(context, store, name, { participle, resends: true });
  await requireRunTarget(context, run, {
    participle,
    command: 'runs show --deliveries',
    ifReplaced: `the deliveries are in the activity: \`${context.propose('svc activity stats')}\``,
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
  run: TriggerRun,
  add: (item: ActivityItem) => void = () => undefined,
  readDigests = createDigestReader(context),
): Promise<RunDeliveries> {
  const sent = await run.readSent();
  const deliveries = createDeliveries();
  await readAllTransactions(context, { ids: sent.ids, isSingle: run.isSingle }, (item) => {
    deliveries.add(item);
    add(item);
  });
  await readDigests(deliveries);
  return { deliveries, sent, summary: deliveries.summary(sent.ids, rejectedCount(sent)) };
}

/** A step that was merged into the digest of an earlier event has the outcome of that digest. */
function createDigestReader(context: Context) {
  const readEvent = createEventReader(context);
  const requested = new Set<string>();
  return async (deliveries: Deliveries): Promise<void> => {
    const open = { ids: deliveries.openDigests(), isSingle: false };
    await readTransactions(context, open, deliveries.addDigest);
    const missing = () => deliveries.unknownDigests().filter((id) => !requested.has(id));
    // A digest can be merged into another one in turn.
    for (let ids = missing(); ids.length > 0; ids = missing()) {
      if (ids.length > maxSilentReads)
        context.note(`Reading ${counted(ids.length, 'event')} with digests.`);
      for (const id of ids) requested.add(id);
      for await (const event of mapConcurrently(ids, maxConcurrent, readEvent))
        if (event) deliveries.addDigest(event);
    }
  };
}

/** More requests for single events take a noticeable time. */
const maxSilentReads = 100;

const runPolling = { firstMs: 500, maxMs: 5_000 };
/** One poll asks for at most this many events, those that were asked for longest ago first. */
const maxPolled = 2_000;
/** An event that is not in the activity after this time without any news is not expected any more. */
const maxSilenceMs = 60_000;

export interface Snapshot extends DeliverySummary {
  isSending: boolean;
  /** The remaining events are not in the activity, and nothing has changed for a while. */
  isStuck: boolean;
}

/** Yields the deliveries after each poll, until all recipients, or this part of them, are finished. */
export async function* watchRunDeliveries(
  context: Context,
  run: TriggerRun,
  { until, isRunning, signal }: { until: number; isRunning: () => boolean; signal: AbortSignal },
): AsyncGenerator<Snapshot, void, void> {
  const { clock } = context.host;
  let isSending = isRunning();
  const readDigests = createDigestReader(context);
  let { deliveries, sent, summary } = await readRunDeliveries(context, run, undefined, readDigests);
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
    await clock.sleep(pause, signal);
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
    await readDigests(deliveries);
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
  { isSingle, writtenAt }: TriggerRun,
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
