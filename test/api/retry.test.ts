import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRetryPolicy, mayHaveApplied, retryAfterMs } from '../../src/api/retry.ts';
import type { AttemptOutcome } from '../../src/core/errors.ts';
import type { Method } from '../../src/service/operation.ts';

const now = Date.parse('2026-01-15T12:00:00Z');
const policy = (changed: { retries?: number; maxWaitMs?: number; random?: () => number } = {}) =>
  createRetryPolicy({
    retries: 4,
    maxWaitMs: 60_000,
    random: () => 0.5,
    now: () => now,
    ...changed,
  });
const status = (code: number, headers: Record<string, string> = {}): AttemptOutcome => ({
  status: code,
  headers,
});
const decide = (outcome: AttemptOutcome, method: Method = 'GET', hasKey = false, attempt = 1) =>
  policy().decide({ method, hasKey, attempt, outcome });

describe('a retry', () => {
  it.each([408, 429, 500, 501, 502, 503, 504, 599])('follows status %i', (code) => {
    expect(decide(status(code))).toEqual({ retry: true, afterMs: 125, reason: `status ${code}` });
  });

  it.each([302, 400, 401, 402, 403, 404, 407, 409, 410, 413, 422, 428, 430, 499])(
    'does not follow status %i, with or without Retry-After',
    (code) => {
      expect(decide(status(code), 'GET')).toEqual({ retry: false });
      expect(decide(status(code, { 'retry-after': '1' }), 'POST', true)).toEqual({ retry: false });
      expect(decide(status(code, { 'retry-after': '61' }))).toEqual({ retry: false });
    },
  );

  it.each(['network', 'timeout', 'garbled'] as const)('follows a %s failure', (failure) => {
    expect(decide({ failure })).toEqual({ retry: true, afterMs: 125, reason: failure });
  });

  it('does not follow a permanent failure, such as an invalid certificate', () => {
    expect(decide({ failure: 'final' })).toEqual({ retry: false });
  });

  it.each<[Method, boolean, boolean]>([
    ['GET', false, true],
    ['PUT', false, true],
    ['DELETE', false, true],
    ['POST', false, false],
    ['PATCH', false, false],
    ['POST', true, true],
    ['PATCH', true, true],
  ])('of %s with an idempotency key (%s): %s', (method, hasKey, isRetried) => {
    for (const outcome of [status(503), status(429), { failure: 'network' } as const])
      expect(decide(outcome, method, hasKey).retry).toBe(isRetried);
  });

  it('follows a 409 only if the request with the same key is in progress', () => {
    const inProgress = (code: number) => ({ ...status(code), inProgress: true });
    expect(decide(inProgress(409), 'POST', true).retry).toBe(true);
    expect(decide(inProgress(422), 'POST', true).retry).toBe(false);
    expect(decide({ ...status(409), inProgress: false }, 'POST', true).retry).toBe(false);
  });

  it.each([408, 429, 500])(
    'does not follow status %i if the service replays a stored response',
    (code) => {
      expect(decide(status(code, { 'idempotency-replay': 'true' }), 'POST', true).retry).toBe(
        false,
      );
      expect(decide(status(code, { 'idempotency-replay': 'false' }), 'POST', true).retry).toBe(
        true,
      );
    },
  );

  it('happens at most as often as `retries` allows', () => {
    expect(decide(status(503), 'GET', false, 4).retry).toBe(true);
    expect(decide(status(503), 'GET', false, 5)).toEqual({ retry: false });
    const failedAttempt = {
      method: 'GET' as const,
      hasKey: false,
      attempt: 1,
      outcome: status(503),
    };
    expect(policy({ retries: 0 }).decide(failedAttempt)).toEqual({ retry: false });
  });
});

describe('the wait before a retry', () => {
  const waited = (
    changed: Parameters<typeof policy>[0],
    attempt: number,
    outcome = status(503),
  ) => {
    const decision = policy(changed).decide({ method: 'GET', hasKey: false, attempt, outcome });
    return decision.retry ? decision.afterMs : undefined;
  };

  it('has a maximum that doubles from 250 ms to 8 s', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 60].map((attempt) => waited({ retries: 100 }, attempt));
    expect(waits).toEqual([125, 250, 500, 1000, 2000, 4000, 4000, 4000]);
  });

  it('is random between 0 and its maximum (full jitter)', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 1, max: 8 }),
        (chance, attempt) => {
          const ceiling = Math.min(8_000, 125 * 2 ** attempt);
          expect(waited({ retries: 9, random: () => chance }, attempt)).toBe(chance * ceiling);
        },
      ),
    );
  });

  it('is at least as long as Retry-After and as the backoff', () => {
    expect(waited({}, 1, status(429, { 'retry-after': '7' }))).toBe(7_000);
    expect(waited({}, 1, status(503, { 'retry-after': '0.1' }))).toBe(125);
  });

  it('is not started if Retry-After exceeds the maximum wait', () => {
    expect(decide(status(429, { 'retry-after': '60' }))).toMatchObject({
      retry: true,
      afterMs: 60_000,
    });
    const tooLong = status(429, { 'retry-after': '60.001' });
    expect(decide(tooLong)).toEqual({ retry: false, retryAfterExceededMs: 60_001 });
    expect(decide(tooLong, 'GET', false, 9)).toEqual({
      retry: false,
      retryAfterExceededMs: 60_001,
    });
    expect(decide(tooLong, 'POST', false)).toEqual({ retry: false });
  });

  it('is not started if the backoff exceeds the maximum wait', () => {
    expect(waited({ maxWaitMs: 125 }, 1)).toBe(125);
    expect(waited({ maxWaitMs: 124 }, 1)).toBeUndefined();
  });
});

