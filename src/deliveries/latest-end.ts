// When an event must have been finished at the latest: by the wait that the service recorded, or by the rules of the engine
// for delays, digests and schedules.
import { unitMs } from '../core/durations.ts';
import { isFinished, isWaitStart } from '../service/job-outcomes.ts';
import { isScheduleOpen, nextOpening } from '../service/schedule.ts';
import type { ActivityItem, Job } from '../service/schemas/activity.ts';
import type { Schedule } from '../service/schemas/preferences.ts';
import { isChannel } from '../service/schemas/vocabulary.ts';
import { chooseCron, planWait } from '../service/waits.ts';
import { dueTime } from './details.ts';
import { waitEnd } from './verdict.ts';

/** The recipient of an event, on whom a wait can depend. */
export interface Person {
  timeZone: string;
  schedule: Schedule | null | undefined;
}

/** A schedule opens at least once a week. Used for a schedule that was removed since. */
const longestClosedMs = 8 * unitMs.d;

/** The first job that is not finished. After a delay that cannot be computed, the service leaves the later jobs pending. */
export function openJob({ jobs }: ActivityItem): Job | undefined {
  const all = jobs ?? [];
  const index = all.findIndex((job) => !isFinished(job));
  const previous = all[index - 1];
  const isStopped =
    all[index]?.status === 'pending' &&
    previous?.status === 'failed' &&
    !isChannel(previous.type) &&
    previous.type !== 'http_request';
  return isStopped ? undefined : all[index];
}

/**
 * In milliseconds. `person`: it depends on the recipient, who is not given. Undefined: neither the event nor the rules say,
 * for example because the payload is no longer stored.
 */
export function latestEnd(
  item: ActivityItem,
  job: Job,
  person?: Person,
): number | 'person' | undefined {
  if (job.status !== 'delayed') return lastActivity(item);
  const started = job.executionDetails?.findLast(isWaitStart);
  const isExtended = (job.scheduleExtensionsCount ?? 0) > 0;
  if (isExtended && started && dueTime(started) === undefined)
    return person ? opening(Date.parse(started.createdAt ?? ''), person) : 'person';
  const recorded = Date.parse(waitEnd(job) ?? '');
  return Number.isNaN(recorded) ? endByRules(item, job, person) : recorded;
}

function opening(since: number, { schedule, timeZone }: Person): number | undefined {
  if (Number.isNaN(since)) return undefined;
  const next = schedule?.isEnabled ? nextOpening(schedule, since, timeZone) : undefined;
  return next ?? since + longestClosedMs;
}

/** Such as a digest that took the place of one that was canceled, for which the service records no time. */
function endByRules(item: ActivityItem, job: Job, person: Person | undefined) {
  const { payload = {}, createdAt } = item;
  const { controlVariables } = job.step ?? {};
  const controls = { ...job.digest, ...controlVariables };
  // A digest that was merged before has no controls.
  const waitsForSchedule = controlVariables?.extendToSchedule ?? controlVariables === undefined;
  if ((chooseCron(controls) !== undefined || waitsForSchedule) && !person) return 'person';
  const wait = planWait(job.type, controls, {
    payload,
    overrides: job.overrides ?? {},
    now: job.executionDetails?.[0]?.createdAt ?? createdAt ?? '',
    timeZone: person?.timeZone ?? 'UTC',
  });
  const until = wait && 'until' in wait ? wait.until : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const isOpen =
    !waitsForSchedule || !person || isScheduleOpen(person.schedule, until, person.timeZone);
  return isOpen ? until : opening(until, person);
}

/** A step that waits for nothing must run at once after the step before it. */
function lastActivity({ createdAt, jobs }: ActivityItem): number | undefined {
  const texts = (jobs ?? []).flatMap(({ executionDetails, status, updatedAt }) => [
    ...(executionDetails ?? []).map((detail) => detail.createdAt),
    isFinished({ status }) ? updatedAt : undefined,
  ]);
  const times = [createdAt, ...texts].map((text) => Date.parse(text ?? ''));
  const valid = times.filter((time) => !Number.isNaN(time));
  return valid.length === 0 ? undefined : Math.max(...valid);
}
