// Delay steps: the run resumes after a duration, at a date from the payload, or at the next time
// that matches a cron expression.
import { setDueJob } from '../store/due-jobs.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import { completed, failedAndStopped, type JobOutcome, waiting } from './outcome.ts';
import { resolveKey } from './paths.ts';
import { recordDetail } from './record-detail.ts';
import type { Run } from './run.ts';
import { timeZoneOf } from './skip-rules.ts';
import { addDuration, nextCronTime, toCronExpression } from './timing.ts';
import type { Variables } from './variables.ts';

export function startDelay(
  scope: Scope,
  run: Run,
  job: StoredJob,
  variables: () => Variables,
): JobOutcome {
  const now = Date.parse(scope.now);
  const due = delayEnd(job.step.controlVariables ?? {}, now, timeZoneOf(run), variables);
  if (due === undefined) {
    recordDetail(scope, job, 'Failed', 'Delay step has no duration, date or cron expression');
    return failedAndStopped;
  }
  recordDetail(scope, job, 'Pending', 'Step delayed');
  job.output = { duration: Math.max(0, due - now) };
  setDueJob(scope, job.id, Math.max(due, now));
  return waiting;
}

function delayEnd(
  { type, amount, unit, cron, timed, delayPath }: Record<string, unknown>,
  now: number,
  zone: string,
  variables: () => Variables,
): number | undefined {
  if (typeof delayPath === 'string' && delayPath !== '' && type !== 'regular') {
    const date = resolveKey(variables(), delayPath);
    const time = typeof date === 'string' || typeof date === 'number' ? new Date(date) : undefined;
    return time && !Number.isNaN(time.getTime()) ? time.getTime() : undefined;
  }
  const expression = typeof cron === 'string' && cron !== '' ? cron : toCronExpression(timed);
  if (expression !== undefined && (type === 'timed' || amount === undefined)) {
    return nextCronTime(expression, now, zone);
  }
  return addDuration(now, amount, unit);
}

export function finishDelay(scope: Scope, job: StoredJob): JobOutcome {
  recordDetail(scope, job, 'Success', 'Delay is finished');
  return completed;
}
