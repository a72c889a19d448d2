// Serves the sandbox over HTTP: opens the store, starts the server, and closes both in order.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import process from 'node:process';
import { createAdaptorServer } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { localError, systemCode, usageError } from '../core/errors.ts';
import { isLoopbackAddress } from '../core/loopback.ts';
import { currentProcess } from '../platform/process-identity.ts';
import type { Mode } from '../service/mode.ts';
import { operationIds, record } from '../service/operations/index.ts';
import type { SandboxVersion } from '../service/versions.ts';
import { ConnectionCut } from './http/responses.ts';
import { routeSocket, type SocketOptions } from './inbox/upgrades.ts';
import {
  type OpenedSandbox,
  type OpenOptions,
  openSandbox,
  startTimer,
  systemClock,
} from './open-sandbox.ts';
import { loadPage } from './page/mount.ts';
import { findEnvironment } from './store/environments.ts';

export interface ServeOptions
  extends Omit<OpenOptions, 'hosts' | 'onStop' | 'pageUrl' | 'pid' | 'stopSignal'> {
  host: string;
  /** 0: use any free port. */
  port: number;
  /** Allowed host names besides the bound address and localhost. Required if not on loopback. */
  allowHosts?: readonly string[];
  /** The process only serves the sandbox: replaces the global Request and Response by faster ones until it stops. */
  ownProcess?: boolean;
  /** The process continues when the sandbox has stopped, so clients that stop it must not wait for its end. */
  isEmbedded?: boolean;
  /** The server is in the background of a test: it does not keep the process running, and loads modules on demand. */
  isBackground?: boolean;
}

export interface SandboxServer extends Omit<OpenedSandbox, 'store'> {
  baseUrl: string;
  port: number;
  key: string;
  environmentId: string;
  /** Identifies the environment to the clients of the inbox. */
  applicationIdentifier: string;
  /** The mode and the version of the data. */
  mode: Mode;
  service: SandboxVersion;
  /** The address of the page; null if the server does not listen on loopback only. */
  page: string | null;
  /** Resolves when the server has stopped, for any reason. */
  closed: Promise<void>;
  /** Stops accepting connections, waits for pending requests, then closes the store. */
  close(): Promise<void>;
}

// Short timeouts and many connections, so that idle clients cannot exhaust the connections.
const timeouts = { headersTimeout: 5_000, requestTimeout: 30_000, keepAliveTimeout: 5_000 };
const maxConnections = 2_000;
const drainTimeoutMs = 5_000;

export async function serveSandbox(options: ServeOptions): Promise<SandboxServer> {
  const { host, port, allowHosts = [] } = options;
  if (!isLoopback(host) && allowHosts.length === 0) {
    throw usageError(`${host} is not a loopback address, so --allow-host is required.`, {
      hint: 'Repeat --allow-host for each name that clients use to reach the sandbox.',
    });
  }
  const hosts = [host, connectableHost(host), 'localhost', ...allowHosts].map(urlHost);
  // Listens before opening the store, so that a failure to listen leaves no data behind.
  const listener = createListener({
    handle: async (request) => (await opened).handle(request),
    onClosed: async () => (await opened).store.close(),
    overrideGlobalObjects: options.ownProcess === true,
    socket: {
      rules: { hosts, allowOrigins: options.allowOrigins ?? [] },
      async open() {
        const { store } = await opened;
        const { clock = systemClock } = options;
        return { store, clock, stopSignal: listener.stopSignal };
      },
    },
  });
  await listen(listener.server, host, port);
  if (options.isBackground) listener.server.unref();
  const boundPort = listeningPort(listener.server);
  const baseUrl = `http://${urlHost(connectableHost(host))}:${boundPort}`;
  const pageUrl = isLoopback(host) ? baseUrl : undefined;
  const opened = openSandbox({
    ...options,
    hosts,
    ...(options.isEmbedded || options.isBackground ? {} : identityOfProcess()),
    pageUrl,
    stopSignal: listener.stopSignal,
    onStop: () => void listener.close(),
  });
  const { store, ...members } = await opened.catch(async (error: unknown) => {
    await listener.close();
    throw error;
  });
  // Loads all schemas and the page after the start: by the time they are needed, an update may have replaced the files.
  // Not in the background of a test, which may be over by then.
  let loading: Promise<unknown> = Promise.resolve();
  const loadModules = () => {
    if (listener.stopSignal.aborted) return;
    const schemas = operationIds.map((id) => record(id).schemas());
    loading = Promise.allSettled([...schemas, ...(pageUrl === undefined ? [] : [loadPage()])]);
  };
  const afterLoading = async <T>(stopping: Promise<T>): Promise<T> => {
    const value = await stopping;
    await loading;
    return value;
  };
  if (!options.isBackground) startTimer(100, loadModules);
  return {
    baseUrl,
    page: pageUrl ?? null,
    port: boundPort,
    key: store.key,
    environmentId: store.environmentId,
    applicationIdentifier: readApplicationIdentifier(store),
    mode: store.dialect.mode,
    service: store.dialect.service,
    ...members,
    closed: afterLoading(listener.closed),
    close: () => afterLoading(listener.close()),
  };
}

