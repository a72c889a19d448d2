// Explains one event: the verdict of each of its channel steps, from the jobs and execution details alone. A step that
// was merged into a digest has the verdict of the event whose digest carries it.
import {
  type ChannelCause,
  detailTexts,
  isHaltedByFailure,
  isMerged,
  isThrottled,
  isWaitStart,
  type StepOutcome,
} from '../service/job-outcomes.ts';
import type { ActivityItem, ExecutionDetail, Job } from '../service/schemas/activity.ts';
import { isChannel, weekDays } from '../service/schemas/vocabulary.ts';
import { detailText, dueTime, failureTexts, findCause, rawObject } from './causes.ts';

/** The verdict of one channel step. */
export interface StepVerdict {
  channel: string;
  verdict: StepOutcome;
  cause: ChannelCause | null;
  /** The event whose digest carries the step. */
  digest?: { transactionId: string; at: string } | undefined;
  /** For the message: the reason of a failure, the end of a wait, the hours of a schedule. */
  reason?: string | undefined;
  until?: string | undefined;
  /** The id of the integration that can become the primary one. */
  integrationId?: string | undefined;
  /** The internal id of the step. */
  stepId?: string | undefined;
  /** The detail that the verdict is based on. */
  detail?: ExecutionDetail | undefined;
}

/** Some servers omit the list. */
const listDetails = ({ executionDetails }: Partial<Job>): ExecutionDetail[] =>
  executionDetails ?? [];

/** Returns an event by its `_id`; undefined if it is not known. */
export type FindEvent = (notificationId: string) => ActivityItem | undefined;

/**
 * The verdicts of the channel steps, in order; a workflow can have several steps of one channel. Without the event whose
 * digest carries a merged step, the step counts as skipped.
 */
export function stepVerdicts(
  item: ActivityItem,
  findEvent: FindEvent = () => undefined,
): StepVerdict[] {
  // Some servers send null.
  const jobs = item.jobs ?? [];
  return jobs.flatMap((job, index) => {
    if (!isChannel(job.type)) return [];
    const stepId = job.step?._id;
    const step = { channel: job.type, stepId };
    const carried = job.status === 'merged' ? verdictInDigest(item, step, findEvent) : undefined;
    return [carried ?? { ...step, ...toVerdict(job, jobs.slice(0, index)) }];
  });
}

/** The id of the event whose digest carries a step of this one. */
export const findDigestId = ({ _digestedNotificationId: id, jobs }: ActivityItem) =>
  jobs?.some(({ status }) => status === 'merged') ? id : undefined;

/** The verdict of the same step of the event that carries it, which another digest can have merged in turn. */
function verdictInDigest(
  { _digestedNotificationId: id }: ActivityItem,
  { channel, stepId }: Pick<StepVerdict, 'channel' | 'stepId'>,
  findEvent: FindEvent,
): StepVerdict | undefined {
  const main = id === undefined ? undefined : findEvent(id);
  if (!main) return undefined;
  // Every event is followed once, whatever the service says.
  const verdicts = stepVerdicts(main, (other) => (other === id ? undefined : findEvent(other)));
  const steps = verdicts.filter((verdict) => verdict.channel === channel);
  const verdict = steps.find((step) => step.stepId === stepId) ?? steps[0];
  const digest = { transactionId: main.transactionId, at: main.createdAt ?? '' };
  return verdict && { digest, ...verdict };
}

type Outcome = Omit<StepVerdict, 'channel' | 'stepId'>;

/** The failed steps of an event without messages, such as an HTTP request. */
export const failuresWithoutMessage = ({ jobs }: ActivityItem): StepVerdict[] =>
  jobs?.some(({ type }) => isChannel(type))
    ? []
    : (jobs ?? [])
        .filter(({ status }) => status === 'failed')
        .map((job) => ({ channel: job.type, ...toVerdict(job, []) }));

function toVerdict(job: Job, earlier: readonly Job[]): Outcome {
  const details = listDetails(job);
  switch (job.status) {
    case 'completed':
      return { verdict: 'delivered', cause: null, detail: details.at(-1) };
    case 'failed':
      return explained(job, 'failed') ?? unnamedFailure(job);
    case 'canceled':
    case 'skipped':
      return explained(job, 'skipped') ?? stoppedBefore(job, earlier);
    case 'merged':
      return merged([...earlier, job]);
    default:
      return notFinished(job, earlier);
  }
}

function explained(job: Job, verdict: StepOutcome): Outcome | undefined {
  const explained = findCause(listDetails(job));
  if (!explained) return undefined;
  const { cause, detail } = explained;
  const { schedule, timezone } = rawObject(detail);
  const reason = cause === 'schedule' ? scheduleText(schedule, timezone) : findReason(detail);
  return { verdict, cause, detail, reason };
}