describe('the retry budget', () => {
  /** Returns how many of 100 failed attempts are retried after `requests` requests. */
  const countRetries = (outcome: AttemptOutcome, requests: number, attempt = () => 1) => {
    const { countRequest, decide } = policy();
    for (let request = 0; request < requests; request += 1) countRequest();
    return Array.from({ length: 100 }, () =>
      decide({ method: 'GET', hasKey: false, attempt: attempt(), outcome }),
    ).filter(({ retry }) => retry).length;
  };

  it.each([
    [1, 10],
    [9, 10],
    [10, 11],
    [19, 11],
    [20, 12],
    [500, 60],
  ])('of %i requests is %i retries: 10, and 1 for every 10 requests', (requests, retries) => {
    for (const outcome of [status(503), status(408), { failure: 'timeout' } as const])
      expect(countRetries(outcome, requests)).toBe(retries);
  });

  it('is not used by a 429 or a 409 in progress', () => {
    expect(countRetries(status(429), 1)).toBe(100);
    expect(countRetries({ ...status(409), inProgress: true }, 1)).toBe(100);
  });

  it('is not used by attempts without a retry', () => {
    let calls = 0;
    // The first 50 have no retries left.
    const attempt = () => (++calls <= 50 ? 5 : 1);
    expect(countRetries(status(503), 1, attempt)).toBe(10);
  });
});

describe('a failed request may have been applied', () => {
  it.each<[boolean, AttemptOutcome]>([
    [true, { failure: 'network' }],
    [true, { failure: 'timeout' }],
    [true, { failure: 'garbled' }],
    [false, { failure: 'final' }],
    [false, { failure: 'unsent' }],
    [true, status(500)],
    [true, status(408)],
    [true, { ...status(409), inProgress: true }],
    [false, status(429)],
    [false, status(404)],
    [false, status(500, { 'idempotency-replay': 'true' })],
  ])('%s for %j', (expected, outcome) => {
    expect(mayHaveApplied(outcome)).toBe(expected);
  });
});

describe('Retry-After', () => {
  it.each([
    ['3', 3000],
    [' 3 ', 3000],
    ['0', 0],
    ['1.5', 1500],
    ['12.25', 12_250],
    ['1, 3 ,2.5', 3000],
    ['10,9', 10_000],
    ['1, 30', 30_000],
    ['1, 2.25', 2250],
    ['99999999999999999999', 1e23],
    ['Thu, 15 Jan 2026 12:00:05 GMT', 5000],
    ['Thursday, 15-Jan-26 12:00:05 GMT', 5000],
    ['Thursday, 15-Jan-2026 12:00:05', 5000],
    ['Thu Jan 15 12:00:05 2026', 5000],
    ['Thu, 15 Jan 2026 13:00:05 +0100', 5000],
    ['2026-01-15T12:00:05Z', 5000],
    ['2026-01-15T12:00:05.500Z', 5500],
    ['2026-01-15T13:00:05+01:00', 5000],
    ['Thu, 15 Jan 2026 12:00:00 GMT', undefined],
    ['Thu, 15 Jan 2026 11:00:00 GMT', undefined],
    ['2026-01-15T12:00:00.001Z', 1],
    ['soon', undefined],
    ['soon: never', undefined],
    ['in 2 h', undefined],
    ['May 2099', undefined],
    ['x Thu, 15 Jan 2026 12:00:05 GMT', undefined],
    ['x2099-01-15T12:00:05Z', undefined],
    ['-4', undefined],
    ['+4', undefined],
    ['4s', undefined],
    ['1,', undefined],
    ['1.', undefined],
    ['.5', undefined],
    ['1e9', undefined],
    ['', undefined],
  ])('%j means %s ms, in any time zone', (text, expected) => {
    const { TZ } = process.env;
    for (const zone of ['UTC', 'America/New_York']) {
      process.env.TZ = zone;
      expect(retryAfterMs({ 'retry-after': text }, now)).toBe(expected);
    }
    process.env.TZ = TZ;
  });

  it('is ignored if absent', () => {
    expect(retryAfterMs({}, now)).toBeUndefined();
  });
});
