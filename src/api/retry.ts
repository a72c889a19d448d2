// The retry policy: whether to send a request again, and after how long. Keeps the retry budget of the process.
import type { AttemptOutcome } from '../core/errors.ts';
import type { Method } from '../service/operation.ts';

export interface FailedAttempt {
  method: Method;
  /** Whether the request carries an idempotency key. */
  hasKey: boolean;
  /** Number of attempts so far, at least 1. */
  attempt: number;
  outcome: AttemptOutcome;
}

export interface RetrySettings {
  /** Maximum number of retries of one request. */
  retries: number;
  /** Maximum wait before one retry in milliseconds. */
  maxWaitMs: number;
  /** A number in [0, 1). */
  random: () => number;
  /** Milliseconds since the epoch. */
  now: () => number;
}

export type RetryDecision =
  | { retry: true; afterMs: number; reason: string }
  /** `retryAfterExceededMs`: the wait that the service requests, if it is longer than `maxWaitMs`. */
  | { retry: false; retryAfterExceededMs?: number };

const firstDelayMs = 250;
const maxDelayMs = 8_000;
const baseRetries = 10;
const maxRetryRate = 0.1;

/**
 * Decides on retries within a budget: 10 retries, plus 1 for every 10 requests. Retries
 * after a 429, or while an earlier attempt is still in progress, do not count.
 */
export function createRetryPolicy(settings: RetrySettings) {
  let requests = 0;
  let retries = 0;
  return {
    /** Call once for each new request; retries do not count. */
    countRequest() {
      requests += 1;
    },
    decide({ method, hasKey, attempt, outcome }: FailedAttempt): RetryDecision {
      const retryAfter =
        'headers' in outcome ? (retryAfterMs(outcome.headers, settings.now()) ?? 0) : 0;
      const giveUp: RetryDecision = { retry: false };
      if (!isRepeatable(method, hasKey) || !isTransient(outcome)) return giveUp;
      if (retryAfter > settings.maxWaitMs) return { ...giveUp, retryAfterExceededMs: retryAfter };
      if (attempt > settings.retries) return giveUp;
      const ceiling = Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1));
      const afterMs = Math.max(retryAfter, settings.random() * ceiling);
      if (afterMs > settings.maxWaitMs) return giveUp;
      const isRequestedByService =
        'status' in outcome && (outcome.status === 429 || outcome.inProgress === true);
      if (!isRequestedByService) {
        if (retries + 1 > baseRetries + requests * maxRetryRate) return giveUp;
        retries += 1;
      }
      return { retry: true, afterMs, reason: describeOutcome(outcome) };
    },
  };
}

/** Whether the service may have applied the request. A 429 means that it did not. */
export const mayHaveApplied = (outcome: AttemptOutcome): boolean =>
  isTransient(outcome) &&
  !('status' in outcome && outcome.status === 429) &&
  !('failure' in outcome && outcome.failure === 'unsent');

/** POST and PATCH are retried only with an idempotency key, by which the service recognizes the retry. */
const isRepeatable = (method: Method, hasKey: boolean) =>
  hasKey || method === 'GET' || method === 'PUT' || method === 'DELETE';

function isTransient(outcome: AttemptOutcome): boolean {
  if ('failure' in outcome) return outcome.failure !== 'final';
  if (outcome.headers['idempotency-replay'] === 'true') return false;
  if (outcome.status === 409) return outcome.inProgress === true;
  return outcome.status === 408 || outcome.status === 429 || outcome.status >= 500;
}

const describeOutcome = (outcome: AttemptOutcome) =>
  'failure' in outcome ? outcome.failure : `status ${outcome.status}`;

/**
 * Parses the `Retry-After` header (seconds or an HTTP date) to a wait in milliseconds. If there are several values,
 * returns the longest. Returns undefined if the header is absent, invalid or in the past.
 */
export function retryAfterMs(headers: Record<string, string>, now: number): number | undefined {
  const text = (headers['retry-after'] ?? '').trim();
  if (/^\d+(\.\d+)?(\s*,\s*\d+(\.\d+)?)*$/.test(text))
    return Math.max(...text.split(',').map(Number)) * 1000;
  if (!/^[a-z]{3,9},? .*:|^\d{4}-.*T/i.test(text)) return undefined;
  // The oldest HTTP date format has no time zone; it is in GMT.
  const date = Date.parse(/[a-z]$|[+-]\d\d:?\d\d$/i.test(text) ? text : `${text} GMT`);
  return Number.isNaN(date) || date <= now ? undefined : date - now;
}
