// The service's rate limits: one token bucket per environment and category, refilled after every
// window. Uses the system clock; buckets are full when the sandbox starts.
import type { Operation } from '../../service/operation.ts';
import { type Plan, tokensPerSecond } from '../../service/plans.ts';
import type { Clock } from '../store/ids.ts';

type Rate = Operation['rate'];

const windowSeconds = 5;
const windowMs = windowSeconds * 1000;
const percentWithBurst = 110;

export interface RateLimitResult {
  allowed: boolean;
  headers: Record<string, string>;
}

/** Takes the cost of one request from its bucket. Takes nothing if there are not enough tokens. */
export type TakeTokens = (plan: Plan, environmentId: string, rate: Rate) => RateLimitResult;

interface Bucket {
  tokens: number;
  filledAt: number;
}

export function createRateLimits(clock: Clock): TakeTokens {
  const buckets = new Map<string, Bucket>();

  return (plan, environmentId, { category, cost }) => {
    const refillTokens = tokensPerSecond[plan][category] * windowSeconds;
    const capacity = (refillTokens * percentWithBurst) / 100;
    const now = clock.now();
    const name = `${plan} ${environmentId} ${category}`;
    const previous = buckets.get(name) ?? { tokens: capacity, filledAt: now };
    const bucket = refill(previous, now, refillTokens, capacity);
    const allowed = bucket.tokens >= cost;
    if (allowed) bucket.tokens -= cost;
    buckets.set(name, bucket);
    const reset = String(Math.max(1, Math.ceil((bucket.filledAt + windowMs - now) / 1000)));
    return {
      allowed,
      headers: {
        'ratelimit-limit': String(capacity),
        'ratelimit-remaining': String(bucket.tokens),
        'ratelimit-reset': reset,
        'ratelimit-policy': `${refillTokens};w=${windowSeconds};burst=${capacity};comment="token bucket";category="${category}";cost="${cost}"`,
        ...(allowed ? {} : { 'retry-after': reset }),
      },
    };
  };
}

function refill(
  { tokens, filledAt }: Bucket,
  now: number,
  refillTokens: number,
  capacity: number,
): Bucket {
  const windows = Math.max(0, Math.floor((now - filledAt) / windowMs));
  return {
    tokens: Math.min(capacity, tokens + windows * refillTokens),
    filledAt: filledAt + windows * windowMs,
  };
}

// The rate limit headers of requests that open a session, which the service sends with every response. The sandbox
// rejects none of them.

const sessionCost = 1000;
const sessionLimit = tokensPerSecond.enterprise.global * windowSeconds;
const sessionCapacity = (sessionLimit * percentWithBurst) / 100;

/** Returns the headers of the next request. `clock` shows the time of the sandbox. */
export function createSessionLimit(clock: Clock): () => Record<string, string> {
  let bucket: Bucket = { tokens: sessionCapacity, filledAt: clock.now() };
  return () => {
    const now = clock.now();
    if (now - bucket.filledAt >= windowMs) bucket = { tokens: sessionCapacity, filledAt: now };
    bucket.tokens = Math.max(0, bucket.tokens - sessionCost);
    return {
      'ratelimit-limit': String(sessionLimit),
      'ratelimit-remaining': String(bucket.tokens),
      'ratelimit-reset': '1',
      'ratelimit-policy': `${sessionLimit};w=${windowSeconds};burst=${sessionCapacity};comment="token bucket";category="global";cost="keyless";serviceLevel="enterprise"`,
    };
  };
}
