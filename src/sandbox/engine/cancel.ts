// Cancels the waiting jobs of a transaction. A main digest is the digest job that waits for later events;
// the digest jobs merged into it are its followers. If a main digest is canceled, its oldest follower
// replaces it.
import { detailTexts } from '../../service/job-outcomes.ts';
import { findDigest, oldestMergedDigest, setDigestState } from '../store/digests.ts';
import {
  changeJobStatus,
  listJobs,
  removeDueJob,
  setDueJob,
  setJobStatus,
  updateJob,
  waitingJobs,
} from '../store/jobs.ts';
import { setDigestedBy, touchNotification } from '../store/notifications.ts';
import type { Scope } from '../store/scope.ts';
import { recordDetail } from './run.ts';

/** Returns whether the transaction had any waiting jobs. */
export function cancelTransaction(scope: Scope, transactionId: string): boolean {
  const waiting = waitingJobs(scope, transactionId);
  if (waiting.length === 0) return false;
  setJobStatus(
    scope,
    waiting.map(({ id }) => id),
    'canceled',
  );
  for (const { id } of waiting) setDigestState(scope, id, 'canceled');
  for (const { id } of waiting) {
    const dueAt = removeDueJob(scope, id);
    if (dueAt !== undefined) promoteOldestFollower(scope, id, dueAt);
  }
  for (const notification of new Set(waiting.map(({ notification }) => notification))) {
    touchNotification(scope, notification);
  }
  return true;
}

/** Makes the oldest follower of a main digest the new main digest, with the same due time. */
function promoteOldestFollower(scope: Scope, mainJob: string, dueAt: number): void {
  const digest = findDigest(scope, mainJob);
  const newMain = digest && oldestMergedDigest(scope, digest);
  if (!newMain) return;
  changeJobStatus(scope, newMain.notification, { from: 'merged', to: 'pending' });
  const job = listJobs(scope, [newMain.notification]).find(({ id }) => id === newMain.job);
  if (!job) return;
  recordDetail(scope, job, 'Pending', detailTexts.stepDigested);
  updateJob(scope, { ...job, status: 'delayed' });
  setDueJob(scope, newMain.job, dueAt);
  setDigestState(scope, newMain.job, 'open');
  setDigestedBy(scope, newMain.notification, null);
}
