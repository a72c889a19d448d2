// The rate limit headers of requests for a session, which the service sends with every response. The sandbox rejects
// none of them.
import { tokensPerSecond } from '../../service/plans.ts';
import type { Clock } from '../values/ids.ts';

const windowSeconds = 5;
const cost = 1000;
const limit = tokensPerSecond.enterprise.global * windowSeconds;
const burst = limit * 1.1;

/** Returns the headers of the next request. `clock` shows the time of the sandbox. */
export function createSessionLimit(clock: Clock): () => Record<string, string> {
  let tokens = burst;
  let filledAt = clock.now();
  return () => {
    const now = clock.now();
    if (now - filledAt >= windowSeconds * 1000) [tokens, filledAt] = [burst, now];
    tokens = Math.max(0, tokens - cost);
    return {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(tokens),
      'ratelimit-reset': '1',
      'ratelimit-policy': `${limit};w=${windowSeconds};burst=${burst};comment="token bucket";category="global";cost="keyless";serviceLevel="enterprise"`,
    };
  };
}
