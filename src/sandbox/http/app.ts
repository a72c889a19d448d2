// The sandbox as a function from Request to Response. Routes, checks and success statuses come from
// the operation registry; what an operation does is in handlers/. Knows no socket or process.
import { Hono } from 'hono';
import { operationIds, record } from '../../api/operations/index.ts';
import { clockRoutes } from '../control/clock-routes.ts';
import { faultRoutes } from '../control/fault-routes.ts';
import { messageRoutes } from '../control/message-routes.ts';
import { control } from '../control/routes.ts';
import { stateRoutes } from '../control/state-routes.ts';
import { createScheduler, type Timer } from '../engine/scheduler.ts';
import { type Clock, createIds, type RandomBytes } from '../ids.ts';
import type { Store } from '../store/open.ts';
import { authorize } from './authorization.ts';
import { ConnectionCut } from './connection-cut.ts';
import { createFaultPlan, type FaultSettings } from './faults.ts';
import { guard } from './guard.ts';
import { createOperations } from './operations.ts';
import { createResponses, json } from './responses.ts';

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
  /** What goes wrong on purpose from the start. */
  faults?: FaultSettings;
  /** Host names that are answered, without port; absent: all. */
  hosts?: readonly string[];
  /** Called when a client asks the sandbox to stop, before it is answered. */
  onStop?: () => void;
  /** Process id to tell in the status. */
  pid?: number;
  /** Told what lies behind an answer of 500. */
  onDefect?: (error: unknown) => void;
}

export function createSandbox(options: SandboxOptions): (request: Request) => Promise<Response> {
  const { store, timer, random, envelope = false, onDefect = () => undefined } = options;
  const ids = random ? createIds(store.clock, random) : store.ids;
  const responses = createResponses(store.clock, ids, onDefect);
  const agenda = createScheduler(store, { timer, onDefect });
  const app = new Hono();

  const faults = createFaultPlan(options.faults);
  const answer = createOperations({
    ...{ store, ids, agenda, faults, responses, timer, envelope },
    clock: options.clock,
  });
  for (const id of operationIds) {
    const { method, path } = record(id);
    app.on(method, path.replace(/\{(\w+)\}/g, ':$1'), ({ req }) =>
      answer(id, req.raw, req.param()),
    );
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
  faultRoutes(app, store.sql, faults);
  stateRoutes(app, { store, agenda });
  app.notFound(({ req }) => responses.noRoute(req.raw));
  app.onError((error, { req }) => {
    if (error instanceof ConnectionCut) throw error;
    return responses.failed(req.raw, error);
  });

  const respond = async (request: Request) => {
    try {
      guard(request, options.hosts);
      return await app.fetch(request);
    } catch (error) {
      if (error instanceof ConnectionCut) throw error;
      return responses.failed(request, error);
    }
  };

  agenda.start();
  return async (request) => {
    const response = await respond(request);
    response.headers.set('date', new Date(store.clock.now()).toUTCString());
    return response;
  };
}
