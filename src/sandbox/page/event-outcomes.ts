// The outcomes of an event for its recipients, counted for the list of events.
import { type EventOutcome, eventOutcome } from '../../explain/event-outcome.ts';
import { stepVerdicts } from '../../explain/verdict.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import { type GroupedSteps, groupRecipients, groupSteps } from '../store/page-outcomes.ts';
import type { Scope } from '../store/scope.ts';

export const eventOutcomes = ['delivered', 'undelivered', 'unfinished'] as const;

/** An event has the sign of the matching outcome of a channel step. */
export const outcomeClasses = {
  delivered: 'delivered',
  undelivered: 'failed',
  unfinished: 'waiting',
} as const satisfies Record<EventOutcome, string>;

/** Returns the function that counts the first 1,000 recipients of an event by outcome. */
export function outcomeCounter(scope: Scope) {
  const digests = new Map<string, ActivityItem | undefined>();
  const findEvent = (id: string) => {
    if (!digests.has(id)) {
      const steps = groupSteps(scope, id);
      digests.set(id, steps && toItem(steps));
    }
    return digests.get(id);
  };
  return (transactionId: string): Map<EventOutcome, number> => {
    const counts = new Map<EventOutcome, number>();
    for (const group of groupRecipients(scope, transactionId)) {
      const item = toItem(group);
      const outcome = eventOutcome(item, stepVerdicts(item, findEvent));
      counts.set(outcome, (counts.get(outcome) ?? 0) + group.count);
    }
    return counts;
  };
}

/** An item with only what outcomes are derived from. The place of a step stands for its id. */
const toItem = ({ jobs, digestedBy }: GroupedSteps) =>
  ({
    _digestedNotificationId: digestedBy,
    transactionId: '',
    jobs: jobs.map(({ type, status, position }) => ({
      ...{ type, status, executionDetails: [] },
      step: { _id: String(position) },
    })),
  }) as unknown as ActivityItem;
