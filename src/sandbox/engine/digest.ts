// Digest steps: the first event of a bucket waits, later ones are merged into it, and at the end
// its run goes on with all of them.
import {
  type DigestMember,
  hasDigestedSince,
  insertDigestMember,
  mergedDigests,
  openDigest,
  setDigest,
} from '../store/digests.ts';
import { setDue } from '../store/due-jobs.ts';
import type { StoredJob } from '../store/jobs.ts';
import { findNotification, setDigestedBy } from '../store/notifications.ts';
import type { Scope } from '../store/scope.ts';
import { completed, halted, type Outcome, waiting } from './outcome.ts';
import { keyedValue } from './paths.ts';
import { tell } from './record-detail.ts';
import type { Run } from './run.ts';
import { zoneOf } from './skip-rules.ts';
import { after, cronOf, nextCron } from './timing.ts';
import type { Variables } from './variables.ts';

type Controls = Record<string, unknown>;

export function startDigest(
  scope: Scope,
  run: Run,
  job: StoredJob,
  variables: () => Variables,
): Outcome {
  const controls = job.step.controlVariables ?? {};
  const now = Date.parse(scope.now);
  const due = endOf(controls, now, zoneOf(run));
  if (due === undefined) {
    tell(scope, job, 'Failed', 'Digest step has neither an amount and unit nor a cron expression');
    return halted;
  }
  const member: DigestMember = {
    job: job.id,
    notification: run.notification.id,
    bucket: bucketOf(run, job, controls, variables),
  };
  const open = openDigest(scope, member.bucket);
  if (open) return merge(scope, job, member, open);
  if (isFirstOfBackoff(scope, controls, member.bucket, now)) {
    insertDigestMember(scope, { ...member, main: job.id, state: 'first' });
    tell(scope, job, 'Success', 'Digest was skipped, first backoff event');
    job.output = outputOf([eventOf(scope, run.notification.payload, job.id)]);
    return { status: 'skipped' };
  }
  insertDigestMember(scope, { ...member, main: job.id, state: 'open' });
  tell(scope, job, 'Pending', 'Step digested');
  if (job.digest?.timed) job.digest.timed.untilDate = new Date(due).toISOString();
  setDue(scope, job.id, due);
  return waiting;
}

/** Backoff waits the amount and unit like a regular digest. */
function endOf(controls: Controls, now: number, zone: string): number | undefined {
  const { type, amount, unit, cron, timed } = controls;
  const expression = typeof cron === 'string' && cron !== '' ? cron : cronOf(timed);
  if (expression !== undefined && (type === 'timed' || amount === undefined)) {
    return nextCron(expression, now, zone);
  }
  return after(now, amount, unit);
}

/** Events that are digested together: of a workflow's step, a subscriber, a value of the key. */
function bucketOf(
  { workflow, subscriber }: Run,
  { step }: StoredJob,
  { digestKey }: Controls,
  variables: () => Variables,
): string {
  const value =
    typeof digestKey === 'string' && digestKey !== ''
      ? keyedValue(variables(), digestKey)
      : undefined;
  return JSON.stringify([workflow.id, step._id, subscriber.id, value ?? null]);
}

/** The first event within the look-back window goes on at once. */
function isFirstOfBackoff(
  scope: Scope,
  { lookBackWindow }: Controls,
  bucket: string,
  now: number,
): boolean {
  if (typeof lookBackWindow !== 'object' || lookBackWindow === null) return false;
  const { amount, unit } = lookBackWindow as Controls;
  const end = after(now, amount, unit);
  return end !== undefined && !hasDigestedSince(scope, bucket, now - (end - now));
}

function merge(scope: Scope, job: StoredJob, member: DigestMember, main: DigestMember): Outcome {
  insertDigestMember(scope, { ...member, main: main.job, state: 'merged' });
  setDigestedBy(scope, member.notification, main.notification);
  tell(scope, job, 'Success', 'Digest was merged with other digest');
  return { status: 'merged', rest: 'merged' };
}

/** The end of the wait: the main digest holds the payloads of all. */
export function finishDigest(scope: Scope, run: Run, job: StoredJob): Outcome {
  const followers = mergedDigests(scope, job.id).flatMap((follower) => {
    const notification = findNotification(scope, follower.notification);
    return notification ? [{ ...notification, job: follower.job }] : [];
  });
  const { payload } = run.notification;
  const main = findNotification(scope, run.notification.id);
  if (job.digest) {
    job.digest.events = [payload, ...followers.map((follower) => follower.payload)];
  }
  job.output = outputOf([
    { id: job.id, time: main?.createdAt ?? scope.now, payload },
    ...followers.map((one) => ({ id: one.job, time: one.createdAt, payload: one.payload })),
  ]);
  setDigest(scope, job.id, { state: 'done' });
  tell(scope, job, 'Success', 'Digest triggered events');
  return completed;
}

interface DigestedEvent {
  id: string;
  time: string;
  payload: Record<string, unknown>;
}

const eventOf = ({ now }: Scope, payload: Record<string, unknown>, id: string): DigestedEvent => ({
  id,
  time: now,
  payload,
});

const outputOf = (events: DigestedEvent[]) => ({ events, eventCount: events.length });
