// A service that creates the jobs of its events some time after it has accepted them, as real ones do: until then a
// cancellation answers `false` and the activity shows nothing.
import type { Answerer } from './rig.ts';

interface LateEvent {
  /** When its jobs exist, in milliseconds that the command has slept; never when absent. */
  afterMs?: number;
  /** The status of its jobs at first. */
  statuses?: string[];
  /** When they complete by themselves. */
  doneMs?: number;
}

const cancelable = new Set(['delayed', 'merged']);

/** The events by their transaction ids; `of` gives those that are not listed. */
export function lateJobs(
  events: Record<string, LateEvent>,
  of: (id: string) => LateEvent = () => ({}),
): Answerer {
  const canceled = new Set<string>();
  const jobsOf = (id: string, slept: number): string[] => {
    const { afterMs = Number.POSITIVE_INFINITY, statuses, doneMs } = events[id] ?? of(id);
    if (slept < afterMs) return [];
    if (canceled.has(id)) return ['canceled'];
    if (doneMs !== undefined && slept >= doneMs) return ['completed'];
    return statuses ?? ['delayed'];
  };
  return ({ method, url, slept }) => {
    if (method === 'DELETE') {
      const id = decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
      const found = jobsOf(id, slept).some((status) => cancelable.has(status));
      if (found) canceled.add(id);
      return { status: 200, body: { data: found } };
    }
    if (url.pathname !== '/v1/notifications') return undefined;
    const shown = url.searchParams.getAll('transactionId').flatMap((id) => {
      const jobs = jobsOf(id, slept);
      return jobs.length === 0 ? [] : [activityOf(id, jobs)];
    });
    return { status: 200, body: { page: 0, pageSize: 50, hasMore: false, data: shown } };
  };
}

/** One item of the activity, with a job of each status. */
export const activityOf = (transactionId: string, statuses: readonly string[]) => ({
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