/** A failure in words of the service that svc does not know: the provider failed if it got a message. */
function unnamedFailure(job: Job): Outcome {
  const details = listDetails(job);
  const wasCreated = details.some(({ detail }) => detail === detailTexts.messageCreated);
  const otherCause = job.type === 'http_request' ? 'http_request_failed' : 'template_error';
  return {
    verdict: 'failed',
    cause: wasCreated ? 'provider_error' : otherCause,
    reason: failureTexts(details).join('; ') || undefined,
    detail: details.at(-1),
  };
}

/** A step that never ran: an earlier step throttled the event or failed, or the event was canceled. */
function stoppedBefore(job: Job, earlier: readonly Job[]): Outcome {
  const failure = findDetail([job], isHaltedByFailure);
  if (failure) return halted(earlier) ?? { verdict: 'skipped', cause: 'halted', detail: failure };
  const throttle = findDetail(earlier, isThrottled);
  if (throttle)
    return { verdict: 'skipped', cause: 'throttled', detail: throttle, until: dueTime(throttle) };
  return (
    halted(earlier) ?? { verdict: 'skipped', cause: 'canceled', detail: listDetails(job).at(-1) }
  );
}

function halted(earlier: readonly Job[]): Outcome | undefined {
  const failed = earlier.findLast(({ status }) => status === 'failed');
  if (!failed) return undefined;
  const { type } = failed;
  const details = listDetails(failed);
  return {
    verdict: 'skipped',
    cause: 'halted',
    reason: `${type}: ${failureTexts(details).join('; ')}`,
    detail: details.findLast(({ status }) => status === 'Failed') ?? details.at(-1),
  };
}

const merged = (jobs: readonly Job[]): Outcome => ({
  verdict: 'skipped',
  cause: 'digest_merged',
  detail: findDetail(jobs, isMerged),
});

/** Waits for an earlier digest or delay. After one of these fails, the service leaves the later steps pending. */
function notFinished(job: Job, earlier: readonly Job[]): Outcome {
  const { status } = job;
  const waiting = earlier.findLast((job) => job.status === 'delayed');
  if (!waiting) {
    const blocked = earlier.filter(({ type }) => !isChannel(type));
    return (
      (status === 'pending' ? halted(blocked) : undefined) ?? {
        verdict: 'waiting',
        cause: null,
        reason: status,
        detail: listDetails(job).at(-1),
      }
    );
  }
  return {
    verdict: 'waiting',
    cause: waiting.type === 'digest' ? 'digest_waiting' : 'delayed_until',
    until: waitEnd(waiting),
    detail: waitStart(waiting),
  };
}

const waitStart = (job: Job) => listDetails(job).findLast(isWaitStart);

/** When a digest or delay ends, as ISO text; undefined if the service does not say. */
export function waitEnd(job: Job): string | undefined {
  const started = waitStart(job);
  return (started && dueTime(started)) ?? job.digest?.timed?.untilDate;
}

const findDetail = (jobs: readonly Job[], matches: (detail: ExecutionDetail) => boolean) =>
  jobs.flatMap(listDetails).findLast(matches);

/** The reason in the raw text of a failure; undefined if the detail has none. */
function findReason(entry: ExecutionDetail): string | undefined {
  const text = detailText(entry);
  return text.startsWith(`${entry.detail}: `) ? text.slice(entry.detail.length + 2) : undefined;
}

// The event that is explained, and for whom.

export interface Subject {
  subscriberId: string;
  item: ActivityItem;
  /** Only the steps of these channels; all if absent. */
  channels?: readonly string[] | undefined;
}

export const workflowIdentifier = ({ template }: ActivityItem): string | undefined =>
  template?.triggers?.[0]?.identifier;

// Describes the schedule of a subscriber: `mon-fri 09:00 AM-05:00 PM (Europe/Berlin)`.

interface Day {
  isEnabled?: boolean;
  hours?: { start?: string; end?: string }[];
}

/** `schedule` comes from a preference, or from the detail of a step outside the schedule. */
export function scheduleText(schedule: unknown, timezone?: unknown): string | undefined {
  const week = (schedule as { weeklySchedule?: Record<string, Day> } | undefined)?.weeklySchedule;
  if (typeof week !== 'object' || week === null) return undefined;
  const groups: { first: string; last: string; hours: string | undefined }[] = [];
  for (const day of weekDays) {
    const hours = hoursText(week[day]);
    const group = groups.at(-1);
    if (group?.hours === hours && group) group.last = day;
    else groups.push({ first: day, last: day, hours });
  }
  const open = groups.flatMap(({ first, last, hours }) =>
    hours === undefined
      ? []
      : [`${first === last ? short(first) : `${short(first)}-${short(last)}`} ${hours}`],
  );
  const zone = typeof timezone === 'string' ? ` (${timezone})` : '';
  return open.length === 0 ? undefined : `${open.join(', ')}${zone}`;
}

const short = (day: string) => day.slice(0, 3);

function hoursText(day: Day | undefined): string | undefined {
  if (!day?.isEnabled) return undefined;
  const { hours = [] } = day;
  if (hours.length === 0) return 'all day';
  return hours.map(({ start, end }) => `${start}-${end}`).join(' and ');
}
