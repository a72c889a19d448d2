// The estimate of the units that a service has left.
import { expect, it } from 'vitest';
import { createUnitEstimate, readRateLimit } from '../../src/bulk/engine/rate-limit.ts';

it('a request that costs more than a window has waits for a full window, not for ever', () => {
  const limit = readRateLimit({ 'ratelimit-policy': '60;w=1' });
  if (!limit) throw new Error('the policy is not read');
  const estimate = createUnitEstimate(100);
  estimate.update(limit, 59, 1_000, 0);
  expect(estimate.waitMs(limit, 0, 0)).toBe(1_000);
  expect(estimate.waitMs(limit, 0, 1_000)).toBe(0);
  expect(estimate.waitMs(limit, 1, 1_000)).toBe(1_000);
});
