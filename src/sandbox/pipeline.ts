// Handles the requests of all operations: authorizes and validates them, applies rate limits and
// faults, and calls the handler. The handler's writes and the response stored for an idempotency key
// share one transaction.

import type { JsonObject } from '../core/objects.ts';
import type { Operation } from '../service/operation.ts';
import { type InboxId, inboxClient } from '../service/operations/inbox-client.ts';
import { type OperationId, operationIds, record } from '../service/operations/index.ts';
import type { Lifetime } from '../service/versions.ts';
import type { Handlers } from './api/handler.ts';
import { handlers as operationHandlers } from './api/index.ts';
import { type Prepared, preparedOperations } from './bridge/prepare.ts';
import { type FaultPlans, injectFault, type RequestFaults, waitLatency } from './control/faults.ts';
import type { RejectedTriggers } from './control/refusals.ts';
import type { Scheduler, StartTimer } from './engine/scheduler.ts';
import { authorizeRequest } from './http/authorization.ts';
import { HttpError, tooManyRequests } from './http/http-error.ts';
import { createIdempotency } from './http/idempotency.ts';
import { fromServicePath, fromServiceProviders, toServiceProviders } from './http/provider-ids.ts';
import { createRateLimits, createSessionLimit, type RateLimitResult } from './http/rate-limits.ts';
import { readJson, readJsonOrForm } from './http/request-body.ts';
import {
  ConnectionCut,
  type ErrorResponses,
  type SerializedResponse,
  toResponse,
} from './http/responses.ts';
import { normalizeQuery, parseQuery, uncheckedError, validate } from './http/validate.ts';
import type { createInbox } from './inbox/index.ts';
import type { SessionClaims } from './inbox/session-token.ts';
import { keyHandlers, keyReaders } from './inbox/with-key.ts';
import type { Clock, Ids } from './store/ids.ts';
import type { Store } from './store/scope.ts';

/** A missing handler does not compile. */
const handlers: Handlers = { ...operationHandlers, ...keyHandlers };

/** An operation that the sandbox serves. */
type ServedId = OperationId | InboxId;

const isInboxId = (id: ServedId): id is InboxId => Object.hasOwn(inboxClient, id);

const served = (id: ServedId): Operation =>
  isInboxId(id) ? (inboxClient[id] as unknown as Operation) : record(id);

interface PipelineOptions {
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
  prepare: (id: OperationId, environmentId: string, body: unknown) => Promise<Prepared>;
}

interface OperationRoute extends Lifetime {
  method: string;
  path: string;
  handle(request: Request, path: Record<string, string>): Promise<Response>;
}

/** A request whose sender is known. */
interface Authorized {
  environmentId: string;
  session?: SessionClaims;
}

/** The input of a handler, without the types of a specific operation. */
interface HandlerCall {
  path: Record<string, string>;
  query: unknown;
  body: unknown;
  scope: ReturnType<Store['scope']>;
  prepared: Prepared | undefined;
  request: Request;
}

/** Each handler takes the call of its own operation, as the schemas have checked it. */
type HandlerTable = Partial<Record<ServedId, (call: never) => unknown>>;
type QueryReaders = Partial<Record<ServedId, (parsed: JsonObject) => JsonObject>>;

