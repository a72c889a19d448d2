import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import { Agent, buildConnector, request } from 'undici';
import { raceAbort } from '../../core/async.ts';
import {
  codedError,
  createCollector,
  emptyBodyOrThrow,
  joinHeaders,
  type ProxyAddress,
  ProxyFailure,
  type Transport,
  type TransportOptions,
  trustedAuthorities,
  type WireRequest,
} from './transport.ts';

/** The transport for connections through a proxy, which `node:http` does not support. */
export async function undiciTransport(options: TransportOptions): Promise<Transport> {
  const closing = new AbortController();
  // Each tunnel adds a listener, and many can open at once.
  setMaxListeners(0, closing.signal);
  const dispatcher = await openDispatcher(options, closing.signal);
  const send = async ({ method, url, headers, body, signal, limit }: WireRequest) => {
    const response = await request(url, {
      method: method as 'GET',
      headers,
      body: body ?? null,
      signal,
      dispatcher,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const { statusCode: status } = response;
    const bytes = await readBody(response.body, status, limit(status));
    return { status, headers: joinHeaders(response.headers), bytes };
  };
  // undici does not abort a request that waits for a connection.
  return Object.assign((request: WireRequest) => raceAbort(send(request), request.signal), {
    close: () => {
      closing.abort();
      return dispatcher.destroy();
    },
  });
}

async function openDispatcher({ connections, ca, proxy }: TransportOptions, signal: AbortSignal) {
  const settings = { connections, pipelining: 1 };
  const trust = ca ? { ca: await trustedAuthorities(ca) } : {};
  if (!proxy) return new Agent({ ...settings, connect: trust });
  const secured = buildConnector(trust);
  return new Agent({
    ...settings,
    connect: (target, connected) => {
      const { hostname, port, protocol } = target;
      const address = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
      openTunnel(proxy, address, { ...trust, signal }).then(
        (socket) => {
          if (protocol !== 'https:') return connected(null, socket);
          secured({ ...target, httpSocket: socket }, connected);
        },
        (error: Error) => connected(error, null),
      );
    },
  });
}

async function readBody(body: AsyncIterable<Buffer>, status: number, limit: number) {
  const collector = createCollector(limit);
  for await (const chunk of body) if (!collector.add(chunk)) return emptyBodyOrThrow(status);
  return collector.bytes();
}

interface TunnelOptions {
  /** Certificates to trust for a TLS proxy. */
  ca?: readonly string[];
  /** Aborts the connection attempt. */
  signal: AbortSignal;
}

const connectTimeoutMs = 10_000;

/**
 * Returns a socket that the proxy has connected to `target` (`host:port`). undici's ProxyAgent is not used, because it
 * retries forever if the proxy closes the connection, and cannot be aborted.
 */
async function openTunnel(
  { url, authorization }: ProxyAddress,
  target: string,
  { ca, signal }: TunnelOptions,
): Promise<Socket> {
  const { protocol, hostname, port } = new URL(url);
  const secure = protocol === 'https:';
  const http = secure ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    const connect = http.request({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port || (secure ? 443 : 80),
      method: 'CONNECT',
      path: target,
      headers: {
        host: target,
        ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }),
      },
      agent: false,
      timeout: connectTimeoutMs,
      signal,
      ...(ca ? { ca: [...ca] } : {}),
    });
    const abort = () => {
      connect.destroy(codedError('ETIMEDOUT', 'timed out'));
    };
    connect.on('timeout', abort);
    connect.on('connect', ({ statusCode = 0 }, socket, head) => {
      // From here on the timeout of the client applies.
      connect.off('timeout', abort);
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
        return;
      }
      socket.on('error', () => undefined).destroy();
      reject(new ProxyFailure(new Error(`the proxy returned status ${statusCode}`), statusCode));
    });
    connect.on('error', (error) => reject(new ProxyFailure(error)));
    connect.end();
  });
}
