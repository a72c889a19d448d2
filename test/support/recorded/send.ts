// Sends a recorded request with its exact path, which fetch would normalize.
import http from 'node:http';
import https from 'node:https';

export interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

export interface Received {
  /** 0: the connection was cut. */
  status: number;
  /** Those that a client reads: the content type, idempotency, rate limits, links. */
  headers: Record<string, string>;
  body: unknown;
}

const readByClients =
  /^(content-type|idempotency-.*|retry-after|ratelimit.*|x-ratelimit.*|link|location|www-authenticate)$/;

export function send(baseUrl: string, { method, path, headers, body }: Sent): Promise<Received> {
  const { protocol, hostname, port } = new URL(baseUrl);
  const client = protocol === 'https:' ? https : http;
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  return new Promise((resolve) => {
    const options = { hostname, port, method, path, headers: { ...headers, ...length } };
    const request = client.request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('close', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: clientHeaders(response.headers),
          body: parse(Buffer.concat(chunks).toString()),
        }),
      );
    });
    request.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ status: 0, headers: {}, body: `connection: ${error.code ?? error.message}` }),
    );
    // A sandbox that refuses a body closes the connection while it is sent.
    request.on('socket', (socket) => {
      // The agent reuses sockets.
      socket.off('error', ignoreError).on('error', ignoreError);
    });
    request.end(body);
  });
}

const ignoreError = () => undefined;

const clientHeaders = (headers: http.IncomingHttpHeaders) =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => readByClients.test(name))
      .map(([name, value]) => [
        name,
        name === 'content-type' ? String(value).replace(/;.*/, '') : String(value),
      ]),
  );

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text === '' ? null : text;
  }
}
