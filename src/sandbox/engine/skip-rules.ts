// The rules that skip a step: the subscriber's schedule, conditions and preferences.

import type { Channel } from '../../api/schemas/vocabulary.ts';
import type { Variables } from '../rendering/liquid.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import { disabledBy, isCritical, mergePreferences } from './channel-preferences.ts';
import { isConditionMet, passesFilters } from './conditions.ts';
import { recordDetail } from './record-detail.ts';
import type { Run } from './run.ts';
import { isScheduleOpen } from './schedule.ts';

/** Returns the subscriber's time zone. */
export const timeZoneOf = ({ subscriber }: Run): string => subscriber.profile.timezone ?? 'UTC';

/**
 * Returns whether the `skip` condition of the step skips it. Throws if the condition cannot be evaluated.
 */
export function isSkippedByCondition(
  { dialect }: Scope,
  job: StoredJob,
  variables: () => Variables,
): boolean {
  const { skip } = job.step.controlVariables ?? {};
  if (typeof skip !== 'object' || skip === null || Object.keys(skip).length === 0) return false;
  return isConditionMet(skip, variables()) !== dialect.isSkipToRun;
}

/** Returns whether any rule skips the message, and records why. */
export function shouldSkipMessage(
  scope: Scope,
  run: Run,
  job: StoredJob,
  variables: () => Variables,
): boolean {
  const channel = job.type as Channel;
  const { global, workflow } = run.preferences();
  const schedule = global?.schedule;
  const timezone = timeZoneOf(run);
  if (
    channel !== 'in_app' &&
    !isCritical(run.workflow) &&
    !isScheduleOpen(schedule, Date.parse(scope.now), timezone)
  ) {
    const detail = "The step was skipped as it fell outside the subscriber's schedule";
    recordDetail(scope, job, 'Success', detail, { schedule, timezone });
    return true;
  }
  // The service checks the conditions, the filters and the preferences, and records each that skips the step.
  const isSkipped = isSkippedByCondition(scope, job, variables);
  if (isSkipped) recordDetail(scope, job, 'Failed', skippedByRule, { skip: true });
  const isFiltered = !passesFilters(job.step.filters, variables());
  if (isFiltered) recordDetail(scope, job, 'Failed', skippedByCondition);
  const level = disabledBy(run.workflow, global?.channels, workflow?.channels, channel);
  if (level === undefined) return isSkipped || isFiltered;
  const { enabled, channels, overrides } = mergePreferences(
    run.workflow,
    global?.channels,
    workflow?.channels,
  );
  const raw = { enabled, channels, overrides };
  recordDetail(scope, job, 'Success', `Step filtered by ${level} preferences`, raw);
  return true;
}

/** Of a channel step, from its `skip` condition. */
export const skippedByRule = 'Bridge execution skipped';
/** Of a channel step, from its filters; of a digest, delay or throttle, from its `skip` condition. */
export const skippedByCondition = 'Step was skipped based on steps conditions';
