// Sends one request until it has a result. Retries use the same idempotency key; handles attempts of unknown outcome.
import { SvcError } from '../core/errors.ts';
import { createAttempt } from './attempt.ts';
import type { ClientOptions } from './client-options.ts';
import { replacementKey } from './idempotency-key.ts';
import type { Exchange, RawRequest } from './request.ts';
import { type createRetryPolicy, mayHaveApplied, type Outcome } from './retry.ts';

interface SenderOptions extends ClientOptions {
  policy: ReturnType<typeof createRetryPolicy>;
  headersFor: (request: RawRequest, key: string | undefined) => Record<string, string>;
  /** Aborts when the client is closed. */
  closed: AbortSignal;
}

export function createSender(options: SenderOptions) {
  const { clock, policy, headersFor, observe } = options;
  const attempt = createAttempt(options);
  let honorsKeys = false;

  const sleep = async ({ signal, retrySignal }: RawRequest, ms: number, error: SvcError) => {
    const signals = [options.closed, signal, retrySignal].filter((one) => one !== undefined);
    await clock.sleep(ms, AbortSignal.any(signals)).catch((reason: unknown) => {
      throw retrySignal?.aborted && !signal?.aborted ? error : reason;
    });
  };

  return async (request: RawRequest, firstKey: string | undefined): Promise<Exchange<unknown>> => {
    let key = firstKey;
    let maybeApplied = false;
    /** An attempt got no response, or a response that the service failed. */
    let isLost = false;
    for (let number = 1; ; number += 1) {
      try {
        const response = await attempt(request, headersFor(request, key), number);
        honorsKeys ||= isKeyHonored(response.headers);
        return { ...response, attempts: number, maybeApplied };
      } catch (error) {
        const outcome = outcomeOf(error);
        if (!outcome || !(error instanceof SvcError)) throw error;
        if ('headers' in outcome) honorsKeys ||= isKeyHonored(outcome.headers);
        if (maybeApplied && request.method === 'DELETE' && error.details.status === 404) {
          return { value: undefined, status: 404, headers: {}, attempts: number, maybeApplied };
        }
        const isInProgress = 'status' in outcome && outcome.inProgress === true;
        const isMaybeApplied = mayHaveApplied(outcome);
        maybeApplied ||= isMaybeApplied;
        isLost ||= isMaybeApplied && !isInProgress;
        Object.assign(error.details, { attempts: number, maybeApplied });
        if (isStoredFailure(error) && request.idempotent && key !== undefined && key === firstKey) {
          key = await replacementKey(key);
          observe?.({ kind: 'retry', afterMs: 0, reason: 'stored error, with a new key' });
          continue;
        }
        const hasKey = key !== undefined;
        const decision = policy.decide({
          method: request.method,
          hasKey,
          attempt: number,
          outcome,
        });
        if (!decision.retry) {
          if (decision.retryAfterExceededMs !== undefined)
            error.details.retryAfterExceededMs = decision.retryAfterExceededMs;
          throw isInProgress && isLost ? outcomeUnknown(request, error) : error;
        }
        observe?.({ kind: 'retry', afterMs: decision.afterMs, reason: decision.reason });
        request.onRetry?.({ status: error.details.status, afterMs: decision.afterMs });
        await sleep(request, decision.afterMs, error);
        const found = isLost && !honorsKeys ? await request.findResult?.() : undefined;
        if (found) return { ...found, status: 200, headers: {}, attempts: number, maybeApplied };
      }
    }
  };
}

/** The service confirms that it read the idempotency key, so it recognizes a retry with the same key. */
const isKeyHonored = (headers: Record<string, string>) =>
  'idempotency-key' in headers || 'idempotency-replay' in headers;

/** The service stored a failure for this key, without its details. */
const isStoredFailure = ({ details }: SvcError) =>
  details.idempotentReplay === true && (details.status ?? 0) >= 500;

const outcomeUnknown = ({ method }: RawRequest, { details }: SvcError) =>
  new SvcError(
    'unavailable',
    `The outcome of ${method} ${details.path} is unknown: the service is still working on an earlier attempt.`,
    details,
  );

/** Returns the outcome attached to an attempt's error, for the retry policy. */
function outcomeOf(error: unknown): Outcome | undefined {
  return error instanceof SvcError && 'outcome' in error ? (error.outcome as Outcome) : undefined;
}
