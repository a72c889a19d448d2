// The outcome of an event for one recipient, from the verdicts of its channel steps.
import { isFinished } from '../service/job-status.ts';
import type { ActivityItem } from '../service/schemas/activity.ts';
import { isChannel } from '../service/schemas/vocabulary.ts';
import type { StepVerdict } from './verdict.ts';

export type EventOutcome = 'delivered' | 'undelivered' | 'unfinished';

/** A failed step makes the event undelivered, so that another channel does not hide a broken one. */
export function eventOutcome(item: ActivityItem, verdicts: readonly StepVerdict[]): EventOutcome {
  const jobs = item.jobs ?? [];
  const has = (outcome: StepVerdict['verdict']) =>
    verdicts.some(({ verdict }) => verdict === outcome);
  const hasFailed = jobs.some(({ status }) => status === 'failed') || has('failed');
  // After a failed step, the service leaves the later ones pending.
  const isOpen = !hasFailed && jobs.some((job) => !isChannel(job.type) && !isFinished(job));
  if (jobs.length === 0 || isOpen || has('waiting')) return 'unfinished';
  if (hasFailed) return 'undelivered';
  return verdicts.length === 0 || has('delivered') ? 'delivered' : 'undelivered';
}
