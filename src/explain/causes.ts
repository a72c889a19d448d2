// The causes of a verdict, and the execution details that name them.
import { type ChannelCause, causesByDetail } from '../service/job-outcomes.ts';
import type { ExecutionDetail } from '../service/schemas/activity.ts';
import { detailText } from './failure-reason.ts';

/** Why no event was found. */
export type EventCause =
  | 'transaction_reused'
  | 'workflow_inactive'
  | 'workflow_unknown'
  | 'not_subscribed'
  | 'subscriber_unknown'
  | 'no_steps'
  | 'no_event';

export interface Finding {
  cause: ChannelCause;
  detail: ExecutionDetail;
}

/** The detail that explains why a job did not deliver; undefined if none does. */
export function findCause(details: readonly ExecutionDetail[]): Finding | undefined {
  for (const [pattern, cause] of causesByDetail) {
    const detail = details.findLast((entry) => pattern.test(detailText(entry)));
    if (detail) return { cause, detail };
  }
  return undefined;
}

/** The JSON object in the `raw` text of a detail; empty without one. */
export function rawObject({ raw }: ExecutionDetail): Record<string, unknown> {
  if (typeof raw !== 'string' || !raw.trimStart().startsWith('{')) return {};
  try {
    return JSON.parse(raw) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** When a detail says that its step continues; undefined if it does not say. */
export function dueTime(detail: ExecutionDetail): string | undefined {
  const { delay, throttledUntil } = rawObject(detail);
  if (typeof throttledUntil === 'string') return throttledUntil;
  const started = Date.parse(detail.createdAt ?? '');
  if (typeof delay !== 'number' || Number.isNaN(started)) return undefined;
  const due = new Date(started + delay);
  return Number.isNaN(due.getTime()) ? undefined : due.toISOString();
}
