// The rules that skip a step: the subscriber's schedule, conditions and preferences.
import type { StoredJob } from '../store/jobs.ts';
import type { Channel } from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { disabledBy, isCritical } from './channel-preferences.ts';
import { isConditionMet, passesFilters } from './conditions.ts';
import { recordDetail } from './record-detail.ts';
import type { Run } from './run.ts';
import { isScheduleOpen } from './schedule.ts';
import type { Variables } from './variables.ts';

/** Returns the subscriber's time zone. */
export const timeZoneOf = ({ subscriber }: Run): string => subscriber.profile.timezone ?? 'UTC';

/** Returns whether the step's `skip` condition is met, and records why the step is skipped. */
export function shouldSkipStep(scope: Scope, job: StoredJob, variables: () => Variables): boolean {
  const { skip } = job.step.controlVariables ?? {};
  if (skip === undefined || skip === null || !isConditionMet(skip, variables())) return false;
  recordDetail(scope, job, 'Failed', 'Step was skipped based on steps conditions');
  return true;
}

/** Returns whether any rule skips the message, and records the first rule that does. */
export function shouldSkipMessage(
  scope: Scope,
  run: Run,
  job: StoredJob,
  variables: () => Variables,
): boolean {
  const channel = job.type as Channel;
  if (channel !== 'in_app' && !isCritical(run.workflow) && !isWithinSchedule(scope, run)) {
    recordDetail(
      scope,
      job,
      'Success',
      "The step was skipped as it fell outside the subscriber's schedule",
    );
    return true;
  }
  if (shouldSkipStep(scope, job, variables)) return true;
  if (job.step.filters.length > 0 && !passesFilters(job.step.filters, variables())) {
    recordDetail(scope, job, 'Failed', 'Step was skipped based on steps conditions');
    return true;
  }
  const { global, workflow } = run.preferences();
  const level = disabledBy(run.workflow, global?.channels, workflow?.channels, channel);
  if (level === undefined) return false;
  recordDetail(scope, job, 'Success', `Step filtered by ${level} preferences`);
  return true;
}

const isWithinSchedule = (scope: Scope, run: Run): boolean =>
  isScheduleOpen(run.preferences().global?.schedule, Date.parse(scope.now), timeZoneOf(run));
