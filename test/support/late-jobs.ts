// A service that creates the jobs of an event some time after it accepted the event, like the real service. Until then
// a cancellation returns `false` and the activity is empty.
import type { Answerer } from './rig.ts';

interface LateEvent {
  /** When its jobs are created, in milliseconds that the command has slept; never if absent. */
  afterMs?: number;
  /** The initial status of each job. */
  statuses?: string[];
  /** When the jobs complete, in milliseconds that the command has slept. */
  doneMs?: number;
}

const cancelable = new Set(['delayed', 'merged']);

/** Returns the service for events by transaction id; `of` returns the events that are not listed. */
export function lateJobs(
  events: Record<string, LateEvent>,
  of: (id: string) => LateEvent = () => ({}),
): Answerer {
  const canceled = new Set<string>();
  const jobStatuses = (id: string, slept: number): string[] => {
    const { afterMs = Number.POSITIVE_INFINITY, statuses, doneMs } = events[id] ?? of(id);
    if (slept < afterMs) return [];
    if (canceled.has(id)) return ['canceled'];
    if (doneMs !== undefined && slept >= doneMs) return ['completed'];
    return statuses ?? ['delayed'];
  };
  return ({ method, url, slept }) => {
    if (method === 'DELETE') {
      const id = decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
      const isCancelable = jobStatuses(id, slept).some((status) => cancelable.has(status));
      if (isCancelable) canceled.add(id);
      return { status: 200, body: { data: isCancelable } };
    }
    if (url.pathname !== '/v1/notifications') return undefined;
    const shown = url.searchParams.getAll('transactionId').flatMap((id) => {
      const jobs = jobStatuses(id, slept);
      return jobs.length === 0 ? [] : [readActivity(id, jobs)];
    });
    return { status: 200, body: { page: 0, pageSize: 50, hasMore: false, data: shown } };
  };
}

/** Returns an activity item with one job for each status. */
export const readActivity = (transactionId: string, statuses: readonly string[]) => ({
  _id: `item-${transactionId}`,
  transactionId,
  _subscriberId: 's1',
  subscriber: { subscriberId: 'u1' },
  jobs: statuses.map((status, index) => ({
    _id: `job-${index}`,
    type: index === 0 ? 'delay' : 'email',
    status,
    executionDetails: [],
  })),
});
