// The causes of a verdict, and the execution details that name them.
import type { ExecutionDetail } from '../service/schemas/job.ts';
import { detailText } from './failure-reason.ts';

/** Why a channel did not deliver. */
export const channelCauses = [
  'workflow_preference',
  'global_preference',
  'workflow_default',
  'schedule',
  'condition',
  'missing_email',
  'missing_phone',
  'missing_channel',
  'no_integration',
  'inactive_integration',
  'no_primary_integration',
  'no_active_integration',
  'provider_error',
  'template_error',
  'digest_waiting',
  'digest_merged',
  'delayed_until',
  'canceled',
  'throttled',
  'halted',
] as const;
export type ChannelCause = (typeof channelCauses)[number];

/** Why no event was found. */
export type EventCause =
  | 'transaction_reused'
  | 'workflow_inactive'
  | 'workflow_unknown'
  | 'not_subscribed'
  | 'subscriber_unknown'
  | 'no_event';

/** Ordered by importance: a job with several destinations can have several of these details. */
const causesByDetail: readonly [RegExp, ChannelCause][] = [
  [/filtered by subscriber workflow preferences/i, 'workflow_preference'],
  [/filtered by subscriber global preferences/i, 'global_preference'],
  // The user of the service who edited the workflow, not the subscriber.
  [/filtered by (workflow|user) preferences/i, 'workflow_default'],
  [/outside (of )?the (subscriber's )?schedule/i, 'schedule'],
  [/bridge execution skipped|(skipped|filtered) based on .*(condition|filter)/i, 'condition'],
  [/missing e-?mail/i, 'missing_email'],
  [/missing (a )?phone/i, 'missing_phone'],
  [/webhook url .*is missing/i, 'missing_channel'],
  [/provider error/i, 'provider_error'],
  [/bridge execution failed|could not be generated|layout .*not found/i, 'template_error'],
  [/missing the tokens|missing recipient details/i, 'missing_channel'],
  [/does not have a configured channel/i, 'missing_channel'],
  [/does not have an active integration/i, 'no_active_integration'],
];

export interface Finding {
  cause: ChannelCause;
  detail: ExecutionDetail;
}

/** The detail that explains why a job did not deliver; undefined if none does. */
export function findCause(details: readonly ExecutionDetail[]): Finding | undefined {
  for (const [pattern, cause] of causesByDetail) {
    const detail = details.findLast((one) => pattern.test(detailText(one)));
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
