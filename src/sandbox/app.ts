// The sandbox as a function from Request to Response. Routes, checks and success statuses come from
// the operation registry; what an operation does is in handlers/. Knows no socket or process.
import { Hono } from 'hono';
import { type OperationId, operationIds, record } from '../api/operations/index.ts';
import { authorize } from './authorization.ts';
import { clockRoutes } from './clock-routes.ts';
import { control } from './control.ts';
import { createAgenda, type Timer } from './engine/agenda.ts';
import { enveloped } from './envelope.ts';
import { guard } from './guard.ts';
import { handlers } from './handlers/index.ts';
import { type Clock, createIds, type RandomBytes } from './ids.ts';
import { messageRoutes } from './messages-routes.ts';
import { Refusal } from './refusal.ts';
import { readJson } from './request-body.ts';
import { createResponses, json } from './responses.ts';
import type { Store } from './store/open.ts';
import type { Scope } from './store/scope.ts';
import { check, queryOf } from './validation.ts';

export interface SandboxOptions {
  store: Store;
  /** The machine's; the sandbox's own is the store's. */
  clock: Clock;
  /** Wakes the sandbox when something is due; without one that waits for the next request. */
  timer?: Timer;
  /** Chance behind new ids; else the store's. */
  random?: RandomBytes;
  /** Wrap answers in `{data}`. */
  envelope?: boolean;
  /** Host names that are answered, without port; absent: all. */
  hosts?: readonly string[];
  /** Called when a client asks the sandbox to stop, before it is answered. */
  onStop?: () => void;
  /** Process id to tell in the status. */
  pid?: number;
  /** Told what lies behind an answer of 500. */
  onDefect?: (error: unknown) => void;
}

/** What a handler is given, before it is taken for the call of one operation. */
interface CheckedCall {
  path: Record<string, string>;
  query: unknown;
  body: unknown;
  scope: Scope;
}

export function createSandbox(options: SandboxOptions): (request: Request) => Promise<Response> {
  const { store, timer, random, envelope = false, onDefect = () => undefined } = options;
  const ids = random ? createIds(store.clock, random) : store.ids;
  const responses = createResponses(store.clock, ids, onDefect);
  const agenda = createAgenda(store, { timer, onDefect });
  const app = new Hono();

  for (const id of operationIds) {
    const { method, path } = record(id);
    app.on(method, path.replace(/\{(\w+)\}/g, ':$1'), async ({ req }) => {
      const environmentId = authorize(store.sql, req.raw.headers.get('authorization'));
      const request = await checked(id, req.raw);
      agenda.catchUp();
      const scope = { ...store.scope(environmentId), ids };
      const answer = run(id, { path: req.param(), ...request, scope });
      if (method !== 'GET') agenda.arm();
      if (answer instanceof Refusal) return responses.refused(req.raw, answer);
      return success(id, answer, envelope);
    });
  }
  const startedAt = new Date(options.clock.now()).toISOString();
  for (const { method, path, act } of control({ ...options, startedAt })) {
    app.on(method, path, ({ req }) => {
      authorize(store.sql, req.raw.headers.get('authorization'));
      const answer = act();
      agenda.arm();
      return json(200, answer);
    });
  }
  clockRoutes(app, { store, agenda });
  messageRoutes(app, { store, agenda });
  app.notFound(({ req }) => responses.noRoute(req.raw));
  app.onError((error, { req }) => responses.failed(req.raw, error));

  agenda.start();
  return async (request) => {
    try {
      guard(request, options.hosts);
      return await app.fetch(request);
    } catch (error) {
      return responses.failed(request, error);
    }
  };
}

/** Query and body as the registry's schemas read them. */
async function checked(
  id: OperationId,
  request: Request,
): Promise<{ query: unknown; body: unknown }> {
  const { schemas, bodyLimit } = record(id);
  const { query, body } = await schemas();
  const { searchParams } = new URL(request.url);
  return {
    query: query && check(id, query, queryOf(searchParams)),
    body: body && check(id, body, await readJson(request, bodyLimit)),
  };
}

/** Runs the handler; whatever may write does so in one transaction. */
function run(id: OperationId, call: CheckedCall): unknown {
  // The one place where a checked request is taken for a call of its operation.
  const handler = handlers[id] as (call: CheckedCall) => unknown;
  if (record(id).method === 'GET') return handler(call);
  return call.scope.sql.transaction(() => handler(call));
}

function success(id: OperationId, answer: unknown, envelope: boolean): Response {
  const status = record(id).success;
  if (status === 204) return new Response(null, { status });
  return json(status, envelope ? enveloped(answer) : answer);
}
