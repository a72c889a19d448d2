// Counts why messages were not delivered, by the text for people and by cause.

import { noStepsText } from './event-outcome.ts';
import { verdictMessage } from './messages.ts';
import type { StepVerdict } from './verdict.ts';

export interface DeliveryReason {
  text: string;
  count: number;
  isWaiting: boolean;
}

export interface Reason extends DeliveryReason {
  /** As in `svc activity explain` and `svc activity stats`. */
  cause: string;
  /** Reasons with the same key differ only in their times. The latest one is shown. */
  key: string;
  until?: string | undefined;
}

export const rejectedByService = (count: number): Reason => ({
  cause: 'rejected',
  text: 'rejected by the service',
  count,
  isWaiting: false,
  key: 'rejected',
});

export const notInActivity = (count: number): Reason => ({
  cause: 'queued',
  text: 'the event is not in the activity yet',
  count,
  isWaiting: true,
  key: 'queued',
});

export const noSteps = (count: number): Reason => ({
  cause: 'no_steps',
  text: noStepsText,
  count,
  isWaiting: false,
  key: 'no_steps',
});

/** A step that waits only for its turn has no cause. */
export function verdictReason(verdict: StepVerdict): Reason {
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

export function createReasonCounts() {
  const byKey = new Map<string, Reason>();
  const all = () => [...byKey.values()].sort((a, b) => b.count - a.count);
  return {
    add(reason: Reason) {
      if (reason.count === 0) return;
      const known = byKey.get(reason.key) ?? { ...reason, count: 0 };
      const latest = (reason.until ?? '') > (known.until ?? '') ? reason : known;
      byKey.set(reason.key, { ...latest, count: known.count + reason.count });
    },
    /** Most frequent first. */
    byText: (): DeliveryReason[] =>
      all().map(({ text, count, isWaiting }) => ({ text, count, isWaiting })),
    byCause(): { cause: string; count: number }[] {
      const counts = new Map<string, number>();
      for (const { cause, count } of all()) counts.set(cause, (counts.get(cause) ?? 0) + count);
      return [...counts]
        .map(([cause, count]) => ({ cause, count }))
        .sort((a, b) => b.count - a.count);
    },
  };
}
