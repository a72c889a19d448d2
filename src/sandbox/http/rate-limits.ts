// Rate limits as the service has them: a token bucket for each environment and category, filled up
// at the end of every window. On the machine's clock; a sandbox that is started anew has full buckets.
import type { Operation } from '../../api/operation.ts';
import type { Clock } from '../ids.ts';

export const plans = ['free', 'pro', 'team', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

type Rate = Operation['rate'];

/** Requests in a second. */
const perSecond: Record<Plan, Record<Rate['category'], number>> = {
  free: { trigger: 60, configuration: 20, global: 30 },
  pro: { trigger: 240, configuration: 80, global: 120 },
  team: { trigger: 600, configuration: 200, global: 300 },
  enterprise: { trigger: 6000, configuration: 2000, global: 3000 },
};
const windowSeconds = 5;
const window = windowSeconds * 1000;
const percentWithBurst = 110;

export interface Verdict {
  allowed: boolean;
  headers: Record<string, string>;
}

/** Takes what one call costs out of its bucket, or leaves the bucket as it is. */
export type TakeTokens = (plan: Plan, environmentId: string, rate: Rate) => Verdict;

interface Bucket {
  tokens: number;
  filledAt: number;
}

export function createRateLimits(clock: Clock): TakeTokens {
  const buckets = new Map<string, Bucket>();

  return (plan, environmentId, { category, cost }) => {
    const refill = perSecond[plan][category] * windowSeconds;
    const most = (refill * percentWithBurst) / 100;
    const now = clock.now();
    const name = `${plan} ${environmentId} ${category}`;
    const bucket = filled(buckets.get(name) ?? { tokens: most, filledAt: now }, now, refill, most);
    const allowed = bucket.tokens >= cost;
    if (allowed) bucket.tokens -= cost;
    buckets.set(name, bucket);
    const reset = String(Math.max(1, Math.ceil((bucket.filledAt + window - now) / 1000)));
    return {
      allowed,
      headers: {
        'ratelimit-limit': String(most),
        'ratelimit-remaining': String(bucket.tokens),
        'ratelimit-reset': reset,
        'ratelimit-policy': `${refill};w=${windowSeconds};burst=${most};comment="token bucket";category="${category}";cost="${cost}"`,
        ...(allowed ? {} : { 'retry-after': reset }),
      },
    };
  };
}

function filled({ tokens, filledAt }: Bucket, now: number, refill: number, most: number): Bucket {
  const windows = Math.max(0, Math.floor((now - filledAt) / window));
  return {
    tokens: Math.min(most, tokens + windows * refill),
    filledAt: filledAt + windows * window,
  };
}
