// The sandbox as a function from Request to Response, independent of sockets and the process.
// Routes, validation and success statuses come from the operation registry; handlers/ implements
// the operations.
import { Hono } from 'hono';
import { modeHeader } from '../service/mode.ts';
import { operationIds, record } from '../service/operations/index.ts';
import { addControlRoutes } from './control/routes.ts';
import type { FaultSettings } from './control-client/fault-settings.ts';
import { createScheduler, type StartTimer } from './engine/scheduler.ts';
import { authorize } from './http/authorization.ts';
import { ConnectionCut } from './http/connection-cut.ts';
import { createFaultPlan } from './http/faults.ts';
import { createNotEmulatedRoutes } from './http/not-emulated.ts';
import { createOperationHandler } from './http/operations.ts';
import { answerOrigin } from './http/origins.ts';
import { createRejectedTriggers } from './http/rejected-triggers.ts';
import { createErrorResponses } from './http/responses.ts';
import { mountInbox } from './inbox/mount.ts';
import { type Changes, createChanges } from './page/changes.ts';
import { mountPage } from './page/mount.ts';
import { createPageSessions } from './page/sessions.ts';
import type { Store } from './store/scope.ts';
import { badRequest, unauthorized } from './values/http-error.ts';
import { type Clock, createIds, type RandomBytes } from './values/ids.ts';

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
  faults?: FaultSettings;
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
  /** Aborts when the server stops. */
  stopSignal?: AbortSignal;
  /** Process id to report in the status. */
  pid?: number;
  /** Start of that process, because process ids are reused. */
  processStart?: string;
  /** Called with the error behind every response with status 500. */
  onInternalError?: (error: unknown) => void;
}

export function createSandbox(options: SandboxOptions): (request: Request) => Promise<Response> {
  const { store, startTimer, random, onInternalError = () => undefined } = options;
  const ids = random ? createIds(store.clock, random) : store.ids;
  const errorResponses = createErrorResponses(store.clock, ids, onInternalError);
  const isEnveloped = () => options.envelope ?? store.dialect.isEnveloped;
  const { changes = createChanges(startTimer), fileProblems } = options;
  options.stopSignal?.addEventListener('abort', changes.close);
  const onWrite = () => {
    changes.notify();
    store.inboxChanges.report();
  };
  const scheduler = createScheduler(store, { startTimer, onInternalError, onWrite });
  const app = new Hono();

  const faults = createFaultPlan(options.faults);
  const rejectedTriggers = createRejectedTriggers();
  const notEmulated = createNotEmulatedRoutes(onWrite);
  const handleOperation = createOperationHandler({
    ...{ store, ids, scheduler, faults, errorResponses, startTimer, isEnveloped },
    clock: options.clock,
    rejectedTriggers,
  });
  for (const id of operationIds) {
    const { method, path } = record(id);
    app.on(method, path.replace(/\{(\w+)\}/g, ':$1'), ({ req }) =>
      handleOperation(id, req.raw, req.param()),
    );
  }
  for (const { method, path } of closedRoutes) {
    app.on(method, path, ({ req }) => {
      authorize(store.sql, req.raw.headers.get('authorization'));
      throw unauthorized('API endpoint not accessible');
    });
  }
  mountInbox(app, { store, clock: options.clock, scheduler, faults, errorResponses, startTimer });
  const startedAt = new Date(options.clock.now()).toISOString();
  const { pageUrl: baseUrl, clock } = options;
  const page = baseUrl === undefined ? undefined : { baseUrl, sessions: createPageSessions(clock) };
  addControlRoutes(app, {
    ...options,
    ...{ isEnveloped, startedAt, scheduler, faults, rejectedTriggers, notEmulated, page },
  });
  const { profile } = options;
  const notEmulatedRoutes = notEmulated.list;
  const shared = { store, scheduler, changes, profile, fileProblems, notEmulatedRoutes };
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
    const response = await answerOrigin(request, rules, respond, errorResponses);
    response.headers.set('date', new Date(store.clock.now()).toUTCString());
    response.headers.set(modeHeader, store.dialect.mode);
    return response;
  };
}

/** Routes of the service that only its web interface may use: they reject API keys. */
const closedRoutes = [
  { method: 'POST', path: '/v2/workflows/:workflowId/step/:stepId/preview' },
  { method: 'POST', path: '/v2/workflows/:workflowId/duplicate' },
  { method: 'GET', path: '/v2/workflows/:workflowId/test-data' },
] as const;

const loosePatterns = operationIds.map((id) => {
  const { method, path } = record(id);
  const pattern = path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return { id, method, pattern: new RegExp(`^${pattern}/?$`, 'i') };
});

/** Like the service, rejects a path of an operation with an escape such as `%zz`, for any method and without a key. */
function checkEscapes(pathname: string): void {
  if (!pathname.includes('%')) return;
  for (const { pattern } of loosePatterns)
    for (const text of Object.values(pattern.exec(pathname)?.groups ?? {}))
      if (!isDecodable(text)) throw badRequest(`Failed to decode param '${text}'`);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** The service ignores letter case in paths, and a slash at their end. */
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
