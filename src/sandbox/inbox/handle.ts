// Handles the requests of inbox clients: opens sessions, and serves the inbox of a session to its token.
import type { z } from 'zod';
import { isObject } from '../../core/objects.ts';
import { type InboxRoute, type InboxRouteId, inboxRoutes } from '../../service/inbox-routes.ts';
import { limits } from '../../service/limits.ts';
import { sessionBody } from '../../service/schemas/inbox-client.ts';
import { type FaultPlans, injectFault, waitLatency } from '../control/faults.ts';
import type { Scheduler, StartTimer } from '../engine/scheduler.ts';
import { rememberEnvironment } from '../http/authorization.ts';
import { unauthorized } from '../http/http-error.ts';
import { pathPattern } from '../http/paths.ts';
import { readJson } from '../http/request-body.ts';
import {
  ConnectionCut,
  type ErrorResponses,
  type SerializedResponse,
  toResponse,
} from '../http/responses.ts';
import { decodeParameter, normalizeQuery, parseQuery, validate } from '../http/validate.ts';
import type { Clock } from '../store/ids.ts';
import type { Store } from '../store/scope.ts';
import { findSubscriber } from '../store/subscribers.ts';
import { changeAllHandlers } from './filters.ts';
import { notificationHandlers, queryReaders } from './notifications.ts';
import { preferenceHandlers } from './preferences.ts';
import { createSessionLimit, openSession } from './session.ts';
import type { InboxCall, InboxHandlers } from './session-token.ts';
import { createSessionTokens, type SessionClaims } from './session-token.ts';

export interface InboxOptions {
  store: Store;
  /** The system clock. */
  clock: Clock;
  scheduler: Scheduler;
  faults: FaultPlans;
  errorResponses: ErrorResponses;
  startTimer: StartTimer | undefined;
}

/** Returns undefined for a route that the inbox does not have. */
export type HandleInbox = (request: Request) => Promise<Response | undefined>;

const noSession = () => unauthorized('Unauthorized', { context: { statusCode: 401 } });

const sessionPath = /^\/v1\/inbox\/session\/?$/i;

const handlers: InboxHandlers = {
  ...notificationHandlers,
  ...changeAllHandlers,
  ...preferenceHandlers,
};

const routes = (Object.entries(inboxRoutes) as [InboxRouteId, InboxRoute][]).map(([id, route]) => ({
  ...route,
  readQuery: queryReaders[id],
  handle: handlers[id] as (call: InboxCall) => unknown,
  pattern: pathPattern(`/v1/inbox${route.path}`),
}));

export function createInboxHandler(options: InboxOptions): HandleInbox {
  const { store, clock, scheduler, faults, errorResponses, startTimer } = options;
  const tokens = createSessionTokens(store, clock);
  const limitHeaders = createSessionLimit(store.clock);

  const startSession = async (request: Request): Promise<SerializedResponse> => {
    const body = validate(sessionBody, await readBody(request));
    scheduler.catchUp();
    const { scope, subscriber, contextKeys, response } = store.sql.transaction(() =>
      openSession(body as z.output<typeof sessionBody>, store, (environmentId) =>
        store.scope(environmentId),
      ),
    );
    scheduler.afterWrite();
    rememberEnvironment(request, scope.environmentId);
    const { subscriberId, profile } = subscriber;
    const { firstName, lastName, email } = profile;
    const token = await tokens.sign(
      { environmentId: scope.environmentId, subscriberId, contextKeys },
      { _id: subscriber.id, firstName, lastName, email, organizationId: scope.organizationId },
    );
    return { status: 201, text: JSON.stringify({ data: { token, ...response } }) };
  };

  const authorize = async (request: Request): Promise<SessionClaims> => {
    const header = request.headers.get('authorization') ?? '';
    const [, token] = /^Bearer ([^\s]+)$/i.exec(header) ?? [];
    const claims = token === undefined ? undefined : await tokens.verify(token);
    if (!claims) throw noSession();
    rememberEnvironment(request, claims.environmentId);
    return claims;
  };

  const callRoute = async (
    { query, body, readQuery, handle, method }: (typeof routes)[number],
    request: Request,
    id: string,
  ): Promise<SerializedResponse> => {
    const { environmentId, subscriberId, contextKeys } = await authorize(request);
    const sent = body && (await readBody(request));
    const parsed = parseQuery(new URL(request.url).searchParams);
    const parameters = query && normalizeQuery(query, readQuery ? readQuery(parsed) : parsed);
    scheduler.catchUp();
    const scope = store.scope(environmentId);
    const subscriber = findSubscriber(scope, subscriberId);
    if (!subscriber) throw noSession();
    const call = {
      ...{ id, scope, subscriber, contextKeys },
      query: query && validate(query, parameters),
      body: body && validate(body, sent),
    };
    const value = method === 'GET' ? handle(call) : store.sql.transaction(() => handle(call));
    if (method !== 'GET') scheduler.afterWrite();
    if (value === undefined) return { status: 204, text: undefined };
    // A notification has a member `data`, too.
    const isEnvelope = isObject(value) && 'data' in value && !('id' in value);
    return { status: 200, text: JSON.stringify(isEnvelope ? value : { data: value }) };
  };

  /** Injects the faults of the environment around the call. Errors become responses. */
  const respond = async (
    request: Request,
    environmentId: string,
    call: () => Promise<SerializedResponse>,
  ): Promise<SerializedResponse> => {
    const { latency, status, beforeHandler, afterCommit, truncate } = faults
      .of(environmentId)
      .next();
    let response: SerializedResponse;
    try {
      if (latency > 0) await waitLatency(latency, startTimer);
      injectFault(beforeHandler, status);
      response = await call();
      if (request.method !== 'GET') injectFault(afterCommit, status);
    } catch (error) {
      if (error instanceof ConnectionCut) throw error;
      response = errorResponses.serialize(request, error);
    }
    if (truncate) throw new ConnectionCut(response);
    return response;
  };

  return async (request) => {
    const { pathname } = new URL(request.url);
    if (request.method === 'POST' && sessionPath.test(pathname)) {
      const headers = limitHeaders();
      const response = await respond(request, store.environmentId, () => startSession(request));
      return toResponse({ ...response, headers: { ...response.headers, ...headers } });
    }
    for (const route of routes) {
      const match = route.method === request.method ? route.pattern.exec(pathname) : null;
      if (!match) continue;
      const id = match.groups?.id ?? '';
      const session = await authorize(request).catch(() => undefined);
      const environmentId = session?.environmentId ?? store.environmentId;
      return toResponse(
        await respond(request, environmentId, () => callRoute(route, request, decodeParameter(id))),
      );
    }
    return undefined;
  };
}

/** Forms are for clients with an API key. */
const readBody = (request: Request): Promise<unknown> => readJson(request, limits.body);
