// One request until it has a result: attempts, retries with the same key, and what an unknown outcome asks for.
import { SvcError } from '../core/errors.ts';
import { createAttempt } from './attempt.ts';
import type { ClientOptions } from './client-options.ts';
import { renewedKey } from './idempotency-key.ts';
import type { Exchange, RawRequest } from './request.ts';
import { type createRetryPolicy, mayHaveActed, type Outcome } from './retry.ts';

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

  const sleep = async ({ signal, patience }: RawRequest, ms: number, error: SvcError) => {
    const ends = [options.closed, signal, patience].filter((one) => one !== undefined);
    await clock.sleep(ms, AbortSignal.any(ends)).catch((reason: unknown) => {
      throw patience?.aborted && !signal?.aborted ? error : reason;
    });
  };

  return async (request: RawRequest, firstKey: string | undefined): Promise<Exchange<unknown>> => {
    let key = firstKey;
    let uncertain = false;
    /** An attempt was sent and its response never came, or said that the service failed. */
    let isLost = false;
    for (let number = 1; ; number += 1) {
      try {
        const response = await attempt(request, headersFor(request, key), number);
        honorsKeys ||= isKeyHonored(response.headers);
        return { ...response, attempts: number, uncertain };
      } catch (error) {
        const outcome = outcomeOf(error);
        if (!outcome || !(error instanceof SvcError)) throw error;
        if ('headers' in outcome) honorsKeys ||= isKeyHonored(outcome.headers);
        if (uncertain && request.method === 'DELETE' && error.details.status === 404) {
          return { value: undefined, status: 404, headers: {}, attempts: number, uncertain };
        }
        const isInProgress = 'status' in outcome && outcome.inProgress === true;
        const acted = mayHaveActed(outcome);
        uncertain ||= acted;
        isLost ||= acted && !isInProgress;
        Object.assign(error.details, { attempts: number, maybeApplied: uncertain });
        if (isStoredFailure(error) && request.idempotent && key !== undefined && key === firstKey) {
          key = await renewedKey(key);
          observe?.({ kind: 'retry', afterMs: 0, reason: 'stored error, with a new key' });
          continue;
        }
        const keyed = key !== undefined;
        const answer = policy.decide({ method: request.method, keyed, attempt: number, outcome });
        if (!answer.again) {
          if (answer.tooLongMs !== undefined) error.details.retryAfterExceededMs = answer.tooLongMs;
          throw isInProgress && isLost ? outcomeUnknown(request, error) : error;
        }
        observe?.({ kind: 'retry', afterMs: answer.afterMs, reason: answer.reason });
        request.retrying?.({ status: error.details.status, afterMs: answer.afterMs });
        await sleep(request, answer.afterMs, error);
        const found = isLost && !honorsKeys ? await request.findResult?.() : undefined;
        if (found) return { ...found, status: 200, headers: {}, attempts: number, uncertain };
      }
    }
  };
}

/** The service says that it read the key: then a repetition under the same key is recognized. */
const isKeyHonored = (headers: Record<string, string>) =>
  'idempotency-key' in headers || 'idempotency-replay' in headers;

/** The service keeps an error of its own for this key; what the error was is lost. */
const isStoredFailure = ({ details }: SvcError) =>
  details.idempotentReplay === true && (details.status ?? 0) >= 500;

const outcomeUnknown = ({ method }: RawRequest, { details }: SvcError) =>
  new SvcError(
    'unavailable',
    `The outcome of ${method} ${details.path} is unknown: the service is still working on an earlier attempt.`,
    details,
  );

/** The outcome that an error of an attempt carries, for the retry policy. */
function outcomeOf(error: unknown): Outcome | undefined {
  return error instanceof SvcError && 'outcome' in error ? (error.outcome as Outcome) : undefined;
}
