// A connection through an HTTP proxy, asked for with CONNECT. undici's own agent asks a proxy that hangs up again
// and again without end, and lets none be given up.
import type { Socket } from 'node:net';
import { type ProxyAddress, ProxyFailure } from './transport.ts';

export interface TunnelOptions {
  /** Certificates to trust, for a proxy that speaks TLS. */
  ca?: readonly string[];
  /** Gives up what is under way. */
  signal: AbortSignal;
}

const longestMs = 10_000;

/** A socket to `target`, as `host:port`, that the proxy has connected. */
export async function openTunnel(
  { url, authorization }: ProxyAddress,
  target: string,
  { ca, signal }: TunnelOptions,
): Promise<Socket> {
  const { protocol, hostname, port } = new URL(url);
  const secure = protocol === 'https:';
  const http = secure ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    const asked = http.request({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port || (secure ? 443 : 80),
      method: 'CONNECT',
      path: target,
      headers: {
        host: target,
        ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }),
      },
      agent: false,
      timeout: longestMs,
      signal,
      ...(ca ? { ca: [...ca] } : {}),
    });
    const late = () => {
      asked.destroy(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' }));
    };
    asked.on('timeout', late);
    asked.on('connect', ({ statusCode = 0 }, socket, head) => {
      // From here on the client's own deadlines hold.
      asked.off('timeout', late);
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
        return;
      }
      socket.on('error', () => undefined).destroy();
      reject(new ProxyFailure(new Error(`the proxy answered ${statusCode}`), statusCode));
    });
    asked.on('error', (error) => reject(new ProxyFailure(error)));
    asked.end();
  });
}
