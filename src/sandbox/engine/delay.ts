// Delay steps: the run goes on after a length of time, at a time that the payload names, or at the
// next time of a cron expression.
import { setDue } from '../store/due-jobs.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import { completed, halted, type Outcome, waiting } from './outcome.ts';
import { keyedValue } from './paths.ts';
import { tell } from './record-detail.ts';
import type { Run } from './run.ts';
import { zoneOf } from './skip-rules.ts';
import { after, cronOf, nextCron } from './timing.ts';
import type { Variables } from './variables.ts';

export function startDelay(
  scope: Scope,
  run: Run,
  job: StoredJob,
  variables: () => Variables,
): Outcome {
  const now = Date.parse(scope.now);
  const due = endOf(job.step.controlVariables ?? {}, now, zoneOf(run), variables);
  if (due === undefined) {
    tell(scope, job, 'Failed', 'Delay step names no length of time, date or cron expression');
    return halted;
  }
  tell(scope, job, 'Pending', 'Step delayed');
  job.output = { duration: Math.max(0, due - now) };
  setDue(scope, job.id, Math.max(due, now));
  return waiting;
}

function endOf(
  { type, amount, unit, cron, timed, delayPath }: Record<string, unknown>,
  now: number,
  zone: string,
  variables: () => Variables,
): number | undefined {
  if (typeof delayPath === 'string' && delayPath !== '' && type !== 'regular') {
    const date = keyedValue(variables(), delayPath);
    const time = typeof date === 'string' || typeof date === 'number' ? new Date(date) : undefined;
    return time && !Number.isNaN(time.getTime()) ? time.getTime() : undefined;
  }
  const expression = typeof cron === 'string' && cron !== '' ? cron : cronOf(timed);
  if (expression !== undefined && (type === 'timed' || amount === undefined)) {
    return nextCron(expression, now, zone);
  }
  return after(now, amount, unit);
}

export function finishDelay(scope: Scope, job: StoredJob): Outcome {
  tell(scope, job, 'Success', 'Delay is finished');
  return completed;
}
