// The sandbox as a function from Request to Response, independent of sockets and the process.
// Routes, validation and success statuses come from the operation registry; handlers/ implements
// the operations.
import { Hono } from 'hono';
import { modeHeader } from '../service/mode.ts';
import { type EmulatedId, emulatedIds, record } from '../service/operations/index.ts';
import { closedRoutes, serviceVersion } from '../service/routes.ts';
import { createBridge } from './bridge/bridge.ts';
import { prepare } from './bridge/prepare.ts';
import type { FaultSettings } from './control/fault-settings.ts';
import { createFaultPlans } from './control/faults.ts';
import { createNotEmulatedRoutes, createRejectedTriggers } from './control/refusals.ts';
import { createRequestLog } from './control/request-log.ts';
import { addControlRoutes } from './control/routes.ts';
import { createPageSessions } from './control/sessions.ts';
import { createWriteWaiters } from './control/write-waiters.ts';
import { createScheduler, type StartTimer } from './engine/scheduler.ts';
import { authorizeRequest } from './http/authorization.ts';
import { unauthorized } from './http/http-error.ts';
import { answerOrigin } from './http/origins.ts';
import { pathPattern } from './http/paths.ts';
import {
  ConnectionCut,
  createErrorResponses,
  json,
  type OnInternalError,
} from './http/responses.ts';
import { decodeParameter } from './http/validate.ts';
import { mountInbox } from './inbox/upgrades.ts';
import { type Changes, createChanges, mountPage } from './page/mount.ts';
import { createOperationHandler } from './pipeline.ts';
import { type Clock, createIds, type RandomBytes } from './store/ids.ts';
import type { Store } from './store/scope.ts';

export interface SandboxOptions {
  store: Store;
  /** The system clock. The sandbox's own clock is in the store. */
  clock: Clock;
  /** Runs due jobs on time. Without a timer, they run at the next request. */
  startTimer?: StartTimer;
  /** Source of new ids. Default: the store's. */
  random?: RandomBytes;
  /** Wrap responses in `{data}`. Default: as in the mode of the store. */
  envelope?: boolean;
  /** Faults to inject from the start. */
  faults?: FaultSettings | readonly FaultSettings[];
  /** Allowed host names, without port. Default: all. */
  hosts?: readonly string[];
  /** Origins of web pages that may use the inbox, besides those on loopback. */
  allowOrigins?: readonly string[];
  /** Called when a client asks the sandbox to stop, before the response is sent. */
  onStop?: () => void;
  /** The loopback address at which a browser reaches the sandbox. Without it, the sandbox has no page. */
  pageUrl?: string | undefined;
  /** Reports changes to the page. Default: only changes by the sandbox itself. */
  changes?: Changes;
  /** The errors in the files that the sandbox follows, for the page. */
  fileProblems?: () => readonly string[];
  /** The profile that selects the sandbox on a command line, for the page. */
  profile?: string | undefined;
  /** The endpoint of an application that defines workflows by code, for the Development environment. */
  bridge?: string | undefined;
  /** Origins of endpoints on other machines. */
  allowedBridges?: readonly string[] | undefined;
  /** Called when the workflows of that endpoint cannot be read, with the reason; undefined once they were. */
  onBridgeProblem?: (problem: string | undefined) => void;
  /** The last one, for the status. */
  bridgeProblem?: () => string | undefined;
  /** Aborts when the server stops. */
  stopSignal?: AbortSignal;
  /** Process id to report in the status. */
  pid?: number;
  /** Start of that process, because process ids are reused. */
  processStart?: string;
  /** Called with the error behind every response with status 500, and behind a due job that cannot run. */
  onInternalError?: OnInternalError;
}

