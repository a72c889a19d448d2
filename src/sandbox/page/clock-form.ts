// Advances the clock as a form of the page asks: by a duration, to the next due job, or to the end of a step that waits.
import { counted } from '../../core/counts.ts';
import type { Scheduler } from '../engine/scheduler.ts';
import { firstDueJob } from '../store/due-jobs.ts';
import { latestMessageRow } from '../store/message-rows.ts';
import type { Store } from '../store/scope.ts';
import { boundTime } from '../values/time-range.ts';
import { clockTime, dateText } from './format.ts';

const maxAdvanceMs = 366 * 86_400_000;

/** Returns the result as a sentence; undefined if the value is not valid. */
export function advanceClock(
  { sql, clock }: Store,
  scheduler: Scheduler,
  requested: unknown,
): string | undefined {
  scheduler.catchUp();
  const now = clock.now();
  const due = firstDueJob(sql)?.due_at;
  if (requested === 'next' && due === undefined) return 'No digest or delay is waiting.';
  const isTime = typeof requested === 'string' && /^\d{4}-\d\d-\d\dT/.test(requested);
  const duration =
    requested === 'next'
      ? Number(due) - now
      : isTime
        ? Date.parse(requested) - now
        : Number(requested);
  if (isTime && duration <= 0) return 'That time is over.';
  if (!(duration > 0) || (requested !== 'next' && !isTime && duration > maxAdvanceMs))
    return undefined;
  const to = boundTime(now + duration);
  if (to === now) return 'The clock is at its end.';
  const before = latestMessageRow(sql);
  const jobsRun = scheduler.advanceTo(now, Math.ceil(to));
  const iso = new Date(clock.now()).toISOString();
  const captured = latestMessageRow(sql) - before;
  const result =
    jobsRun === 0
      ? 'No step was due.'
      : `${counted(jobsRun, 'waiting step')} ended, ${counted(captured, 'message')} captured.`;
  return `Moved to ${clockTime(iso)} on ${dateText(iso)}. ${result}`;
}
