// Advances the clock as a form of the page asks: by a duration, or to the next due job.
import { counted } from '../../core/counts.ts';
import type { Scheduler } from '../engine/scheduler.ts';
import { firstDueJob } from '../store/due-jobs.ts';
import { latestMessageRow } from '../store/message-rows.ts';
import type { Store } from '../store/scope.ts';
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
  const to = requested === 'next' ? due : now + Number(requested);
  if (requested === 'next' && due === undefined) return 'No digest or delay is waiting.';
  if (to === undefined || !(to > now) || to - now > maxAdvanceMs * (due === to ? 100 : 1))
    return undefined;
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
