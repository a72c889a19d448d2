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
import type { canaryOptions } from '../../bulk/command/options.ts';
import type { ShowWait } from '../../bulk/command/progress.ts';
import type { CanaryResult } from '../../bulk/engine/canary.ts';
import type { Values } from '../../cli/command.ts';
import { growingPauses } from '../../core/async.ts';
import { durationText } from '../../core/durations.ts';
import { counted, grouped } from '../../core/text.ts';
import { channelCountLines } from '../../deliveries/outcome-tokens.ts';
import { readTransactions } from '../../deliveries/read.ts';
import type { DeliveryReason } from '../../deliveries/summary.ts';
import { createDeliveries, type DeliverySummary } from '../../deliveries/summary.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';

type Given = Partial<Values<typeof canaryOptions>> & { skipCanary?: boolean };

const defaultTimeoutMs = 300_000;
const maxShownReasons = 5;

export const canaryTimeout = ({ canaryTimeout: timeoutMs = defaultTimeoutMs }: Given) => timeoutMs;

/**
 * Returns the canary of a command; undefined without --canary. Throws a usage error for invalid options. `trim` limits
 * an event to the steps that the canary can wait for.
 */
export function openCanaryCommand(
  context: Context,
  given: Given,
  trim?: (item: ActivityItem) => ActivityItem,
): CanaryCommand | undefined {
  const { canary, skipCanary = false } = given;
  const timeoutMs = canaryTimeout(given);
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
        trim,
      }).finally(() => showWait(undefined));
      for (const line of deliveryLines(deliveries, minRate)) context.note(line);
      const result = canaryResult(deliveries);
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
  {
    timeoutMs,
    showWait,
    trim,
  }: {
    timeoutMs: number;
    showWait: ShowWait;
    trim: ((item: ActivityItem) => ActivityItem) | undefined;
  },
): Promise<DeliverySummary> {
  const { clock, shutdownSignal } = context.host;
  const deadline = clock.ticks() + timeoutMs;
  const timeLeft = () => Math.ceil(Math.max(0, deadline - clock.ticks()) / 1_000) * 1_000;
  const deliveries = createDeliveries(trim ? { trim } : {});
  const nextPause = growingPauses({ firstMs: 250, maxMs: 5_000 });
  for (let pause = nextPause(); ; pause = nextPause()) {
    // One row is one event for one recipient.
    const open = { ids: ids.filter(deliveries.isOpen), isSingle: true };
    await readTransactions(context, open, deliveries.add);
    const summary = deliveries.summary(ids, rejected);
    if (summary.outcomes.waiting === 0 || clock.ticks() + pause > deadline) return summary;
    showWait(() => waitText(summary, timeLeft()));
    await clock.sleep(pause, shutdownSignal).catch(() => undefined);
    if (shutdownSignal.aborted) return summary;
  }
}

function canaryResult({ recipients, outcomes, causes }: DeliverySummary): CanaryResult {
  const decided = outcomes.delivered + outcomes.failed;
  const rate = decided === 0 ? null : outcomes.delivered / decided;
  return { sent: recipients, ...outcomes, rate, reasons: causes };
}

function waitText({ recipients, finished, reasons }: DeliverySummary, leftMs: number): string {
  const [reason] = reasons.filter(({ isWaiting }) => isWaiting);
  const cause = reason === undefined ? '' : `; ${reasonText(reason)}`;
  return `Canary: ${grouped(finished)} of ${counted(recipients, 'event')} finished, ${durationText(leftMs)} left${cause}`;
}

function deliveryLines(deliveries: DeliverySummary, minRate: number): string[] {
  const { channels, reasons } = deliveries;
  const shownReasons = reasons.slice(0, maxShownReasons);
  const others = reasons.slice(maxShownReasons).reduce((sum, { count }) => sum + count, 0);
  return [
    `Canary: ${canaryText(canaryResult(deliveries))}; at least ${percentText(minRate)} required.`,
    ...channelCountLines(channels),
    ...shownReasons.map((reason) => `  ${reasonText(reason)}`),
    ...(others === 0 ? [] : [`  ${grouped(others)} × other reasons`]),
  ];
}

const reasonText = ({ text, count }: DeliveryReason) => `${grouped(count)} × ${text}`;
