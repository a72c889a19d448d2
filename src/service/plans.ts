// The plans of the service, which limit the rate of requests and how long activity is kept.
import { unitMs } from '../core/durations.ts';

export const plans = ['free', 'pro', 'team', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

/** How far back the activity listing reaches. */
export const activityRetentionMs: Record<Plan, number> = {
  free: unitMs.d,
  pro: 7 * unitMs.d,
  team: 90 * unitMs.d,
  enterprise: Number.POSITIVE_INFINITY,
};
