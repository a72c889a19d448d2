// The engine on node:http and node:https.

import type { Agent, IncomingMessage, RequestOptions } from 'node:http';
import {
  createCollector,
  failure,
  joinHeaders,
  type Transport,
  type TransportOptions,
  trusted,
  type WireRequest,
  type WireResponse,
  withoutBody,
} from './transport.ts';

/** The engine that starts fast: for one request or a few. */
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
    if (options.ca) request.ca = await trusted(options.ca);
    signal.throwIfAborted();
    return new Promise<WireResponse>((resolve, reject) => {
      const sent = http.request(target, request, (answer) => {
        const { statusCode: status = 0 } = answer;
        received(answer, status, limit(status)).then(
          (bytes) => resolve({ status, headers: joinHeaders(answer.headers), bytes }),
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
      // The `signal` option would load a part of Node's streams that nothing else here needs.
      const stop = () => sent.destroy(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      sent.on('close', () => signal.removeEventListener('abort', stop));
      sent.end(body);
    });
  };
  return Object.assign(send, {
    close: async () => {
      for (const agent of agents.values()) agent.destroy();
    },
  });
}

/** The whole body. Listening costs less than iterating, which a single request notices. */
function received(answer: IncomingMessage, status: number, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const collector = createCollector(limit);
    answer.on('data', (chunk: Buffer) => {
      if (collector.take(chunk)) return;
      answer.destroy();
      try {
        resolve(withoutBody(status));
      } catch (error) {
        reject(error);
      }
    });
    answer.on('end', () => resolve(collector.bytes()));
    answer.on('error', reject);
  });
}
