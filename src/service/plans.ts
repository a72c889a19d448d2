// The plans of the service, which limit the rate of requests and how long activity is kept.
export const plans = ['free', 'pro', 'team', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

const hourMs = 3_600_000;

/** How far back the activity listing reaches. */
export const activityRetentionMs: Record<Plan, number> = {
  free: 24 * hourMs,
  pro: 7 * 24 * hourMs,
  team: 90 * 24 * hourMs,
  enterprise: Number.POSITIVE_INFINITY,
};
