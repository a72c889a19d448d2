import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Method } from '../../src/api/operation.ts';
import {
  createRetryPolicy,
  mayHaveActed,
  type Outcome,
  retryAfterMs,
} from '../../src/api/retry.ts';

const now = Date.parse('2026-01-15T12:00:00Z');
const policy = (changed: { retries?: number; maxWaitMs?: number; random?: () => number } = {}) =>
  createRetryPolicy({
    retries: 4,
    maxWaitMs: 60_000,
    random: () => 0.5,
    now: () => now,
    ...changed,
  });
const status = (code: number, headers: Record<string, string> = {}): Outcome => ({
  status: code,
  headers,
});
const ask = (outcome: Outcome, method: Method = 'GET', keyed = false, attempt = 1) =>
  policy().decide({ method, keyed, attempt, outcome });

describe('what is tried again', () => {
  it.each([408, 429, 500, 501, 502, 503, 504, 599])('status %i is', (code) => {
    expect(ask(status(code))).toEqual({ again: true, afterMs: 125, reason: `status ${code}` });
  });

  it.each([302, 400, 401, 402, 403, 404, 407, 409, 410, 413, 422, 428, 430, 499])(
    'status %i is not, with whatever Retry-After',
    (code) => {
      expect(ask(status(code), 'GET')).toEqual({ again: false });
      expect(ask(status(code, { 'retry-after': '1' }), 'POST', true)).toEqual({ again: false });
      expect(ask(status(code, { 'retry-after': '61' }))).toEqual({ again: false });
    },
  );

  it.each(['network', 'timeout', 'garbled'] as const)('a %s failure is', (failure) => {
    expect(ask({ failure })).toEqual({ again: true, afterMs: 125, reason: failure });
  });

  it('a failure that cannot pass, such as a bad certificate, is not', () => {
    expect(ask({ failure: 'final' })).toEqual({ again: false });
  });

  it.each<[Method, boolean, boolean]>([
    ['GET', false, true],
    ['PUT', false, true],
    ['DELETE', false, true],
    ['POST', false, false],
    ['PATCH', false, false],
    ['POST', true, true],
    ['PATCH', true, true],
  ])('%s with a key: %s → %s', (method, keyed, again) => {
    for (const outcome of [status(503), status(429), { failure: 'network' } as const])
      expect(ask(outcome, method, keyed).again).toBe(again);
  });

  it('a 409 is when the service says the key is in progress, and no other status for that', () => {
    const inProgress = (code: number) => ({ ...status(code), inProgress: true });
    expect(ask(inProgress(409), 'POST', true).again).toBe(true);
    expect(ask(inProgress(422), 'POST', true).again).toBe(false);
    expect(ask({ ...status(409), inProgress: false }, 'POST', true).again).toBe(false);
  });

  it.each([408, 429, 500])('an error %i that the service replays for its key is not', (code) => {
    expect(ask(status(code, { 'idempotency-replay': 'true' }), 'POST', true).again).toBe(false);
    expect(ask(status(code, { 'idempotency-replay': 'false' }), 'POST', true).again).toBe(true);
  });

  it('as often as there are retries, and no more', () => {
    expect(ask(status(503), 'GET', false, 4).again).toBe(true);
    expect(ask(status(503), 'GET', false, 5)).toEqual({ again: false });
    const question = { method: 'GET' as const, keyed: false, attempt: 1, outcome: status(503) };
    expect(policy({ retries: 0 }).decide(question)).toEqual({ again: false });
  });
});

describe('how long it waits', () => {
  const waited = (
    changed: Parameters<typeof policy>[0],
    attempt: number,
    outcome = status(503),
  ) => {
    const answer = policy(changed).decide({ method: 'GET', keyed: false, attempt, outcome });
    return answer.again ? answer.afterMs : undefined;
  };

  it('up to a ceiling that doubles, from 250 ms to 8 s', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 60].map((attempt) => waited({ retries: 100 }, attempt));
    expect(waits).toEqual([125, 250, 500, 1000, 2000, 4000, 4000, 4000]);
  });

  it('anything from nothing to the ceiling: full jitter', () => {
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

  it('never less than it is told, and no less than by itself', () => {
    expect(waited({}, 1, status(429, { 'retry-after': '7' }))).toBe(7_000);
    expect(waited({}, 1, status(503, { 'retry-after': '0.1' }))).toBe(125);
  });

  it('not at all when it is told to wait beyond the longest wait', () => {
    expect(ask(status(429, { 'retry-after': '60' }))).toMatchObject({
      again: true,
      afterMs: 60_000,
    });
    const told = status(429, { 'retry-after': '60.001' });
    expect(ask(told)).toEqual({ again: false, tooLongMs: 60_001 });
    expect(ask(told, 'GET', false, 9)).toEqual({ again: false, tooLongMs: 60_001 });
    expect(ask(told, 'POST', false)).toEqual({ again: false });
  });

  it('not at all when it would wait longer by itself', () => {
    expect(waited({ maxWaitMs: 125 }, 1)).toBe(125);
    expect(waited({ maxWaitMs: 124 }, 1)).toBeUndefined();
  });
});

describe('the budget', () => {
  /** How many retries of so many requests there are, of a hundred wanted. */
  const retriesOf = (outcome: Outcome, requests: number, attempt = () => 1) => {
    const { began, decide } = policy();
    for (let request = 0; request < requests; request += 1) began();
    return Array.from({ length: 100 }, () =>
      decide({ method: 'GET', keyed: false, attempt: attempt(), outcome }),
    ).filter(({ again }) => again).length;
  };

  it.each([
    [1, 10],
    [9, 10],
    [10, 11],
    [19, 11],
    [20, 12],
    [500, 60],
  ])('of %i requests is %i retries: ten, and one for ten requests', (requests, retries) => {
    for (const outcome of [status(503), status(408), { failure: 'timeout' } as const])
      expect(retriesOf(outcome, requests)).toBe(retries);
  });

  it('a 429 and a 409 in progress cost nothing', () => {
    expect(retriesOf(status(429), 1)).toBe(100);
    expect(retriesOf({ ...status(409), inProgress: true }, 1)).toBe(100);
  });

  it('what is not tried again costs nothing', () => {
    let asked = 0;
    // The first fifty have been tried too often.
    const attempt = () => (++asked <= 50 ? 5 : 1);
    expect(retriesOf(status(503), 1, attempt)).toBe(10);
  });
});

describe('what was sent may have been carried out', () => {
  it.each<[boolean, Outcome]>([
    [true, { failure: 'network' }],
    [true, { failure: 'timeout' }],
    [true, { failure: 'garbled' }],
    [false, { failure: 'final' }],
    [true, status(500)],
    [true, status(408)],
    [true, { ...status(409), inProgress: true }],
    [false, status(429)],
    [false, status(404)],
    [false, status(500, { 'idempotency-replay': 'true' })],
  ])('%s after %j', (may, outcome) => {
    expect(mayHaveActed(outcome)).toBe(may);
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

  it('means nothing when it is not there', () => {
    expect(retryAfterMs({}, now)).toBeUndefined();
  });
});
