// Cancels what waits of a transaction. A main digest that is cancelled leaves its place to the
// oldest follower.
import { mergedDigests, setDigest } from '../store/digests.ts';
import { removeDue, setDue } from '../store/due-jobs.ts';
import { cancelJobs, changeJobStatus, jobsOf, updateJob, waitingJobs } from '../store/jobs.ts';
import { setDigestedBy, touchNotification } from '../store/notifications.ts';
import type { Scope } from '../store/scope.ts';
import { tell } from './record-detail.ts';

/** Whether there was anything to cancel. */
export function cancelTransaction(scope: Scope, transactionId: string): boolean {
  const waiting = waitingJobs(scope, transactionId);
  if (waiting.length === 0) return false;
  cancelJobs(
    scope,
    waiting.map(({ id }) => id),
  );
  for (const { id, type } of waiting)
    if (type === 'digest') setDigest(scope, id, { state: 'canceled' });
  for (const { id, type, status } of waiting) {
    if (status !== 'delayed') continue;
    const due = removeDue(scope, id);
    if (type === 'digest' && due !== undefined) promote(scope, id, due);
  }
  for (const notification of new Set(waiting.map(({ notification }) => notification))) {
    touchNotification(scope, notification);
  }
  return true;
}

/** The oldest follower of a main digest becomes main and ends when that would have ended. */
function promote(scope: Scope, main: string, due: number): void {
  const [heir, ...others] = mergedDigests(scope, main);
  if (!heir) return;
  changeJobStatus(scope, heir.notification, { from: 'merged', to: 'pending' });
  const job = jobsOf(scope, [heir.notification]).find(({ id }) => id === heir.job);
  if (!job) return;
  updateJob(scope, { ...job, status: 'delayed' });
  tell(scope, job, 'Pending', 'Step digested');
  setDue(scope, heir.job, due);
  setDigest(scope, heir.job, { state: 'open', main: heir.job });
  setDigestedBy(scope, heir.notification, null);
  for (const { job: follower, notification } of others) {
    setDigest(scope, follower, { state: 'merged', main: heir.job });
    setDigestedBy(scope, notification, heir.notification);
  }
}
