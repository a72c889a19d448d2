// Bytes to the service and back: one function type with two engines, node:http(s) and undici.
// Knows nothing of operations, retries, redirects or secrets; those live above both, once.

import { setMaxListeners } from 'node:events';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { openTunnel, type ProxyAddress } from './tunnel.ts';

export interface WireRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: Uint8Array;
  signal: AbortSignal;
}

export interface WireResponse {
  status: number;
  /** Names in lower case; repeated headers are joined with `, `. */
  headers: Record<string, string>;
  bytes: Buffer;
}

export interface Transport {
  (request: WireRequest): Promise<WireResponse>;
  /** Closes idle connections, so that the process can end. */
  close(): Promise<void>;
}

export interface TransportOptions {
  /** Largest answer in bytes, as sent. */
  answerLimit: number;
  /** Certificates to trust besides the system's, PEM. */
  ca?: string;
  /** How many connections are kept open side by side. */
  connections: number;
  /** What every connection goes through; used by the undici engine alone. */
  proxy?: ProxyAddress;
}

const failure = (code: string, message: string) => Object.assign(new Error(message), { code });

const tooLarge = (limit: number) =>
  failure('SVC_ANSWER_LIMIT', `the answer is larger than ${limit} bytes`);

/** The engine that starts fast: for one request or a few. */
export function nodeTransport(options: TransportOptions): Transport {
  const agents = new Map<string, import('node:http').Agent>();
  const load = async (url: URL) =>
    url.protocol === 'https:' ? await import('node:https') : await import('node:http');

  const send = async ({ method, url, headers, body, signal }: WireRequest) => {
    const target = new URL(url);
    const http = await load(target);
    let agent = agents.get(target.protocol);
    if (!agent) {
      agent = new http.Agent({ keepAlive: true, maxSockets: options.connections });
      agents.set(target.protocol, agent);
    }
    const length = body ? { 'content-length': String(body.byteLength) } : {};
    const request: RequestOptions & { ca?: string[] } = {
      method,
      headers: { ...headers, ...length },
      agent,
      signal,
    };
    if (options.ca) request.ca = await trusted(options.ca);
    return new Promise<WireResponse>((resolve, reject) => {
      const sent = http.request(target, request, (answer) => {
        received(answer, options.answerLimit).then(
          (bytes) =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: joinHeaders(answer.headers),
              bytes,
            }),
          (error: unknown) => reject(signal.aborted ? signal.reason : error),
        );
      });
      // What aborts says why; the engine's own error only says that it was.
      sent.on('error', (error) => reject(signal.aborted ? signal.reason : error));
      // Without a listener a switch of protocols would leave the request without any end.
      sent.on('upgrade', (_answer, socket) => {
        socket.destroy();
        reject(failure('SVC_UPGRADE', 'the answer is a switch of protocols'));
      });
      sent.end(body);
    });
  };
  return Object.assign(send, {
    close: async () => {
      for (const agent of agents.values()) agent.destroy();
    },
  });
}

/** The engine for many requests and for proxies; slow to load, fast per request. */
export async function undiciTransport(options: TransportOptions): Promise<Transport> {
  const { request } = await import('undici');
  const closing = new AbortController();
  // Many tunnels at a time are opened side by side.
  setMaxListeners(0, closing.signal);
  const dispatcher = await openDispatcher(options, closing.signal);
  const send = async ({ method, url, headers, body, signal }: WireRequest) => {
    const answer = await request(url, {
      method: method as 'GET',
      headers,
      body: body ?? null,
      signal,
      dispatcher,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const bytes = await collected(answer.body, options.answerLimit);
    return { status: answer.statusCode, headers: joinHeaders(answer.headers), bytes };
  };
  return Object.assign((request: WireRequest) => orAborted(send(request), request.signal), {
    close: () => {
      closing.abort();
      return dispatcher.destroy();
    },
  });
}

async function openDispatcher({ connections, ca, proxy }: TransportOptions, signal: AbortSignal) {
  const { Agent, buildConnector } = await import('undici');
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

/** The whole body. Listening costs less than iterating, which a single request notices. */
function received(answer: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    answer.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) answer.destroy(tooLarge(limit));
      else chunks.push(chunk);
    });
    answer.on('end', () => resolve(Buffer.concat(chunks, size)));
    answer.on('error', reject);
  });
}

async function collected(body: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function joinHeaders(headers: Record<string, string | string[] | undefined>) {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined)
      joined[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}

async function trusted(extra: string): Promise<string[]> {
  const { rootCertificates } = await import('node:tls');
  return [...rootCertificates, extra];
}
