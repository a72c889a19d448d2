// Handles the requests of all operations: authorizes and validates them, applies rate limits and
// faults, and calls the handler. The handler's writes and the response stored for an idempotency key
// share one transaction.

import type { z } from 'zod';
import { type EmulatedId, record } from '../service/operations/index.ts';
import { handlers } from './api/index.ts';
import { type Prepared, preparedOperations } from './bridge/prepare.ts';
import { type FaultPlans, injectFault, type RequestFaults, waitLatency } from './control/faults.ts';
import type { RejectedTriggers } from './control/refusals.ts';
import type { Scheduler, StartTimer } from './engine/scheduler.ts';
import { authorizeRequest } from './http/authorization.ts';
import { HttpError, tooManyRequests } from './http/http-error.ts';
import { createIdempotency } from './http/idempotency.ts';
import { fromServicePath, fromServiceProviders, toServiceProviders } from './http/provider-ids.ts';
import { createRateLimits } from './http/rate-limits.ts';
import { readJsonOrForm } from './http/request-body.ts';
import {
  ConnectionCut,
  type ErrorResponses,
  type SerializedResponse,
  toResponse,
} from './http/responses.ts';
import { normalizeQuery, parseQuery, uncheckedError, validate } from './http/validate.ts';
import type { Clock, Ids } from './store/ids.ts';
import type { Store } from './store/scope.ts';

interface OperationsOptions {
  store: Store;
  /** The system clock. */
  clock: Clock;
  ids: Ids;
  scheduler: Scheduler;
  faults: FaultPlans;
  errorResponses: ErrorResponses;
  rejectedTriggers: RejectedTriggers;
  /** If undefined, injected latency has no effect. */
  startTimer: StartTimer | undefined;
  isEnveloped: () => boolean;
  /** Reads from the endpoint of an application what a request needs. */
  prepare: (id: EmulatedId, environmentId: string, body: unknown) => Promise<Prepared>;
}

type HandleOperation = (
  id: EmulatedId,
  request: Request,
  path: Record<string, string>,
) => Promise<Response>;

/** The input of a handler, without the types of a specific operation. */
interface HandlerCall {
  path: Record<string, string>;
  query: unknown;
  body: unknown;
  scope: ReturnType<Store['scope']>;
  prepared: Prepared | undefined;
}

export function createOperationHandler(options: OperationsOptions): HandleOperation {
  const { store, clock, ids, scheduler, faults, errorResponses, startTimer, isEnveloped } = options;
  const { rejectedTriggers, prepare } = options;
  const takeTokens = createRateLimits(clock);
  const idempotency = createIdempotency(store.sql, clock);

  const checkRateLimit = (id: EmulatedId, environmentId: string) => {
    const { rateLimit: plan } = faults.of(environmentId).settings();
    return plan && takeTokens(plan, environmentId, record(id).rate);
  };

  /** Calls the handler, in a transaction unless the method is GET. Errors become responses. */
  const callHandler = (
    request: Request,
    id: EmulatedId,
    handle: () => unknown,
    storeResponse: (response: SerializedResponse) => void,
  ): SerializedResponse => {
    const execute = () => {
      const result = handle();
      const response =
        result instanceof HttpError
          ? errorResponses.serialize(request, result)
          : successResponse(
              id,
              store.dialect.hasNovuProviders ? toServiceProviders(result) : result,
              isEnveloped(),
            );
      storeResponse(response);
      return response;
    };
    try {
      return record(id).method === 'GET' ? execute() : store.sql.transaction(execute);
    } catch (error) {
      const response = errorResponses.serialize(request, error);
      storeResponse(response);
      return response;
    }
  };

  const processRequest = async (
    id: EmulatedId,
    request: Request,
    path: Record<string, string>,
    environmentId: string,
    requestFaults: RequestFaults,
  ): Promise<SerializedResponse> => {
    const { bodyLimit, schemas, method } = record(id);
    const { latency, status, beforeHandler, afterCommit } = requestFaults;
    const { query, body } = await schemas();
    const sent = body && (await readJsonOrForm(request, bodyLimit));
    const { hasNovuProviders } = store.dialect;
    const json = hasNovuProviders ? fromServiceProviders(sent) : sent;
    const prepared = preparedOperations.has(id)
      ? await prepare(id, environmentId, json)
      : undefined;
    const keyedRequest = idempotency.read(request, json);
    const storedResponse = keyedRequest && idempotency.claim(keyedRequest);
    if (storedResponse) return storedResponse;
    try {
      // Await only if there is latency: otherwise the handler must run directly after the claim.
      if (latency > 0) await waitLatency(latency, startTimer);
      injectFault(beforeHandler, status);
      scheduler.catchUp();
      const handle = () => {
        const parameters = query && readQuery(query, request);
        const call: HandlerCall = {
          path: hasNovuProviders ? fromServicePath(path) : path,
          query: query && validate(query, parameters),
          body: body && validate(body, json),
          scope: {
            ...store.scope(environmentId),
            ids,
            plan: faults.of(environmentId).settings().rateLimit,
          },
          prepared,
        };
        try {
          return (handlers[id] as (call: HandlerCall) => unknown)(call);
        } catch (error) {
          if (error instanceof HttpError) throw error;
          throw (
            (query && uncheckedError(query, parameters)) ??
            (body && uncheckedError(body, json)) ??
            error
          );
        }
      };
      const storeResponse = (response: SerializedResponse) =>
        keyedRequest && idempotency.store(keyedRequest, response);
      const response = callHandler(request, id, handle, storeResponse);
      rejectedTriggers.record(environmentId, id, json, response);
      if (method !== 'GET') {
        scheduler.afterWrite();
        injectFault(afterCommit, status);
      }
      return keyedRequest ? withKeyHeader(response, keyedRequest.key) : response;
    } finally {
      if (keyedRequest) idempotency.release(keyedRequest);
    }
  };

  return async (id, request, path) => {
    const environmentId = authorizeRequest(store.sql, request);
    const requestFaults = faults.of(environmentId).next();
    const rateLimit = checkRateLimit(id, environmentId);
    let response: SerializedResponse;
    try {
      if (rateLimit && !rateLimit.allowed) throw tooManyRequests('API rate limit exceeded');
      response = await processRequest(id, request, path, environmentId, requestFaults);
    } catch (error) {
      if (error instanceof ConnectionCut) throw error;
      response = errorResponses.serialize(request, error);
    }
    const headers = { ...response.headers, ...rateLimit?.headers };
    const completeResponse = { ...response, headers };
    if (requestFaults.truncate) throw new ConnectionCut(completeResponse);
    return toResponse(completeResponse);
  };
}

const withKeyHeader = (response: SerializedResponse, key: string): SerializedResponse => ({
  ...response,
  headers: { ...response.headers, 'idempotency-key': key },
});

const readQuery = (schema: z.ZodType, { url }: Request) =>
  normalizeQuery(schema, parseQuery(new URL(url).searchParams));

function successResponse(id: EmulatedId, result: unknown, envelope: boolean): SerializedResponse {
  const status = record(id).success;
  if (status === 204) return { status, text: undefined };
  return { status, text: JSON.stringify(envelope ? wrapInEnvelope(result) : result) };
}

/** Returns `{data: value}`. An object that already has non-empty `data`, and no id, is returned as it is. */
function wrapInEnvelope(value: unknown): unknown {
  return isEnvelope(value) ? value : { data: value };
}

const isEnvelope = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'data' in value &&
  Boolean(value.data) &&
  !('_id' in value) &&
  !('id' in value);
