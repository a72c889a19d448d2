// The canary of a trigger: reads the deliveries of the first rows from the activity, reports them per channel, and decides
// whether the run continues.

import type { Context } from '../../app/context.ts';
import {
  type CanaryCommand,
  type CanaryEvents,
  canaryText,
  readCanaryRate,
  readCanarySize,
} from '../../bulk/command/canary.ts';
import type { canaryOptions } from '../../bulk/command/options.ts';
import type { CanaryResult } from '../../bulk/engine/canary.ts';
import type { Values } from '../../cli/command.ts';
import { pollUntil } from '../../core/async.ts';
import { durationText } from '../../core/durations.ts';
import { usageError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/objects.ts';
import { counted, grouped, listText, shellWord } from '../../core/text.ts';
import { openLiveView } from '../../deliveries/live-view.ts';
import {
  channelCountLines,
  deliveryRate,
  messageCount,
  toSegments,
} from '../../deliveries/outcome-tokens.ts';
import { readTransactions } from '../../deliveries/read.ts';
import {
  createDeliveries,
  type DeliveryReason,
  type DeliverySummary,
} from '../../deliveries/summary.ts';
import { causeSentence } from '../../deliveries/verdict.ts';
import type { NormalStep } from '../../environment/normal-form.ts';
import { percentText, stackedBar } from '../../output/bars.ts';
import { canRedraw } from '../../output/progress-line.ts';
import type { Line, Span } from '../../output/result.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import { isChannel } from '../../service/schemas/vocabulary.ts';
import { durationMs } from '../../service/time.ts';
import { openRemoteSource, renderSteps } from '../shared/render-steps.ts';

type Options = Partial<Values<typeof canaryOptions>> & { skipCanary?: boolean };

const defaultTimeoutMs = 300_000;
const maxShownReasons = 5;
const polling = { firstMs: 250, maxMs: 5_000 };

export const canaryTimeout = ({ canaryTimeout: timeoutMs = defaultTimeoutMs }: Options) =>
  timeoutMs;

/**
 * Throws a usage error for invalid options. `trim` limits an event to the steps that the canary can wait for.
 */
export function openCanaryCommand(
  context: Context,
  options: Options & { canary: string },
  trim?: (item: ActivityItem) => ActivityItem,
): CanaryCommand {
  const { canary, skipCanary = false } = options;
  const timeoutMs = canaryTimeout(options);
  const minRate = readCanaryRate(options.canaryRate);
  readCanarySize(canary);
  return {
    size: canary,
    causeText: causeSentence,
    confirmSkip: skipCanary
      ? () => context.confirm('Send the other rows even if the canary does not pass')
      : undefined,
    async check(events, showWait) {
      if (!skipCanary) {
        const wait = `Waiting up to ${durationText(timeoutMs)} until they are finished.`;
        context.note(`Canary: ${counted(events.ids.length, 'event')} sent. ${wait}`);
      }
      const read: ReadDeliveries = (show, signal) =>
        readDeliveries(context, events, {
          timeoutMs: skipCanary ? 0 : timeoutMs,
          trim,
          show,
          signal,
        });
      if (canRedraw(context)) {
        const { summary, key } = await readOnTerminal(context, minRate, read);
        if (key !== undefined) {
          if (key === 'c') await cancelEvents(context, events);
          return { result: canaryResult(summary), isPassed: false, isDeclined: true };
        }
        return decide(summary);
      }
      const show: Show = async (summary, leftMs) => showWait(() => waitText(summary, leftMs()));
      const deliveries = await read(show, context.host.shutdownSignal).finally(() =>
        showWait(undefined),
      );
      for (const line of deliveryLines(deliveries, minRate)) context.note(line);
      return decide(deliveries);
    },
  };

  async function decide(deliveries: DeliverySummary) {
    const result = canaryResult(deliveries);
    const isPassing = result.waiting === 0 && result.rate !== null && result.rate >= minRate;
    // --skip-canary was confirmed before. --yes does not answer the question below.
    const isStopped = context.host.shutdownSignal.aborted;
    if (isPassing || isStopped || skipCanary || !context.prompt.isPossible)
      return { result, isPassed: isPassing || (skipCanary && !isStopped) };
    const isPassed = await context.prompt.confirm(
      'The canary did not pass. Send the other rows anyway?',
    );
    return { result, isPassed, isDeclined: !isPassed };
  }
}

type Show = (summary: DeliverySummary, leftMs: () => number) => Promise<void>;
type ReadDeliveries = (show: Show, signal: AbortSignal) => Promise<DeliverySummary>;

const keys = { q: 'stop the run here', c: 'stop, and cancel what is pending' };

/** Shows the deliveries while it reads them. The last frame stays. Returns the key that ended the reading, if one did. */
async function readOnTerminal(context: Context, minRate: number, read: ReadDeliveries) {
  let left = () => 0;
  const view = await openLiveView(context, {
    keys,
    head: (summary, width) => [
      canaryBar(summary, minRate, width),
      `${canaryText(canaryResult(summary))}${left() > 0 ? `; ${durationText(left())} left` : ''}`,
    ],
  });
  const leave = new AbortController();
  let key: string | undefined;
  void view.pressedKey().then((pressed) => {
    key = pressed;
    leave.abort();
  });
  const show: Show = async (summary, leftMs) => {
    left = leftMs;
    await view.update(summary);
  };
  try {
    const signal = AbortSignal.any([context.host.shutdownSignal, leave.signal]);
    const summary = await read(show, signal);
    left = () => 0;
    await view.update(summary);
    return { summary, key };
  } finally {
    view.stop({ keepsFrame: true });
  }
}

const minBarCells = 10;
const maxBarCells = 40;

/** The events that count for the rate, with a tick where enough of them are delivered. */
function canaryBar({ outcomes }: DeliverySummary, minRate: number, width: number): Line {
  const title = 'Canary ';
  const label = `  │ at least ${percentText(minRate)} delivered`;
  const room = width - title.length - label.length - 2;
  const size = Math.max(minBarCells, Math.min(maxBarCells, room));
  const counts = { ...outcomes, skipped: 0 };
  let left = Math.round(minRate * size);
  const withTick = stackedBar(toSegments(counts, true), messageCount(counts), size).flatMap(
    ({ text, tone = 'plain' }): Span[] => {
      const at = left;
      left -= text.length;
      if (at <= 0 || at > text.length) return [{ text, tone }];
      return [{ text: text.slice(0, at), tone }, { text: '│' }, { text: text.slice(at), tone }];
    },
  );
  return [{ text: title }, ...withTick, { text: label }];
}

/** Asks, and cancels the pending jobs of the events. */
async function cancelEvents(context: Context, { ids }: CanaryEvents) {
  const events = counted(ids.length, 'event');
  if (!(await context.prompt.confirm(`Cancel what is pending of ${events}?`))) return;
  const client = await context.client();
  let cancelled = 0;
  for (const transactionId of ids) {
    const { value } = await client.exchange('cancelEvent', { path: { transactionId } });
    if (value === true) cancelled += 1;
  }
  context.note(`Cancelled pending jobs of ${grouped(cancelled)} of ${events}.`);
}

interface ReadOptions {
  timeoutMs: number;
  trim: ((item: ActivityItem) => ActivityItem) | undefined;
  /** Shows the deliveries so far. */
  show: Show;
  signal: AbortSignal;
}

/** Reads the activity until all events are finished, the time is up or the signal aborts. */
async function readDeliveries(
  context: Context,
  { ids, rejected }: CanaryEvents,
  { timeoutMs, trim, show, signal }: ReadOptions,
): Promise<DeliverySummary> {
  const { clock } = context.host;
  const deadline = clock.ticks() + timeoutMs;
  const timeLeft = () => Math.ceil(Math.max(0, deadline - clock.ticks()) / 1_000) * 1_000;
  const deliveries = createDeliveries(trim);
  let last: DeliverySummary | undefined;
  return pollUntil({ ...polling, clock, signal, timeoutMs }, async (isLast) => {
    // One row is one event for one recipient.
    const open = { ids: ids.filter(deliveries.isOpen), isSingle: true };
    await readTransactions(context, open, deliveries.add);
    const summary = deliveries.summary(ids, rejected);
    if (summary.outcomes.waiting === 0 || isLast()) return summary;
    last = summary;
    await show(summary, timeLeft);
    return undefined;
  }).catch((error: unknown) => {
    if (signal.aborted && last) return last;
    throw error;
  });
}

function canaryResult({ recipients, outcomes, causes }: DeliverySummary): CanaryResult {
  return { sent: recipients, ...outcomes, rate: deliveryRate(outcomes) ?? null, reasons: causes };
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

// The steps that a canary can wait for: those before the first digest or delay that takes longer than --canary-timeout.
// The later ones are rendered on this machine before anything is sent.

interface CanarySteps {
  /** The number of the digest or delay that takes too long, from 1. */
  wait: number;
  /** Throws a usage error if a later step cannot be rendered for this event. */
  renderLater(event: RenderedEvent): Promise<void>;
}

export interface RenderedEvent {
  payload: JsonObject;
  subscriber: JsonObject;
}

const isWait = ({ type }: { type: string }) => type === 'digest' || type === 'delay';

/** How long a digest or delay takes: infinite with a schedule, and 0 if only the payload of an event says it. */
function waitMs({ controlValues }: NormalStep): number {
  const { type = 'regular', amount, unit } = controlValues;
  if (type === 'dynamic') return 0;
  return (type === 'regular' ? durationMs(amount, unit) : undefined) ?? Number.POSITIVE_INFINITY;
}

/** Returns a function that removes the jobs of an event from this digest or delay on. */
export const jobsBefore =
  (wait: number) =>
  (item: ActivityItem): ActivityItem => {
    const jobs = item.jobs ?? [];
    const end = jobs.filter(isWait)[wait - 1];
    return end ? { ...item, jobs: jobs.slice(0, jobs.indexOf(end)) } : item;
  };

/**
 * Reads the workflow. Undefined if the canary can wait for all of its steps. Throws a usage error if it can wait for
 * none of its messages.
 */
export async function openCanarySteps(
  context: Context,
  { workflowId, file, timeoutMs }: { workflowId: string; file: string; timeoutMs: number },
): Promise<CanarySteps | undefined> {
  const source = await openRemoteSource(context, workflowId);
  const { steps } = source.workflow;
  let waited = 0;
  const index = steps.findIndex((step) => {
    if (isWait(step)) waited += waitMs(step);
    return waited > timeoutMs;
  });
  const wait = steps[index];
  if (!wait) return undefined;
  const earlier = steps.slice(0, index).filter(({ type }) => isChannel(type));
  const later = steps.slice(index).filter(({ type }) => isChannel(type));
  if (earlier.length === 0)
    throw impossibleError(workflowId, stepText(wait, waited), { file, timeoutMs, waited });
  return {
    // Every step has a job, so the jobs of an event have the same number.
    wait: steps.slice(0, index + 1).filter(isWait).length,
    async renderLater(event) {
      const rendered = await renderSteps(source, (step) => later.includes(step), {
        ...event,
        addresses: undefined,
        channels: {},
        schedule: undefined,
        isCritical: true,
        now: context.host.clock.now(),
      });
      const problems = rendered.steps.flatMap(({ stepId, result, reason }) =>
        result === 'failed' ? [{ field: `step ${stepId}`, message: reason ?? '' }] : [],
      );
      if (problems.length > 0)
        throw usageError('The canary cannot check the later steps, and they cannot be rendered.', {
          hint: 'Nothing was sent. Fix the steps, then run the command again.',
          fieldErrors: problems,
        });
      if (later.length === 0) return;
      context.note(
        `The canary judges ${channels(earlier)}. ${channels(later)} comes after ${stepText(wait, waited)}, longer than --canary-timeout ${durationText(timeoutMs)}: its content was only rendered here, without errors.`,
      );
    },
  };
}

const channels = (steps: readonly NormalStep[]) =>
  listText([...new Set(steps.map(({ type }) => type))]);

const stepText = ({ type }: NormalStep, waited: number) =>
  Number.isFinite(waited) ? `a ${type} of ${durationText(waited)}` : `a ${type} with a schedule`;

function impossibleError(
  workflowId: string,
  wait: string,
  { file, timeoutMs, waited }: { file: string; timeoutMs: number; waited: number },
) {
  const trigger = `svc events trigger ${shellWord(workflowId)}`;
  const longer = Number.isFinite(waited)
    ? [`set a --canary-timeout longer than ${durationText(waited)}`]
    : [];
  return usageError(
    `A canary cannot work here: every message of workflow ${workflowId} comes after ${wait}, longer than --canary-timeout ${durationText(timeoutMs)}.`,
    {
      hint: `Nothing was sent. ${['Check workflow and rows with --validate-only', ...longer, 'or trigger one recipient first'].join(', ')}.`,
      next: [
        `${trigger} --recipients ${shellWord(file)} --validate-only`,
        `${trigger} --to <subscriber-id>`,
      ],
    },
  );
}
