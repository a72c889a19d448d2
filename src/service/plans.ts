// The plans of the service, which limit the rate of requests and how long activity is kept.
import { unitMs } from '../core/durations.ts';
import type { Operation } from './operation.ts';

export const plans = ['free', 'pro', 'team', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

/** How far back the activity listing reaches. */
export const activityRetentionMs: Record<Plan, number> = {
  free: unitMs.d,
  pro: 7 * unitMs.d,
  team: 90 * unitMs.d,
  enterprise: Number.POSITIVE_INFINITY,
};

/** How many tokens of the rate limits are refilled per second. */
export const tokensPerSecond: Record<Plan, Record<Operation['rate']['category'], number>> = {
  free: { trigger: 60, configuration: 20, global: 30 },
  pro: { trigger: 240, configuration: 80, global: 120 },
  team: { trigger: 600, configuration: 200, global: 300 },
  enterprise: { trigger: 6000, configuration: 2000, global: 3000 },
};