const identityOfProcess = () => ({
  pid: process.pid,
  ...(currentProcess.identity ? { processStart: currentProcess.identity.start } : {}),
});

/** Identifies the environment to inbox clients. */
export const readApplicationIdentifier = ({ sql, environmentId }: OpenedSandbox['store']) =>
  findEnvironment(sql, environmentId)?.identifier ?? '';

/** Before the first sandbox replaces them: of several that run at once, the last one to stop was not the first to start. */
const globals = { Request, Response };

interface ListenerOptions {
  handle(request: Request): Promise<Response>;
  onClosed(): Promise<void>;
  overrideGlobalObjects: boolean;
  socket: SocketOptions;
}

/** On close: accepts no new connections, waits for pending requests, then calls `onClosed`. */
function createListener({ handle, onClosed, overrideGlobalObjects, socket }: ListenerOptions) {
  let closing = false;
  const stop = new AbortController();
  const restoreGlobals = () => overrideGlobalObjects && Object.assign(globalThis, globals);
  const server = createAdaptorServer({
    async fetch(request, { incoming, outgoing }) {
      if (handleSocket(incoming as IncomingMessage, outgoing as ServerResponse))
        return RESPONSE_ALREADY_SENT.clone();
      const response = await handle(request).catch((error: unknown) => {
        if (!(error instanceof ConnectionCut)) throw error;
        cutSocket(error, outgoing as ServerResponse);
        return RESPONSE_ALREADY_SENT.clone();
      });
      // A kept-alive connection would delay closing until its timeout.
      if (closing) response.headers.set('connection', 'close');
      return response;
    },
    serverOptions: { ...timeouts, connectionsCheckingInterval: 1_000 },
    // Libraries of an application in this process check responses with `instanceof Response`.
    overrideGlobalObjects,
  }) as Server;
  const handleSocket = routeSocket(server, socket);
  server.maxConnections = maxConnections;
  server.once('error', restoreGlobals);
  const closed = new Promise<void>((resolve) => {
    // onClosed rejects if the store could not be opened; the server is closed in any case.
    server.once('close', () => {
      restoreGlobals();
      void onClosed().then(resolve, () => resolve());
    });
  });
  const close = (): Promise<void> => {
    if (closing) return closed;
    closing = true;
    stop.abort();
    const drainTimer = setTimeout(() => server.closeAllConnections(), drainTimeoutMs).unref();
    server.close(() => clearTimeout(drainTimer));
    return closed;
  };
  return { server, closed, close, stopSignal: stop.signal };
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
        hint: 'Choose another port with --port, or use --port 0 for any free port.',
        cause,
      });
    }
    throw localError(`The sandbox cannot listen on ${host}, port ${port}: ${systemCode(cause)}.`, {
      hint: 'Choose another address with --host and --port.',
      cause,
    });
  }
}

function listeningPort(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Other names can have any address. */
const isLoopback = (host: string) => host === 'localhost' || isLoopbackAddress(host);

/** Clients cannot connect to the address of all interfaces, so they use loopback instead. */
const connectableHost = (host: string) =>
  host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;

const urlHost = (host: string) => (host.includes(':') ? `[${host}]` : host).toLowerCase();

/** Declares the full content length but sends half, so that the client detects the truncation. */
function cutSocket({ truncatedResponse }: ConnectionCut, outgoing: ServerResponse): void {
  const { socket } = outgoing;
  if (!truncatedResponse?.text) return void socket?.resetAndDestroy();
  const bytes = Buffer.from(truncatedResponse.text);
  outgoing.writeHead(truncatedResponse.status, {
    'content-type': 'application/json; charset=utf-8',
    ...truncatedResponse.headers,
    'content-length': bytes.length,
  });
  outgoing.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => socket?.destroy());
}
