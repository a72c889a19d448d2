// The sandbox on a socket: composes store, application and HTTP server, and ends them in order.
import type { Server, ServerResponse } from 'node:http';
import process from 'node:process';
import { createAdaptorServer } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { operationIds, record } from '../../api/operations/index.ts';
import { localError, systemCode, usageError } from '../../core/errors.ts';
import type { Clock } from '../ids.ts';
import { openStore, type StoreOptions } from '../store/open.ts';
import { createSandbox } from './app.ts';
import { ConnectionCut } from './connection-cut.ts';
import { cutSocket } from './cut-socket.ts';
import type { FaultSettings } from './faults.ts';

export interface ServeOptions extends Omit<StoreOptions, 'clock'> {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Host names answered beside the bound address and localhost; needed beyond loopback. */
  allowHosts?: readonly string[];
  envelope?: boolean;
  /** What goes wrong on purpose from the start. */
  faults?: FaultSettings;
  clock?: Clock;
  /** Told what lies behind an answer of 500. */
  onDefect?: (error: unknown) => void;
}

export interface SandboxServer {
  baseUrl: string;
  port: number;
  key: string;
  environmentId: string;
  /** Resolves when it has stopped, on whose request ever. */
  closed: Promise<void>;
  /** Stops accepting, lets requests under way finish, closes the store. */
  close(): Promise<void>;
}

// A client that says nothing holds its connection this long, and there are more connections than
// idle clients can take in that time.
const timeouts = { headersTimeout: 5_000, requestTimeout: 30_000, keepAliveTimeout: 5_000 };
const mostConnections = 2_000;
const drainTime = 5_000;

export async function serveSandbox(options: ServeOptions): Promise<SandboxServer> {
  const { host, port, allowHosts = [] } = options;
  if (!isLoopback(host) && allowHosts.length === 0) {
    throw usageError(`${host} is not loopback, so it needs the names it is to be reached by.`, {
      hint: 'Give each with --allow-host.',
    });
  }
  const clock = options.clock ?? { now: () => Date.now() };
  // Listens before it opens the store: a start that fails because of its port leaves no data behind.
  const listener = createListener(
    async (request) => (await opened).answer(request),
    async () => (await opened).store.close(),
  );
  await listen(listener.server, host, port);
  const opened = openStore({ ...options, clock }).then((store) => {
    const answer = createSandbox({
      store,
      clock,
      timer,
      envelope: options.envelope ?? false,
      ...(options.faults ? { faults: options.faults } : {}),
      ...(options.onDefect ? { onDefect: options.onDefect } : {}),
      hosts: [host, 'localhost', ...allowHosts].map(nameInUrl),
      pid: process.pid,
      onStop: () => void listener.close(),
    });
    return { store, answer };
  });
  const { store } = await opened.catch(async (error: unknown) => {
    await listener.close();
    throw error;
  });
  // Now: when they are first needed, a newer version may have been installed in their place.
  await Promise.all(operationIds.map((id) => record(id).schemas()));
  const bound = portOf(listener.server);
  return {
    baseUrl: `http://${nameInUrl(reachable(host))}:${bound}`,
    port: bound,
    key: store.key,
    environmentId: store.environmentId,
    closed: listener.closed,
    close: listener.close,
  };
}

function timer(delay: number, call: () => void): () => void {
  const timeout = setTimeout(call, delay).unref();
  return () => clearTimeout(timeout);
}

/** An HTTP server that ends in order: no new connections, requests under way, `onClosed`. */
function createListener(
  answer: (request: Request) => Promise<Response>,
  onClosed: () => Promise<void>,
) {
  let closing = false;
  const server = createAdaptorServer({
    async fetch(request, { outgoing }) {
      const response = await answer(request).catch((error: unknown) => {
        if (!(error instanceof ConnectionCut)) throw error;
        cutSocket(error, outgoing as ServerResponse);
        return RESPONSE_ALREADY_SENT.clone();
      });
      // Else a kept-alive connection would hold the server open until it times out.
      if (closing) response.headers.set('connection', 'close');
      return response;
    },
    serverOptions: { ...timeouts, connectionsCheckingInterval: 1_000 },
  }) as Server;
  server.maxConnections = mostConnections;
  const closed = new Promise<void>((resolve) => {
    // A store that could not be opened is not there to be closed.
    server.once('close', () => void onClosed().then(resolve, () => resolve()));
  });
  const close = (): Promise<void> => {
    if (closing) return closed;
    closing = true;
    server.close();
    setTimeout(() => server.closeAllConnections(), drainTime).unref();
    return closed;
  };
  return { server, closed, close };
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (cause) {
    if (systemCode(cause) === 'EADDRINUSE') {
      throw localError(`Port ${port} on ${host} is in use.`, {
        hint: 'Choose another with --port; 0 takes a free one.',
        cause,
      });
    }
    throw localError(`The sandbox cannot listen on ${host}, port ${port}: ${systemCode(cause)}.`, {
      hint: 'Choose others with --host and --port.',
      cause,
    });
  }
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);

/** An address of all interfaces is none to connect to. */
const reachable = (host: string) => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host);

const nameInUrl = (host: string) => (host.includes(':') ? `[${host}]` : host).toLowerCase();
