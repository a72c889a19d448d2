import type { Agent, IncomingMessage, RequestOptions } from 'node:http';
import {
  codedError,
  createCollector,
  emptyBodyOrThrow,
  joinHeaders,
  type Transport,
  type TransportOptions,
  trustedAuthorities,
  type WireRequest,
  type WireResponse,
} from './transport.ts';

/** The transport for all connections without a proxy. */
export function nodeTransport(options: TransportOptions): Transport {
  const agents = new Map<string, Agent>();
  const load = async (url: URL) =>
    url.protocol === 'https:' ? await import('node:https') : await import('node:http');

  const send = async ({ method, url, headers, body, signal, limit }: WireRequest) => {
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
    };
    if (options.ca) request.ca = await trustedAuthorities(options.ca);
    signal.throwIfAborted();
    return new Promise<WireResponse>((resolve, reject) => {
      const sent = http.request(target, request, (message) => {
        const { statusCode: status = 0 } = message;
        readBody(message, status, limit(status)).then(
          (bytes) => resolve({ status, headers: joinHeaders(message.headers), bytes }),
          (error: unknown) => reject(signal.aborted ? signal.reason : error),
        );
      });
      // The signal's reason says why the request was aborted; Node's error does not.
      sent.on('error', (error) => reject(signal.aborted ? signal.reason : error));
      // Without this listener the request would never finish after a protocol switch.
      sent.on('upgrade', (_message, socket) => {
        socket.destroy();
        reject(codedError('SVC_UPGRADE', 'the server switched protocols'));
      });
      // The `signal` option of http.request would load more modules, which slows down the start.
      const abort = () => sent.destroy(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      sent.on('close', () => signal.removeEventListener('abort', abort));
      sent.end(body);
    });
  };
  return Object.assign(send, {
    close: async () => {
      for (const agent of agents.values()) agent.destroy();
    },
  });
}

/** Reads the whole body. Event listeners start faster than async iteration. */
function readBody(message: IncomingMessage, status: number, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const collector = createCollector(limit);
    message.on('data', (chunk: Buffer) => {
      if (collector.add(chunk)) return;
      message.destroy();
      try {
        resolve(emptyBodyOrThrow(status));
      } catch (error) {
        reject(error);
      }
    });
    message.on('end', () => resolve(collector.bytes()));
    message.on('error', reject);
  });
}
