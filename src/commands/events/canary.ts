// Reads the deliveries of a canary from the activity, reports them per channel, and decides whether the run continues.

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
import type { ShowWait } from '../../bulk/command/progress.ts';
import type { Values } from '../../cli/command.ts';
import { counted, grouped } from '../../core/counts.ts';
import { durationText } from '../../core/durations.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import {
  countDeliveries,
  type Deliveries,
  type DeliveryReason,
  stateOf,
} from './canary-deliveries.ts';

type Given = Partial<Values<typeof canaryOptions>> & { skipCanary?: boolean };

const defaultTimeoutMs = 300_000;
const firstPauseMs = 250;
const maxPauseMs = 5_000;
/** Max transactions in the query of one request. */
const idsPerRequest = 50;
const maxShownReasons = 5;

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
    async check(events, showWait) {
      if (!skipCanary) {
        const wait = `Waiting up to ${durationText(timeoutMs)} until they are finished.`;
        context.note(`Canary: ${counted(events.ids.length, 'event')} sent. ${wait}`);
      }
      const deliveries = await readDeliveries(context, events, {
        timeoutMs: skipCanary ? 0 : timeoutMs,
        showWait,
      }).finally(() => showWait(undefined));
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

/** Reads the activity until all events are finished or the time is up. */
async function readDeliveries(
  context: Context,
  { ids, rejected }: CanaryEvents,
  { timeoutMs, showWait }: { timeoutMs: number; showWait: ShowWait },
): Promise<Deliveries> {
  const { clock, shutdownSignal } = context.host;
  const deadline = clock.ticks() + timeoutMs;
  const timeLeft = () => Math.ceil(Math.max(0, deadline - clock.ticks()) / 1_000) * 1_000;
  const items = new Map<string, ActivityItem[]>();
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 1.5, maxPauseMs)) {
    const open = ids.filter((id) => stateOf(items.get(id) ?? []) === 'waiting');
    for (let at = 0; at < open.length; at += idsPerRequest)
      for (const [id, eventItems] of await itemsOf(context, open.slice(at, at + idsPerRequest)))
        items.set(id, eventItems);
    const deliveries = countDeliveries(ids, items, rejected);
    if (deliveries.result.waiting === 0 || clock.ticks() + pause > deadline) return deliveries;
    showWait(() => waitText(deliveries, timeLeft()));
    await clock.sleep(pause, shutdownSignal).catch(() => undefined);
    if (shutdownSignal.aborted) return deliveries;
  }
}

function waitText({ result: { sent, waiting }, reasons }: Deliveries, leftMs: number): string {
  const [reason] = reasons.filter(({ isWaiting }) => isWaiting);
  const cause = reason === undefined ? '' : `; ${reasonText(reason)}`;
  return `Canary: ${grouped(sent - waiting)} of ${counted(sent, 'event')} finished, ${durationText(leftMs)} left${cause}`;
}

async function itemsOf(context: Context, ids: readonly string[]) {
  const items = new Map<string, ActivityItem[]>();
  const query = { transactionId: [...ids] };
  for await (const page of context.pages('listActivity', { query }, { all: true }))
    for (const item of page.items)
      items.set(item.transactionId, [...(items.get(item.transactionId) ?? []), item]);
  return items;
}

function deliveryLines({ result, channels, reasons }: Deliveries, minRate: number): string[] {
  const shownReasons = reasons.slice(0, maxShownReasons);
  const others = reasons.slice(maxShownReasons).reduce((sum, { count }) => sum + count, 0);
  const width = Math.max(0, ...[...channels.keys()].map(({ length }) => length));
  return [
    `Canary: ${canaryText(result)}; at least ${percentText(minRate)} required.`,
    ...[...channels].map(([channel, counts]) => {
      const parts = (['delivered', 'failed', 'skipped', 'waiting'] as const)
        .filter((state) => counts[state] > 0)
        .map((state) => `${counts[state]} ${state}`);
      return `  ${channel.padEnd(width)}  ${parts.join(', ')}`;
    }),
    ...shownReasons.map((reason) => `  ${reasonText(reason)}`),
    ...(others === 0 ? [] : [`  ${grouped(others)} × other reasons`]),
  ];
}

const reasonText = ({ text, count }: DeliveryReason) => `${grouped(count)} × ${text}`;
