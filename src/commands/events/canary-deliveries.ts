// Counts the deliveries of a canary by event and by channel, and why messages were not delivered.

import type { CanaryResult } from '../../bulk/engine/canary.ts';
import { eventOutcome } from '../../explain/event-outcome.ts';
import { failureTexts } from '../../explain/failure-reason.ts';
import { verdictMessage } from '../../explain/messages.ts';
import { type StepVerdict, stepVerdicts } from '../../explain/verdict.ts';
import type { StepOutcome } from '../../service/job-status.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';

export interface Deliveries {
  result: CanaryResult;
  channels: ReadonlyMap<string, Record<StepOutcome, number>>;
  /** Why messages were not delivered, most frequent first. */
  reasons: readonly DeliveryReason[];
}

export interface DeliveryReason {
  text: string;
  count: number;
  isWaiting: boolean;
}

const zero = (): Record<StepOutcome, number> => ({
  delivered: 0,
  failed: 0,
  skipped: 0,
  waiting: 0,
});

const jobsOf = (items: readonly ActivityItem[]) => items.flatMap((item) => item.jobs ?? []);
const verdictsOf = (items: readonly ActivityItem[]) => items.flatMap((item) => stepVerdicts(item));

/** An event is failed if any of its jobs failed, so that a broken channel is not hidden by another one. */
export function stateOf(items: readonly ActivityItem[]): StepOutcome {
  const isUnfinished = (item: ActivityItem) =>
    eventOutcome(item, stepVerdicts(item)) === 'unfinished';
  if (items.length === 0 || items.some(isUnfinished)) return 'waiting';
  if (jobsOf(items).some(({ status }) => status === 'failed')) return 'failed';
  const isDelivered = verdictsOf(items).some(({ verdict }) => verdict === 'delivered');
  return isDelivered ? 'delivered' : 'skipped';
}

/** `rejected` events have no activity, because the service rejected them. */
export function countDeliveries(
  ids: readonly string[],
  items: ReadonlyMap<string, readonly ActivityItem[]>,
  rejected: number,
): Deliveries {
  const counts = zero();
  const channels = new Map<string, Record<StepOutcome, number>>();
  const reasons = createReasonCounts();
  let withoutActivity = 0;
  for (const id of ids) {
    const eventItems = items.get(id) ?? [];
    counts[stateOf(eventItems)] += 1;
    if (jobsOf(eventItems).length === 0) withoutActivity += 1;
    for (const { channel, verdict } of verdictsOf(eventItems)) {
      const channelCounts = channels.get(channel) ?? zero();
      channelCounts[verdict] += 1;
      channels.set(channel, channelCounts);
    }
    for (const reason of eventItems.flatMap(reasonsOf)) reasons.add(reason);
  }
  const missing = Math.min(rejected, withoutActivity);
  counts.waiting -= missing;
  counts.failed += missing;
  reasons.add({ ...rejectedByService, count: missing });
  reasons.add({ ...notInActivity, count: withoutActivity - missing });
  const decided = counts.delivered + counts.failed;
  const rate = decided === 0 ? null : counts.delivered / decided;
  return {
    result: { sent: ids.length, ...counts, rate, reasons: reasons.byCause() },
    channels,
    reasons: reasons.byText(),
  };
}

interface Reason {
  /** As in `svc activity explain` and `svc activity stats`. */
  cause: string;
  text: string;
  count: number;
  isWaiting: boolean;
  /** Reasons with the same key differ only in their times. The latest one is shown. */
  key: string;
  until?: string | undefined;
}

const rejectedByService = {
  cause: 'rejected',
  text: 'rejected by the service',
  isWaiting: false,
  key: 'rejected',
};
const notInActivity = {
  cause: 'queued',
  text: 'the event is not in the activity yet',
  isWaiting: true,
  key: 'queued',
};

/** The reasons of the messages that were not delivered; for an event without messages, the reasons of its failed jobs. */
function reasonsOf(item: ActivityItem): Reason[] {
  const verdicts = stepVerdicts(item);
  if (verdicts.length > 0)
    return verdicts.filter(({ verdict }) => verdict !== 'delivered').map(reasonOf);
  return jobsOf([item])
    .filter(({ status }) => status === 'failed')
    .map((job) => {
      const text = `${job.type}: ${failureTexts(job.executionDetails).join('; ') || 'failed'}`;
      return { cause: 'halted', text, count: 1, isWaiting: false, key: text };
    });
}

/** A step that waits only for its turn has no cause. */
function reasonOf(verdict: StepVerdict): Reason {
  const { channel, cause, until } = verdict;
  return {
    cause: cause ?? 'queued',
    text: `${channel} ${verdict.verdict}: ${verdictMessage(verdict)}`,
    count: 1,
    isWaiting: verdict.verdict === 'waiting',
    key: `${channel}: ${verdictMessage({ ...verdict, until: undefined })}`,
    until,
  };
}

function createReasonCounts() {
  const byKey = new Map<string, Reason>();
  const all = () => [...byKey.values()].sort((a, b) => b.count - a.count);
  return {
    add(reason: Reason) {
      if (reason.count === 0) return;
      const known = byKey.get(reason.key) ?? { ...reason, count: 0 };
      const latest = (reason.until ?? '') > (known.until ?? '') ? reason : known;
      byKey.set(reason.key, { ...latest, count: known.count + reason.count });
    },
    byText: (): DeliveryReason[] =>
      all().map(({ text, count, isWaiting }) => ({ text, count, isWaiting })),
    byCause(): CanaryResult['reasons'] {
      const counts = new Map<string, number>();
      for (const { cause, count } of all()) counts.set(cause, (counts.get(cause) ?? 0) + count);
      return [...counts]
        .map(([cause, count]) => ({ cause, count }))
        .sort((a, b) => b.count - a.count);
    },
  };
}
