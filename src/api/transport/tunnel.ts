// Opens a connection through an HTTP proxy with CONNECT. undici's ProxyAgent is not used, because it retries forever
// if the proxy closes the connection, and cannot be aborted.
import type { Socket } from 'node:net';
import { codedError, type ProxyAddress, ProxyFailure } from './transport.ts';

export interface TunnelOptions {
  /** Certificates to trust for a TLS proxy. */
  ca?: readonly string[];
  /** Aborts the connection attempt. */
  signal: AbortSignal;
}

const connectTimeoutMs = 10_000;

/** Returns a socket that the proxy has connected to `target` (`host:port`). */
export async function openTunnel(
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
