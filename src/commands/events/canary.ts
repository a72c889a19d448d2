// Reads the deliveries of a canary from the activity, reports them per channel, and decides whether the run continues.
import type { ActivityItem } from '../../api/schemas/activity.ts';
import type { Job } from '../../api/schemas/job.ts';
import { isChannel } from '../../api/schemas/vocabulary.ts';
import type { Context } from '../../app/context.ts';
import {
  type CanaryCommand,
  type CanaryEvents,
  canaryText,
  percentText,
  readCanaryRate,
  readCanarySize,
} from '../../bulk/command/canary.ts';
import type { canaryOptions } from '../../bulk/command/canary-options.ts';
import type { CanaryResult } from '../../bulk/engine/canary.ts';
import { createReasons } from '../../bulk/engine/reasons.ts';
import type { Values } from '../../cli/command.ts';
import { counted } from '../../core/counts.ts';
import { durationText } from '../../core/durations.ts';
import { failureTexts } from '../../explain/failure-reason.ts';

type Given = Partial<Values<typeof canaryOptions>> & { skipCanary?: boolean };

const defaultTimeoutMs = 300_000;
const firstPauseMs = 250;
const maxPauseMs = 5_000;
/** Max transactions in the query of one request. */
const idsPerRequest = 50;
const maxShownReasons = 5;

type State = 'delivered' | 'failed' | 'skipped' | 'waiting';

/** Returns the canary of a command; undefined without --canary. Throws a usage error for invalid options. */
export function openCanaryCommand(context: Context, given: Given): CanaryCommand | undefined {
  const { canary, canaryTimeout: timeoutMs = defaultTimeoutMs, skipCanary = false } = given;
  const minRate = readCanaryRate(given.canaryRate);
  if (canary === undefined) return undefined;
  readCanarySize(canary);
  return {
    size: canary,
    confirmSkip: skipCanary
      ? () => context.confirm('Send the other rows even if the canary does not pass')
      : undefined,
    async check(events) {
      if (!skipCanary) {
        const wait = `Waiting up to ${durationText(timeoutMs)} until they are finished.`;
        context.note(`Canary: ${counted(events.ids.length, 'event')} sent. ${wait}`);
      }
      const deliveries = await readDeliveries(context, events, skipCanary ? 0 : timeoutMs);
      for (const line of deliveryLines(deliveries, minRate)) context.note(line);
      const { result } = deliveries;
      const isPassed = result.waiting === 0 && result.rate !== null && result.rate >= minRate;
      return { result, isPassed: isPassed || (await mayContinue(context, skipCanary)) };
    },
  };
}

/** --yes does not answer the question of a canary that did not pass. --skip-canary was confirmed before. */
async function mayContinue(context: Context, isSkipped: boolean): Promise<boolean> {
  if (context.host.shutdownSignal.aborted) return false;
  if (isSkipped) return true;
  if (!context.prompt.isPossible) return false;
  return context.prompt.confirm('The canary did not pass. Send the other rows anyway?');
}

interface Deliveries {
  result: CanaryResult;
  channels: ReadonlyMap<string, Record<State, number>>;
  reasons: readonly { text: string; count: number }[];
}

/** Reads the activity until all events are finished or the time is up. */
async function readDeliveries(
  context: Context,
  { ids, rejected }: CanaryEvents,
  timeoutMs: number,
): Promise<Deliveries> {
  const { clock, shutdownSignal } = context.host;
  const deadline = clock.ticks() + timeoutMs;
  const items = new Map<string, ActivityItem[]>();
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 1.5, maxPauseMs)) {
    const open = ids.filter((id) => stateOf(items.get(id) ?? []) === 'waiting');
    for (let at = 0; at < open.length; at += idsPerRequest)
      for (const [id, found] of await itemsOf(context, open.slice(at, at + idsPerRequest)))
        items.set(id, found);
    const waiting = ids.filter((id) => stateOf(items.get(id) ?? []) === 'waiting');
    // The service has no activity of rejected events.
    if (waiting.length <= rejected || clock.ticks() + pause > deadline) break;
    await clock.sleep(pause, shutdownSignal).catch(() => undefined);
    if (shutdownSignal.aborted) break;
  }
  return summarize(ids, items, rejected);
}

async function itemsOf(context: Context, ids: readonly string[]) {
  const items = new Map<string, ActivityItem[]>();
  const query = { transactionId: [...ids] };
  for await (const page of context.pages('listActivity', { query }, { all: true }))
    for (const item of page.items)
      items.set(item.transactionId, [...(items.get(item.transactionId) ?? []), item]);
  return items;
}

const openStatuses = new Set(['pending', 'queued', 'running', 'delayed']);
function stateOfJob({ status }: Job): State {
  if (openStatuses.has(status)) return 'waiting';
  if (status === 'completed') return 'delivered';
  return status === 'failed' ? 'failed' : 'skipped';
}

/** An event is failed if any of its jobs failed, so that a broken channel is not hidden by another one. */
function stateOf(items: readonly ActivityItem[]): State {
  const jobs = items.flatMap((item) => item.jobs ?? []);
  if (jobs.length === 0 || jobs.some((job) => stateOfJob(job) === 'waiting')) return 'waiting';
  if (jobs.some((job) => stateOfJob(job) === 'failed')) return 'failed';
  return jobs.some((job) => isChannel(job.type) && stateOfJob(job) === 'delivered')
    ? 'delivered'
    : 'skipped';
}

function summarize(
  ids: readonly string[],
  items: ReadonlyMap<string, ActivityItem[]>,
  rejected: number,
): Deliveries {
  const counts: Record<State, number> = { delivered: 0, failed: 0, skipped: 0, waiting: 0 };
  const channels = new Map<string, Record<State, number>>();
  const reasons = createReasons();
  for (const id of ids) {
    const found = items.get(id) ?? [];
    counts[stateOf(found)] += 1;
    for (const job of found.flatMap((item) => item.jobs ?? [])) {
      const state = stateOfJob(job);
      if (isChannel(job.type)) {
        const channel = channels.get(job.type) ?? {
          delivered: 0,
          failed: 0,
          skipped: 0,
          waiting: 0,
        };
        channel[state] += 1;
        channels.set(job.type, channel);
      }
      if (state === 'failed')
        reasons.add(`${job.type}: ${failureTexts(job.executionDetails).join('; ') || 'failed'}`);
    }
  }
  const missing = Math.min(rejected, counts.waiting);
  counts.waiting -= missing;
  counts.failed += missing;
  if (missing > 0) reasons.add('rejected by the service', missing);
  const decided = counts.delivered + counts.failed;
  const rate = decided === 0 ? null : counts.delivered / decided;
  return {
    result: { sent: ids.length, ...counts, rate },
    channels,
    reasons: reasons.top(maxShownReasons),
  };
}

function deliveryLines({ result, channels, reasons }: Deliveries, minRate: number): string[] {
  const width = Math.max(0, ...[...channels.keys()].map(({ length }) => length));
  return [
    `Canary: ${canaryText(result)}; at least ${percentText(minRate)} required.`,
    ...[...channels].map(([channel, counts]) => {
      const parts = (['delivered', 'failed', 'skipped', 'waiting'] as const)
        .filter((state) => counts[state] > 0)
        .map((state) => `${counts[state]} ${state}`);
      return `  ${channel.padEnd(width)}  ${parts.join(', ')}`;
    }),
    ...reasons.map(({ text, count }) => `  ${count} × ${text}`),
  ];
}
