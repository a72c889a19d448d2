import { describe, expect, it } from 'vitest';
import type { Method } from '../../src/api/operation.ts';
import { createRetryPolicy, type Outcome, retryAfterMs } from '../../src/api/retry.ts';

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
  it.each([408, 429, 500, 502, 503, 504])('status %i is', (code) => {
    expect(ask(status(code)).again).toBe(true);
  });

  it.each([400, 401, 402, 403, 404, 409, 413, 422])('status %i is not', (code) => {
    expect(ask(status(code)).again).toBe(false);
  });

  it.each(['network', 'timeout', 'garbled'] as const)('a %s failure is', (failure) => {
    expect(ask({ failure }).again).toBe(true);
  });

  it('a failure that cannot pass, such as a bad certificate, is not', () => {
    expect(ask({ failure: 'final' }).again).toBe(false);
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
    expect(ask(status(503), method, keyed).again).toBe(again);
  });

  it('a 409 is when the service says the key is in progress', () => {
    expect(
      ask({ status: 409, headers: { 'retry-after': '1' }, inProgress: true }, 'POST', true).again,
    ).toBe(true);
  });

  it('an error that the service replays for its key is not', () => {
    expect(ask(status(500, { 'idempotency-replay': 'true' }), 'POST', true).again).toBe(false);
  });

  it('nothing is, beyond the number of retries', () => {
    expect(ask(status(503), 'GET', false, 5).again).toBe(false);
  });
});

describe('how long it waits', () => {
  it('up to a ceiling that doubles, from 250 ms to 8 s', () => {
    const { decide } = policy({ retries: 100 });
    const waits = [1, 2, 3, 4, 5, 6, 7].map((attempt) =>
      decide({ method: 'GET', keyed: false, attempt, outcome: status(503) }),
    );
    expect(waits.map((answer) => (answer.again ? answer.afterMs : 0))).toEqual([
      125, 250, 500, 1000, 2000, 4000, 4000,
    ]);
  });

  it('never less than it is told', () => {
    expect(ask(status(429, { 'retry-after': '7' }))).toMatchObject({ again: true, afterMs: 7000 });
  });

  it('not at all when it is told to wait beyond the longest wait', () => {
    expect(ask(status(429, { 'retry-after': '61' }))).toEqual({
      again: false,
      toldToWaitMs: 61_000,
    });
  });
});

describe('the budget', () => {
  const spend = (outcome: Outcome, times: number) => {
    const { began, decide } = policy();
    began();
    return Array.from(
      { length: times },
      () => decide({ method: 'GET', keyed: false, attempt: 1, outcome }).again,
    );
  };

  it('ten retries are free, then one for ten requests', () => {
    expect(spend(status(503), 11)).toEqual([...Array(10).fill(true), false]);
  });

  it('a 429 costs nothing', () => {
    expect(spend(status(429), 40)).toEqual(Array(40).fill(true));
  });
});

describe('Retry-After', () => {
  it.each([
    ['3', 3000],
    ['0', 0],
    ['1.5', 1500],
    ['Thu, 15 Jan 2026 12:00:05 GMT', 5000],
    ['Thu, 15 Jan 2026 11:00:00 GMT', undefined],
    ['soon', undefined],
    ['-4', undefined],
    ['', undefined],
  ])('%j means %s ms', (text, expected) => {
    expect(retryAfterMs({ 'retry-after': text }, now)).toBe(expected);
  });
});