export function createSandbox(options: SandboxOptions): (request: Request) => Promise<Response> {
  const { store, startTimer, random, onInternalError = () => undefined } = options;
  const ids = random ? createIds(store.clock, random) : store.ids;
  const errorResponses = createErrorResponses(store.clock, ids, onInternalError);
  const isEnveloped = () => options.envelope ?? store.dialect.isEnveloped;
  const { changes = createChanges(startTimer), fileProblems } = options;
  const { onBridgeProblem = () => undefined } = options;
  options.stopSignal?.addEventListener('abort', changes.close);
  const waiters = createWriteWaiters(startTimer, options.stopSignal);
  const onWrite = () => {
    changes.notify();
    waiters.notify();
    store.inboxChanges.report();
  };
  const bridge = createBridge({
    ...{ store, clock: options.clock },
    ...{ url: options.bridge, allowedOrigins: options.allowedBridges },
  });
  const { executeStep } = bridge;
  const scheduler = createScheduler(store, {
    ...{ startTimer, executeStep, onWrite },
    onInternalError: (error) =>
      onInternalError(error, `The sandbox cannot run due jobs: ${String(error)}`),
  });
  const app = new Hono();

  const faults = createFaultPlans(store.findDeliveryFaults, [options.faults ?? []].flat());
  const rejectedTriggers = createRejectedTriggers();
  const notEmulated = createNotEmulatedRoutes(changes.notify);
  const requestLog = createRequestLog(store, changes.notify);
  const handleOperation = createOperationHandler({
    ...{ store, ids, scheduler, faults, errorResponses, startTimer, isEnveloped },
    clock: options.clock,
    rejectedTriggers,
    prepare: (...request) => prepare({ store, bridge, onBridgeProblem }, ...request),
  });
  for (const id of emulatedIds) {
    for (const path of listPaths(id)) {
      app.on(record(id).method, honoPath(path), ({ req }) =>
        handleOperation(id, req.raw, req.param()),
      );
    }
  }
  for (const { method, path } of closedRoutes) {
    app.on(method, honoPath(path), ({ req }) => {
      authorizeRequest(store.sql, req.raw);
      throw unauthorized('API endpoint not accessible');
    });
  }
  // It needs no key.
  app.get('/v1/health-check', () => json(200, { data: health }));
  mountInbox(app, { store, clock: options.clock, scheduler, faults, errorResponses, startTimer });
  const startedAt = new Date(options.clock.now()).toISOString();
  const { pageUrl: baseUrl, clock } = options;
  const page = baseUrl === undefined ? undefined : { baseUrl, sessions: createPageSessions(clock) };
  addControlRoutes(app, {
    ...options,
    ...{
      isEnveloped,
      startedAt,
      scheduler,
      faults,
      rejectedTriggers,
      notEmulated,
      requestLog,
      page,
      waiters,
    },
  });
  const { profile } = options;
  const notEmulatedRoutes = notEmulated.list;
  const { previewStep } = bridge;
  const shared = {
    ...{ store, scheduler, changes, profile, fileProblems, notEmulatedRoutes, requestLog },
    previewStep,
  };
  if (page) mountPage(app, { ...page, ...shared });
  app.notFound(({ req }) => {
    const { pathname } = new URL(req.url);
    const match = matchLoosely(req.method, pathname);
    if (match) return handleOperation(match.id, req.raw, match.path);
    const error = notEmulated.match(req.method, pathname);
    return error ? errorResponses.respond(req.raw, error) : errorResponses.routeNotFound(req.raw);
  });
  app.onError((error, { req }) => {
    if (error instanceof ConnectionCut) throw error;
    return errorResponses.respond(req.raw, error);
  });

  const respond = async (request: Request) => {
    try {
      checkEscapes(new URL(request.url).pathname);
      return await app.fetch(request);
    } catch (error) {
      if (error instanceof ConnectionCut) throw error;
      return errorResponses.respond(request, error);
    }
  };

  scheduler.start();
  const { hosts, allowOrigins = [] } = options;
  const rules = { hosts, allowOrigins };
  return async (request) => {
    const response = await answerOrigin(
      request,
      rules,
      (allowed) => requestLog.record(allowed, () => respond(allowed)),
      errorResponses,
    );
    response.headers.set('date', new Date(store.clock.now()).toUTCString());
    response.headers.set(modeHeader, store.dialect.mode);
    return response;
  };
}

/** The path of a route as Hono writes it. */
const honoPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

const parts = { db: { status: 'up' }, workflowQueue: { status: 'up' } };
const details = { ...parts, apiVersion: { version: serviceVersion, status: 'up' } };
const health = { status: 'ok', info: details, error: {}, details };

const listPaths = (id: EmulatedId): readonly string[] => {
  const { path, aliases = [] } = record(id);
  return [path, ...aliases];
};

const loosePatterns = emulatedIds.flatMap((id) =>
  listPaths(id).map((path) => ({ id, method: record(id).method, pattern: pathPattern(path) })),
);

/** Like the service, rejects a path of an operation with an escape such as `%zz`, for any method and without a key. */
function checkEscapes(pathname: string): void {
  if (!pathname.includes('%')) return;
  for (const { pattern } of loosePatterns)
    for (const text of Object.values(pattern.exec(pathname)?.groups ?? {})) decodeParameter(text);
}

function matchLoosely(method: string, pathname: string) {
  for (const { id, method: methodOfOperation, pattern } of loosePatterns) {
    const match = method === methodOfOperation ? pattern.exec(pathname) : null;
    if (!match) continue;
    const values = Object.entries(match.groups ?? {});
    const path = Object.fromEntries(values.map(([name, text]) => [name, decodeURIComponent(text)]));
    return { id, path };
  }
  return undefined;
}
