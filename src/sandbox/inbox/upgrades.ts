// Passes requests for the socket of inbox clients on to it. The socket is loaded with the first of them.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { allowedOrigin, type OriginRules } from '../http/origins.ts';
import type { InboxSocket, InboxSocketOptions } from './socket.ts';

const socketPath = '/socket.io/';

export interface SocketOptions {
  rules: OriginRules;
  /** Resolves when the sandbox is open. */
  open: () => Promise<InboxSocketOptions>;
}

/**
 * Upgrades connections for the socket. Returns a function that handles the request of a client that polls, and returns
 * whether it was one.
 */
export function routeSocket(
  server: Server,
  { rules, open }: SocketOptions,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  let socket: Promise<InboxSocket> | undefined;
  const load = () => {
    socket ??= Promise.all([import('./socket.ts'), open()]).then(
      ([{ createInboxSocket }, options]) => createInboxSocket(options),
    );
    return socket;
  };
  /** Returns the origin that the response must allow; null if the request must be refused. */
  const originFor = ({ headers: { host = '', origin } }: IncomingMessage) => {
    try {
      return allowedOrigin({ host, origin: origin ?? null, pathname: socketPath }, rules);
    } catch {
      return null;
    }
  };

  server.on('upgrade', (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket';
    if (!isWebSocket || toPathname(request) !== socketPath)
      return serveWithoutUpgrade(server, request, connection, head);
    connection.on('error', () => connection.destroy());
    if (originFor(request) === null)
      return void connection.end(refusal, () => connection.destroy());
    load().then(
      ({ upgrade }) => upgrade(request, connection, head),
      () => connection.destroy(),
    );
  });

  return (request, response) => {
    if (toPathname(request) !== socketPath) return false;
    const origin = originFor(request);
    if (origin) response.setHeader('access-control-allow-origin', origin);
    if (origin === null) response.writeHead(403).end();
    else
      load().then(
        ({ handle }) => handle(request, response),
        () => response.destroy(),
      );
    return true;
  };
}

const refusal = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

const toPathname = ({ url = '' }: IncomingMessage) => url.split('?')[0];

/**
 * Serves a request as if it did not ask for an upgrade, which a server may ignore: Java's client asks for HTTP/2 with
 * every request. Node has read only the headers, so the connection starts again with headers that ask for nothing.
 */
function serveWithoutUpgrade(
  server: Server,
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  connection: Duplex,
  head: Buffer,
): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (isUpgrade(name)) continue;
    lines.push(`${name}: ${/^connection$/i.test(name) ? withoutUpgrade(value) : value}`);
  }
  connection.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', connection);
}

const isUpgrade = (name: string) => /^(?:upgrade|http2-settings)$/i.test(name.trim());

/** The header Connection names the headers that are only for this connection. */
const withoutUpgrade = (options: string): string =>
  options
    .split(',')
    .filter((option) => !isUpgrade(option))
    .join(',') || 'keep-alive';