/** Returns the routes of all operations, in the order in which they are matched. */
export function createOperationRoutes(options: PipelineOptions): OperationRoute[] {
  const { store, clock, ids, scheduler, faults, errorResponses, startTimer, isEnveloped } = options;
  const { rejectedTriggers, prepare } = options;
  const takeTokens = createRateLimits(clock);
  const sessionLimit = createSessionLimit(store.clock);
  const idempotency = createIdempotency(store.sql, clock);
  let inbox: Promise<ReturnType<typeof createInbox>> | undefined;
  const loadInbox = () => {
    inbox ??= import('./inbox/index.ts').then((module) => module.createInbox(store, clock));
    return inbox;
  };

  const authorize = async ({ auth }: Operation, request: Request): Promise<Authorized> => {
    if (auth === 'key') return { environmentId: authorizeRequest(store.sql, request) };
    if (auth === 'none') return { environmentId: store.environmentId };
    const session = await (await loadInbox()).authorize(request);
    return { environmentId: session.environmentId, session };
  };

  const checkRateLimit = (
    { auth, rate }: Operation,
    environmentId: string,
  ): RateLimitResult | undefined => {
    if (auth === 'session') return undefined;
    if (auth === 'none') return { allowed: true, headers: sessionLimit() };
    const { rateLimit: plan } = faults.of(environmentId).settings();
    return plan && takeTokens(plan, environmentId, rate);
  };

  const serialize = (
    { method, success: status, auth }: Operation,
    result: unknown,
  ): SerializedResponse => {
    const isEmpty = method === 'GET' && result === undefined;
    if (status === 204 || isEmpty) return { status: 204, text: undefined };
    const value = store.dialect.hasNovuProviders ? toServiceProviders(result) : result;
    // Inbox clients expect the envelope in every mode.
    const hasEnvelope = auth !== 'key' || isEnveloped();
    return { status, text: JSON.stringify(hasEnvelope ? wrapInEnvelope(value) : value) };
  };

  /** Calls the handler, in a transaction unless the method is GET. Errors become responses. */
  const callHandler = (
    request: Request,
    operation: Operation,
    handle: () => unknown,
    storeResponse: (response: SerializedResponse) => void,
  ): SerializedResponse | Promise<SerializedResponse> => {
    const execute = () => {
      const result = handle();
      if (result instanceof Promise) return result.then((value) => serialize(operation, value));
      const response =
        result instanceof HttpError
          ? errorResponses.serialize(request, result)
          : serialize(operation, result);
      storeResponse(response);
      return response;
    };
    try {
      return operation.method === 'GET' ? execute() : store.sql.transaction(execute);
    } catch (error) {
      const response = errorResponses.serialize(request, error);
      storeResponse(response);
      return response;
    }
  };

  const processRequest = async (
    id: ServedId,
    request: Request,
    path: Record<string, string>,
    { environmentId, session }: Authorized,
    requestFaults: RequestFaults,
  ): Promise<SerializedResponse> => {
    const operation = served(id);
    const { auth, bodyLimit, schemas, method } = operation;
    const { latency, status, beforeHandler, afterCommit } = requestFaults;
    const { query, body } = await schemas();
    // Forms are for clients with an API key.
    const read = auth === 'key' ? readJsonOrForm : readJson;
    const sent = body && (await read(request, bodyLimit));
    const { hasNovuProviders, service: version } = store.dialect;
    const json = hasNovuProviders ? fromServiceProviders(sent) : sent;
    const client = isInboxId(id) ? await loadInbox() : undefined;
    const table: HandlerTable = client?.handlers ?? handlers;
    const readers: QueryReaders = client?.queryReaders ?? keyReaders;
    const readQuery = readers[id] ?? ((parsed) => parsed);
    const prepared =
      !isInboxId(id) && preparedOperations.has(id)
        ? await prepare(id, environmentId, json)
        : undefined;
    const keyedRequest = auth === 'key' ? idempotency.read(request, json) : undefined;
    const storedResponse = keyedRequest && idempotency.claim(keyedRequest);
    if (storedResponse) return storedResponse;
    try {
      // Await only if there is latency: otherwise the handler must run directly after the claim.
      if (latency > 0) await waitLatency(latency, startTimer);
      injectFault(beforeHandler, status);
      scheduler.catchUp();
      const handle = () => {
        const parsed = query && parseQuery(new URL(request.url).searchParams);
        const parameters = parsed && normalizeQuery(query, readQuery(parsed), version);
        const scope = {
          ...store.scope(environmentId),
          ids,
          plan: faults.of(environmentId).settings().rateLimit,
        };
        const call: HandlerCall = {
          path: hasNovuProviders ? fromServicePath(path) : path,
          query: query && validate(query, parameters, store.dialect),
          body: body && validate(body, json, store.dialect),
          scope,
          prepared,
          request,
          ...(client && session ? client.find(scope, session) : {}),
        };
        try {
          return table[id]?.(call as never);
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
      const called = callHandler(request, operation, handle, storeResponse);
      const response = called instanceof Promise ? await called : called;
      rejectedTriggers.record(environmentId, id, json, response);
      if (method !== 'GET') {
        store.committed();
        injectFault(afterCommit, status);
      }
      return keyedRequest ? withKeyHeader(response, keyedRequest.key) : response;
    } finally {
      if (keyedRequest) idempotency.release(keyedRequest);
    }
  };

  const handleRequest = async (id: ServedId, request: Request, path: Record<string, string>) => {
    const operation = served(id);
    const authorized = await authorize(operation, request);
    const { environmentId } = authorized;
    const requestFaults = faults.of(environmentId).next();
    const rateLimit = checkRateLimit(operation, environmentId);
    let response: SerializedResponse;
    try {
      if (rateLimit && !rateLimit.allowed) throw tooManyRequests('API rate limit exceeded');
      response = await processRequest(id, request, path, authorized, requestFaults);
    } catch (error) {
      if (error instanceof ConnectionCut) throw error;
      response = errorResponses.serialize(request, error);
    }
    const headers = { ...response.headers, ...rateLimit?.headers };
    const completeResponse = { ...response, headers };
    if (requestFaults.truncate) throw new ConnectionCut(completeResponse);
    return toResponse(completeResponse);
  };

  return [...operationIds, ...(Object.keys(inboxClient) as InboxId[])].flatMap((id) => {
    const { method, path, aliases = [], since } = served(id);
    return [path, ...aliases].map((own) => ({
      method,
      path: own,
      ...(since === undefined ? {} : { since }),
      handle: (request: Request, parameters: Record<string, string>) =>
        handleRequest(id, request, parameters),
    }));
  });
}

const withKeyHeader = (response: SerializedResponse, key: string): SerializedResponse => ({
  ...response,
  headers: { ...response.headers, 'idempotency-key': key },
});

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
