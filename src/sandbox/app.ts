// The sandbox as a function from Request to Response, independent of sockets and the process: the
// routes of the operations, the control routes and the page.
import { modeHeader } from '../service/mode.ts';
import { closedRouteText } from '../service/route-errors.ts';
import { closedRoutes } from '../service/routes.ts';
import { existsIn, type Lifetime, releaseOf, versionHeader } from '../service/versions.ts';
import { createBridge } from './bridge/bridge.ts';
import { createHttpSteps } from './bridge/http-step.ts';
import { prepare } from './bridge/prepare.ts';
import type { FaultSettings } from './control/fault-settings.ts';
import { createFaultPlans } from './control/faults.ts';
import { createRecorder, type Exchange, type LoggedEvent } from './control/recorder.ts';
import { createNotEmulatedRoutes, createRejectedTriggers } from './control/refusals.ts';
import { createRequestLog } from './control/request-log.ts';
import { createControlRoutes } from './control/routes.ts';
import { createPageSessions } from './control/sessions.ts';
import { createWriteWaiters } from './control/write-waiters.ts';
import { createScheduler, type StartTimer } from './engine/scheduler.ts';
import { authorizeRequest } from './http/authorization.ts';
import { unauthorized } from './http/http-error.ts';
import { answerOrigin } from './http/origins.ts';
import {
  ConnectionCut,
  createErrorResponses,
  json,
  type OnInternalError,
} from './http/responses.ts';
import { createRouter } from './http/router.ts';
import { type Changes, createChanges } from './page/changes.ts';
import type { FileProblem } from './page/file-problems.tsx';
import { createPageHandler } from './page/mount.ts';
import { createOperationRoutes } from './pipeline.ts';
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
  fileProblems?: () => readonly FileProblem[];
  /** The profile that selects the sandbox on a command line, for the page. */
  profile?: string | undefined;
  /** The endpoint of an application that defines workflows by code, for the Development environment. */
  bridge?: string | undefined;
  /** Origins of endpoints on other machines. */
  allowedBridges?: readonly string[] | undefined;
  /** Origins on other machines that get the requests of steps. */
  allowedHttp?: readonly string[] | undefined;
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
  /** Called for every request but those of the control routes, and for every message. */
  onEvent?: (event: LoggedEvent) => void;
  /** Called for every request of the application that got a response. */
  onExchange?: (exchange: Exchange) => void;
  /** Called with the error behind every response with status 500, and behind a due job that cannot run. */
  onInternalError?: OnInternalError;
}

export function createSandbox(options: SandboxOptions): (request: Request) => Promise<Response> {
  const { store, clock, startTimer, random, onInternalError = () => undefined } = options;
  const ids = random ? createIds(store.clock, random) : store.ids;
  const errorResponses = createErrorResponses(store.clock, ids, onInternalError);
  const isEnveloped = () => options.envelope ?? store.dialect.isEnveloped;
  const { changes = createChanges(startTimer), onBridgeProblem = () => undefined } = options;
  options.stopSignal?.addEventListener('abort', changes.close);
  const waiters = createWriteWaiters(startTimer, options.stopSignal);
  store.onCommit(changes.notify);
  store.onCommit(waiters.notify);
  const bridge = createBridge({
    store,
    clock,
    url: options.bridge,
    allowedOrigins: options.allowedBridges,
  });
  const faults = createFaultPlans(store.findDeliveryFaults, [options.faults ?? []].flat());
  const { pageUrl: baseUrl } = options;
  const requestLog = createRequestLog(store, {
    onRequest: changes.notify,
    keepsResponses: baseUrl !== undefined,
  });
  const sendHttpStep = createHttpSteps({
    store,
    clock,
    findFault: (environmentId) => faults.of(environmentId).settings().httpStep,
    allowedOrigins: options.allowedHttp,
    onRequest: requestLog.addStep,
  });
  const scheduler = createScheduler(store, {
    startTimer,
    executeStep: async (request) =>
      'url' in request && 'method' in request
        ? { http: await sendHttpStep(request) }
        : bridge.executeStep(request),
    onInternalError: (error) =>
      onInternalError(error, `The sandbox cannot run due jobs: ${String(error)}`),
  });
  const rejectedTriggers = createRejectedTriggers();
  const exists = (lifetime: Lifetime) => existsIn(store.dialect.service, lifetime);
  const notEmulated = createNotEmulatedRoutes(exists);
  const { onEvent, onExchange } = options;
  const record = createRecorder({ store, clock, requestLog, onEvent, onExchange });
  const startedAt = new Date(clock.now()).toISOString();
  const page = baseUrl === undefined ? undefined : { baseUrl, sessions: createPageSessions(clock) };

  const routes: Route[] = [
    ...createOperationRoutes({
      store,
      clock,
      ids,
      scheduler,
      faults,
      errorResponses,
      rejectedTriggers,
      startTimer,
      isEnveloped,
      prepare: (...request) => prepare({ store, bridge, onBridgeProblem }, ...request),
    }),
    ...closedRoutes.map((closed) => ({
      ...closed,
      async handle(request: Request) {
        authorizeRequest(store.sql, request);
        throw unauthorized(closedRouteText);
      },
    })),
    // It needs no key.
    {
      method: 'GET',
      path: '/v1/health-check',
      handle: async () => json(200, { data: healthOf(store) }),
    },
    ...createControlRoutes({
      ...options,
      isEnveloped,
      startedAt,
      scheduler,
      faults,
      rejectedTriggers,
      notEmulated,
      requestLog,
      page,
      waiters,
    }),
  ];
  const findRoute = createRouter(routes, exists);
  const handlePage =
    page &&
    createPageHandler({
      ...page,
      store,
      scheduler,
      changes,
      requestLog,
      profile: options.profile,
      fileProblems: options.fileProblems,
      notEmulatedRoutes: notEmulated.list,
      previewStep: bridge.previewStep,
    });

  const handle = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (handlePage && pagePath.test(pathname)) return handlePage(request);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const found = findRoute(method, pathname);
    if (found) return found.route.handle(request, found.parameters);
    const error = notEmulated.match(request.method, pathname);
    return error ? errorResponses.respond(request, error) : errorResponses.routeNotFound(request);
  };
  const respond = async (request: Request) => {
    try {
      const response = await handle(request);
      return request.method === 'HEAD' ? new Response(null, response) : response;
    } catch (error) {
      if (error instanceof ConnectionCut) throw error;
      return errorResponses.respond(request, error);
    }
  };

  scheduler.start();
  const { hosts, allowOrigins = [] } = options;
  return async (request) => {
    const response = await record(request, (letThrough) =>
      answerOrigin(
        request,
        { hosts, allowOrigins },
        (allowed) => {
          letThrough();
          return respond(allowed);
        },
        errorResponses,
      ),
    );
    response.headers.set('date', new Date(store.clock.now()).toUTCString());
    response.headers.set(modeHeader, store.dialect.mode);
    response.headers.set(versionHeader, store.dialect.service);
    return response;
  };
}

interface Route extends Lifetime {
  method: string;
  path: string;
  handle(request: Request, parameters: Record<string, string>): Promise<Response>;
}

const pagePath = /^\/(?:page(?:\/.*)?)?$/;

const parts = { db: { status: 'up' }, workflowQueue: { status: 'up' } };
function healthOf({ dialect }: Store): object {
  const apiVersion = { version: releaseOf[dialect.service], status: 'up' };
  const details = { ...parts, apiVersion };
  return { status: 'ok', info: details, error: {}, details };
}
