// Sends one request and retries it until it succeeds or the retry policy stops. Retries use the same idempotency key,
// unless the service stored an error for that key.
import { refuseForeignNotFound, SvcError } from '../core/errors.ts';
import { createAttempt } from './attempt.ts';
import type { ClientOptions } from './client-options.ts';
import type { Exchange, RawRequest } from './request.ts';
import { type createRetryPolicy, mayHaveApplied } from './retry.ts';

interface SenderOptions extends ClientOptions {
  policy: ReturnType<typeof createRetryPolicy>;
  headersFor: (request: RawRequest, key: string | undefined) => Record<string, string>;
  /** Aborts when the client is closed. */
  closeSignal: AbortSignal;
}

export function createSender(options: SenderOptions) {
  const { clock, policy, headersFor, observe } = options;
  const attempt = createAttempt(options);
  let serviceHonorsKeys = false;

  const sleep = async ({ signal, retrySignal }: RawRequest, ms: number, error: SvcError) => {
    const signals = [options.closeSignal, signal, retrySignal].filter(
      (candidate) => candidate !== undefined,
    );
    await clock.sleep(ms, AbortSignal.any(signals)).catch((reason: unknown) => {
      throw retrySignal?.aborted && !signal?.aborted ? error : reason;
    });
  };

  return async (request: RawRequest, firstKey: string | undefined): Promise<Exchange<unknown>> => {
    let key = firstKey;
    let maybeApplied = false;
    /** An earlier attempt timed out, lost its connection or failed in the service, so its outcome is unknown. */
    let hasLostAttempt = false;
    for (let attemptNumber = 1; ; attemptNumber += 1) {
      try {
        const response = await attempt(request, headersFor(request, key), attemptNumber);
        serviceHonorsKeys ||= isKeyHonored(response.headers);
        return { ...response, attempts: attemptNumber, maybeApplied };
      } catch (caught) {
        const outcome = caught instanceof SvcError ? caught.details.outcome : undefined;
        if (!outcome || !(caught instanceof SvcError)) throw caught;
        if ('headers' in outcome) serviceHonorsKeys ||= isKeyHonored(outcome.headers);
        if (maybeApplied && request.method === 'DELETE' && caught.details.status === 404) {
          if (caught.details.isForeignNotFound) throw refuseForeignNotFound(caught);
          return {
            value: undefined,
            status: 404,
            headers: {},
            attempts: attemptNumber,
            maybeApplied,
          };
        }
        const isInProgress = 'status' in outcome && outcome.inProgress === true;
        const isAttemptMaybeApplied =
          request.method !== 'GET' &&
          (caught.details.maybeApplied === true || mayHaveApplied(outcome));
        maybeApplied ||= isAttemptMaybeApplied;
        hasLostAttempt ||= isAttemptMaybeApplied && !isInProgress;
        const error = caught.with({ attempts: attemptNumber, maybeApplied });
        if (isStoredFailure(error) && request.idempotent && key !== undefined && key === firstKey) {
          key = await replacementKey(key);
          observe?.({ type: 'retry', afterMs: 0, reason: 'stored error, with a new key' });
          continue;
        }
        const hasKey = key !== undefined;
        const decision = policy.decide({
          method: request.method,
          hasKey,
          attempt: attemptNumber,
          outcome,
        });
        if (!decision.retry) {
          const { retryAfterExceededMs } = decision;
          const last = error.with({ retryAfterExceededMs });
          throw isInProgress && hasLostAttempt ? outcomeUnknownError(request, last) : last;
        }
        observe?.({ type: 'retry', afterMs: decision.afterMs, reason: decision.reason });
        request.onRetry?.({ status: error.details.status, afterMs: decision.afterMs });
        await sleep(request, decision.afterMs, error);
        const earlierResult =
          hasLostAttempt && !serviceHonorsKeys ? await request.findResult?.() : undefined;
        if (earlierResult)
          return {
            ...earlierResult,
            status: 200,
            headers: {},
            attempts: attemptNumber,
            maybeApplied,
          };
      }
    }
  };
}

/** Whether the headers confirm that the service read the idempotency key, so that it recognizes a retry. */
const isKeyHonored = (headers: Record<string, string>) =>
  'idempotency-key' in headers || 'idempotency-replay' in headers;

/** Whether the service returned an error that it had stored for this key. A retry with the same key cannot succeed. */
const isStoredFailure = ({ details }: SvcError) =>
  details.idempotentReplay === true && (details.status ?? 0) >= 500;

const outcomeUnknownError = ({ method }: RawRequest, error: SvcError) =>
  error.with({
    exitReason: 'unavailable',
    message: `The outcome of ${method} ${error.details.path} is unknown: the service is still working on an earlier attempt.`,
  });

// Chooses the idempotency key of each request.

interface KeyOptions {
  /** Returns a new key. */
  newKey: () => string;
  /** The value of --idempotency-key, which applies to the whole command. */
  idempotencyKey?: string;
}

/**
 * Returns a function that chooses the key of a request. The request's own key takes precedence, then the key of the
 * command. Without either, POST and PATCH get a new key, and other methods get none. The first request sends the key of
 * the command unchanged. Each later request sends a hash of that key, the request number and the body.
 */
export function createKeyChooser({ newKey, idempotencyKey }: KeyOptions) {
  let requestCount = 0;
  return async (request: RawRequest): Promise<string | undefined> => {
    if (request.isLookUp) return undefined;
    requestCount += 1;
    if (request.idempotencyKey !== undefined) return request.idempotencyKey;
    if (idempotencyKey === undefined) {
      return request.method === 'POST' || request.method === 'PATCH' ? newKey() : undefined;
    }
    if (requestCount === 1) return idempotencyKey;
    return sha256Hex(`${idempotencyKey}\n${requestCount}\n`, request.body ?? '');
  };
}

/** Returns the key to use after the service stored an error for `key`; always the same for the same `key`. */
const replacementKey = (key: string) => sha256Hex(`${key}\nrenewed\n`, '');

/** Returns the SHA-256 of the prefix followed by the body. */
async function sha256Hex(prefix: string, body: Uint8Array | string): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(prefix).update(body).digest('hex');
}
