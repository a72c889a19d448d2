// The engine on undici.

import { setMaxListeners } from 'node:events';
import { Agent, buildConnector, request } from 'undici';
import {
  createCollector,
  joinHeaders,
  type Transport,
  type TransportOptions,
  trusted,
  type WireRequest,
  withoutBody,
} from './transport.ts';
import { openTunnel } from './tunnel.ts';

/** The engine for many requests and for proxies; slow to load, fast per request. */
export async function undiciTransport(options: TransportOptions): Promise<Transport> {
  const closing = new AbortController();
  // Many tunnels at a time are opened side by side.
  setMaxListeners(0, closing.signal);
  const dispatcher = await openDispatcher(options, closing.signal);
  const send = async ({ method, url, headers, body, signal, limit }: WireRequest) => {
    const answer = await request(url, {
      method: method as 'GET',
      headers,
      body: body ?? null,
      signal,
      dispatcher,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const { statusCode: status } = answer;
    const bytes = await collected(answer.body, status, limit(status));
    return { status, headers: joinHeaders(answer.headers), bytes };
  };
  return Object.assign((request: WireRequest) => orAborted(send(request), request.signal), {
    close: () => {
      closing.abort();
      return dispatcher.destroy();
    },
  });
}

async function openDispatcher({ connections, ca, proxy }: TransportOptions, signal: AbortSignal) {
  const settings = { connections, pipelining: 1 };
  const trust = ca ? { ca: await trusted(ca) } : {};
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

/** As it ends, or the signal's reason: undici does not let go of a request that waits for a connection. */
function orAborted<T>(running: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = () => reject(signal.reason);
    signal.addEventListener('abort', give, { once: true });
    running.then(resolve, reject).finally(() => signal.removeEventListener('abort', give));
  });
}

async function collected(body: AsyncIterable<Buffer>, status: number, limit: number) {
  const collector = createCollector(limit);
  for await (const chunk of body) if (!collector.take(chunk)) return withoutBody(status);
  return collector.bytes();
}
