// What can keep a step from being carried out: the subscriber's hours, conditions, preferences.

import type { StoredJob } from '../store/jobs.ts';
import type { Channel } from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { isCritical, switchedOffBy } from './channel-preferences.ts';
import { holds, passes } from './conditions.ts';
import { tell } from './record-detail.ts';
import type { Run } from './run.ts';
import { isOpen } from './schedule.ts';
import type { Variables } from './variables.ts';

/** In the subscriber's time zone. */
export const zoneOf = ({ subscriber }: Run): string => subscriber.profile.timezone ?? 'UTC';

/** Whether the step's `skip` condition holds; says so. */
export function isSkipped(scope: Scope, job: StoredJob, variables: () => Variables): boolean {
  const { skip } = job.step.controlVariables ?? {};
  if (skip === undefined || skip === null || !holds(skip, variables())) return false;
  tell(scope, job, 'Failed', 'Step was skipped based on steps conditions');
  return true;
}

/** Whether anything keeps a message of this channel from its subscriber; says what, the first. */
export function isKeptBack(
  scope: Scope,
  run: Run,
  job: StoredJob,
  variables: () => Variables,
): boolean {
  const channel = job.type as Channel;
  if (channel !== 'in_app' && !isCritical(run.workflow) && !isWithinHours(scope, run)) {
    tell(
      scope,
      job,
      'Success',
      "The step was skipped as it fell outside the subscriber's schedule",
    );
    return true;
  }
  if (isSkipped(scope, job, variables)) return true;
  if (job.step.filters.length > 0 && !passes(job.step.filters, variables())) {
    tell(scope, job, 'Failed', 'Step was skipped based on steps conditions');
    return true;
  }
  const { globally, here } = run.chosen();
  const level = switchedOffBy(run.workflow, globally?.channels, here?.channels, channel);
  if (level === undefined) return false;
  tell(scope, job, 'Success', `Step filtered by ${level} preferences`);
  return true;
}

export const isWithinHours = (scope: Scope, run: Run): boolean =>
  isOpen(run.chosen().globally?.schedule, Date.parse(scope.now), zoneOf(run));
