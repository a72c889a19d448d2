// When a request is sent again, and after how long: a pure policy and the budget of one process.
// Knows outcomes, not operations; waits nowhere itself.
import type { Method } from './operation.ts';

/** How one attempt ended: an answer, or no answer at all. */
export type Outcome =
  | { status: number; headers: Record<string, string>; inProgress?: boolean }
  | { failure: 'network' | 'timeout' | 'garbled' | 'final' };

export interface RetryQuestion {
  method: Method;
  /** Whether the request carries an idempotency key. */
  keyed: boolean;
  /** Attempts made so far, at least 1. */
  attempt: number;
  outcome: Outcome;
}

export interface RetrySettings {
  /** Most retries of one request. */
  retries: number;
  /** Longest wait before one retry, milliseconds. */
  maxWaitMs: number;
  /** A number in [0, 1). */
  random: () => number;
  /** Milliseconds since the epoch. */
  now: () => number;
}

export type RetryAnswer =
  | { again: true; afterMs: number; reason: string }
  /** `tooLongMs`: it would be, but the service asks for a longer wait than svc may take. */
  | { again: false; tooLongMs?: number };

const firstDelayMs = 250;
const longestDelayMs = 8_000;
const freeRetries = 10;
const share = 0.1;

/** Decides over retries within the budget: ten are free, then at most one for ten requests. */
export function createRetryPolicy(settings: RetrySettings) {
  let requests = 0;
  let spent = 0;
  return {
    /** Called once for each new request. */
    began() {
      requests += 1;
    },
    decide({ method, keyed, attempt, outcome }: RetryQuestion): RetryAnswer {
      const told = 'headers' in outcome ? (retryAfterMs(outcome.headers, settings.now()) ?? 0) : 0;
      const no: RetryAnswer = { again: false };
      if (!isRepeatable(method, keyed) || !isPassing(outcome)) return no;
      if (told > settings.maxWaitMs) return { ...no, tooLongMs: told };
      if (attempt > settings.retries) return no;
      const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1));
      const afterMs = Math.max(told, settings.random() * ceiling);
      if (afterMs > settings.maxWaitMs) return no;
      const paced = 'status' in outcome && (outcome.status === 429 || outcome.inProgress === true);
      if (!paced) {
        if (spent + 1 > freeRetries + requests * share) return no;
        spent += 1;
      }
      return { again: true, afterMs, reason: describe(outcome) };
    },
  };
}

/** Whether what was sent may have been carried out. Whoever is told to come later was not heard. */
export const mayHaveActed = (outcome: Outcome): boolean =>
  isPassing(outcome) && !('status' in outcome && outcome.status === 429);

/** A write is repeated only with a key, which makes the service recognise the repetition. */
const isRepeatable = (method: Method, keyed: boolean) =>
  keyed || method === 'GET' || method === 'PUT' || method === 'DELETE';

function isPassing(outcome: Outcome): boolean {
  if ('failure' in outcome) return outcome.failure !== 'final';
  if (outcome.headers['idempotency-replay'] === 'true') return false;
  if (outcome.status === 409) return outcome.inProgress === true;
  return outcome.status === 408 || outcome.status === 429 || outcome.status >= 500;
}

const describe = (outcome: Outcome) =>
  'failure' in outcome ? outcome.failure : `status ${outcome.status}`;

/**
 * What `Retry-After` (seconds or an HTTP date) asks for, in milliseconds; of several the longest. Undefined when
 * absent, unreadable or in the past.
 */
export function retryAfterMs(headers: Record<string, string>, now: number): number | undefined {
  const text = (headers['retry-after'] ?? '').trim();
  if (/^\d+(\.\d+)?(\s*,\s*\d+(\.\d+)?)*$/.test(text))
    return Math.max(...text.split(',').map(Number)) * 1000;
  if (!/^[a-z]{3,9},? .*:|^\d{4}-.*T/i.test(text)) return undefined;
  // The oldest form of HTTP names no zone and means GMT.
  const date = Date.parse(/[a-z]$|[+-]\d\d:?\d\d$/i.test(text) ? text : `${text} GMT`);
  return Number.isNaN(date) || date <= now ? undefined : date - now;
}
