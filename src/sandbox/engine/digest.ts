// Digest steps: the first event of a bucket opens the digest, later events are merged into it, and
// when the digest is due, the first event's run resumes with all of them.

import { isObject, type JsonObject } from '../../core/objects.ts';
import { detailTexts } from '../../service/job-outcomes.ts';
import type { DigestMetadata } from '../../service/schemas/activity.ts';
import { isChannel } from '../../service/schemas/vocabulary.ts';
import { durationMs } from '../../service/time.ts';
import { chooseCron } from '../../service/waits.ts';
import { toIso } from '../store/clock.ts';
import {
  type DigestMember,
  firstBeforeDigest,
  firstDigested,
  insertDigestMember,
  mergedDigests,
  openDigest,
  setDigestState,
} from '../store/digests.ts';
import type { StoredJob } from '../store/jobs.ts';
import { findNotification, setDigestedBy } from '../store/notifications.ts';
import type { Scope } from '../store/scope.ts';
import { recordDetail, type Step } from './run.ts';
import { completed, type JobOutcome, waiting } from './step.ts';
import { startTimer, waitDetail } from './timing.ts';

/** `until`: when the digest is due, if this event opens it. */
export function startDigest(
  step: Step,
  { controls, until }: { controls: JsonObject; until: number },
): JobOutcome {
  const { scope, run, job } = step;
  const now = Date.parse(scope.now);
  const key = typeof controls.digestKey === 'string' ? controls.digestKey : '';
  // The key is a template such as `{{payload.post.id}}`; without variables it is the same for all events.
  const member: DigestMember = {
    job: job.id,
    notification: run.notification.id,
    bucket: JSON.stringify([run.workflow.id, job.step._id, run.subscriber.id, key]),
    openedBy: job.id,
  };
  const start = lookBackStart(controls, now);
  if (start !== undefined && isFirst(step, { ...member, key }, start)) {
    insertDigestMember(scope, { ...member, state: 'first' });
    recordDetail(scope, job, 'Success', detailTexts.digestSkipped);
    job.output = toOutput([toDigestedEvent(scope, run.notification.payload, job.id)]);
    return { status: 'skipped' };
  }
  const open = openDigest(scope, member.bucket);
  if (open) return mergeDigest(scope, job, member, open);
  insertDigestMember(scope, { ...member, state: 'open' });
  const raw = waitDetail(step, controls, until);
  recordDetail(scope, job, 'Pending', detailTexts.stepDigested, raw);
  const { timed } = job.digest ?? {};
  if (timed) timed.untilDate = toIso(until);
  startTimer(scope, job, until);
  return waiting;
}

/** Returns when the look-back window of a backoff digest started. */
function lookBackStart({ lookBackWindow }: JsonObject, now: number): number | undefined {
  if (!isObject(lookBackWindow)) return undefined;
  const { amount, unit } = lookBackWindow;
  const duration = durationMs(amount, unit);
  return duration === undefined ? undefined : now - duration;
}

/**
 * The first event in the look-back window of a backoff digest is not delayed. The time when the event was sent counts,
 * not when it reached the digest. The service uses the empty key for a digest that a delay still holds back.
 */
function isFirst(step: Step, member: DigestMember & { key: string }, since: number): boolean {
  const { scope, run, job } = step;
  const earlier = run.jobs.slice(0, run.jobs.indexOf(job));
  const canBePending = member.key === '' && earlier.some(({ type }) => !isChannel(type));
  const { id, createdAt } = run.notification;
  const event = { id, workflow: run.workflow.id, subscriber: run.subscriber.id };
  return [
    firstDigested(scope, member, since),
    canBePending ? firstBeforeDigest(scope, event, since) : undefined,
  ].every((first) => first === undefined || createdAt < first);
}

function mergeDigest(
  scope: Scope,
  job: StoredJob,
  member: DigestMember,
  { openedBy }: DigestMember,
): JobOutcome {
  insertDigestMember(scope, { ...member, openedBy, state: 'merged' });
  setDigestedBy(scope, member.notification, openedBy);
  recordDetail(scope, job, 'Success', detailTexts.digestMerged);
  return { status: 'merged', remainingJobs: 'merged' };
}

/** Completes a main digest that is due; its events include the events of all followers. */
export function finishDigest(step: Step): JobOutcome {
  const { scope, run, job } = step;
  const followers = mergedDigests(scope, job.id).flatMap((follower) => {
    const notification = findNotification(scope, follower.notification);
    return notification ? [{ ...notification, job: follower.job }] : [];
  });
  const { id: notification, createdAt: time, payload } = run.notification;
  const events = [
    { id: job.id, time, payload, notification },
    ...followers.map(({ job: id, createdAt: time, payload, id: notification }) => ({
      id,
      time,
      payload,
      notification,
    })),
  ];
  const visibleEvents = events.map((event) => visibleEvent(scope, event));
  if (job.digest) job.digest.events = visibleEvents;
  job.output = toOutput(events.map(({ notification: _, ...event }) => event));
  setDigestState(scope, job.id, 'done');
  recordDetail(scope, job, 'Success', detailTexts.digestTriggered, visibleEvents);
  return completed;
}

/** The activity shows the payload of an event, or a reference. */
function visibleEvent(
  { dialect }: Scope,
  { id, time, payload, notification }: DigestedEvent & { notification: string },
): Record<string, unknown> {
  if (!dialect.hasDigestReferences || Object.keys(payload).length > 0) return payload;
  return { __payloadRef: true, _jobId: id, _notificationId: notification, time };
}

/** Returns the settings of a digest that the activity shows. */
export function digestMetadata(controls: Record<string, unknown>): DigestMetadata {
  const { type, amount, unit, cron, lookBackWindow: back } = controls;
  const isTimed = type === 'timed' || chooseCron(controls) !== undefined;
  const backoff = isObject(back) ? back : undefined;
  return {
    type: isTimed ? 'timed' : backoff ? 'backoff' : 'regular',
    ...(typeof amount === 'number' ? { amount } : {}),
    ...(typeof unit === 'string' ? { unit } : {}),
    // The service keeps the key to itself.
    digestKey: 'No-Key-Provided',
    ...(typeof cron === 'string'
      ? { timed: { cronExpression: cron, weekDays: [], monthDays: [] } }
      : {}),
    ...(backoff
      ? { backoff: true, backoffAmount: Number(backoff.amount), backoffUnit: String(backoff.unit) }
      : {}),
    events: [],
  };
}

interface DigestedEvent {
  id: string;
  time: string;
  payload: Record<string, unknown>;
}

const toDigestedEvent = (
  { now }: Scope,
  payload: Record<string, unknown>,
  id: string,
): DigestedEvent => ({ id, time: now, payload });

const toOutput = (events: DigestedEvent[]) => ({ events, eventCount: events.length });
