// The rules that skip a step: the subscriber's schedule, conditions and preferences.

import { detailTexts, filteredByPreferences } from '../../service/execution-details.ts';
import type { Channel } from '../../service/schemas/vocabulary.ts';
import { isCondition } from '../../service/skip-condition.ts';
import type { Variables } from '../rendering/liquid.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import { disabledBy, isCritical, mergePreferences } from './channel-preferences.ts';
import { isConditionMet, passesFilters } from './conditions.ts';
import { recordDetail } from './record-detail.ts';
import { type Run, subscriberTimeZone } from './run.ts';
import { isScheduleOpen } from './schedule.ts';

/**
 * Returns whether the `skip` condition of the step skips it. Throws if the condition cannot be evaluated.
 */
export function isSkippedByCondition(
  { dialect, now }: Scope,
  { skip }: Record<string, unknown>,
  variables: () => Variables,
): boolean {
  if (!isCondition(skip)) return false;
  return isConditionMet(skip, variables(), Date.parse(now)) !== dialect.isSkipToRun;
}

/** Returns whether the schedule of the subscriber skips the message, and records it. */
export function isOutsideSchedule(scope: Scope, run: Run, job: StoredJob): boolean {
  const channel = job.type as Channel;
  const schedule = run.preferences().global?.schedule;
  const timezone = subscriberTimeZone(run);
  if (
    channel !== 'in_app' &&
    !isCritical(run.workflow) &&
    !isScheduleOpen(schedule, Date.parse(scope.now), timezone)
  ) {
    recordDetail(scope, job, 'Success', detailTexts.outsideSchedule, { schedule, timezone });
    return true;
  }
  return false;
}

/**
 * Returns whether the condition, the filters or the preferences skip the message. The service records each that does.
 */
export function shouldSkipMessage(
  scope: Scope,
  run: Run,
  job: StoredJob,
  variables: () => Variables,
  isSkipped: boolean,
): boolean {
  const channel = job.type as Channel;
  const { global, workflow } = run.preferences();
  if (isSkipped) recordDetail(scope, job, 'Failed', detailTexts.skippedByRule, { skip: true });
  const isFiltered = !passesFilters(job.step.filters, variables());
  if (isFiltered) recordDetail(scope, job, 'Failed', detailTexts.skippedByCondition);
  const level = disabledBy(run.workflow, global?.channels, workflow?.channels, channel);
  if (level === undefined) return isSkipped || isFiltered;
  const { enabled, channels, overrides } = mergePreferences(
    run.workflow,
    global?.channels,
    workflow?.channels,
  );
  const raw = { enabled, channels, overrides };
  recordDetail(scope, job, 'Success', filteredByPreferences(level), raw);
  return true;
}
