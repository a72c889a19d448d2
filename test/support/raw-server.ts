// A TCP server on loopback that sends any bytes, for responses that are not valid HTTP.
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { testKey } from './fixed.ts';

/** Calls `respond` with each connection: after it received data, or with `isDeaf` at once, without reading. */
export async function openRawServer(respond: (socket: Socket) => void, isDeaf = false) {
  const sockets = new Set<Socket>();
  const server = createServer({ pauseOnConnect: isDeaf }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    if (isDeaf) return respond(socket);
    socket.once('data', () => {
      socket.resume();
      respond(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { baseUrl, env: { SVC_BASE_URL: baseUrl, SVC_API_KEY: testKey } };
}

/** Writes repeatedly: as fast as the socket accepts data, or every `everyMs` milliseconds. */
export function repeat(socket: Socket, next: () => string | Buffer, everyMs?: number): void {
  if (everyMs !== undefined) {
    const timer = setInterval(() => socket.write(next()), everyMs);
    socket.on('close', () => clearInterval(timer));
    return;
  }
  const fill = () => {
    while (!socket.destroyed && socket.write(next()));
  };
  socket.on('drain', fill);
  fill();
}

/** The head of a JSON response with these headers. */
export const head = (...more: readonly string[]) =>
  `${['HTTP/1.1 200 OK', 'Content-Type: application/json', ...more].join('\r\n')}\r\n\r\n`;

/** A response with this compressed body. */
export const gzipped = (bytes: Buffer) =>
  Buffer.concat([
    Buffer.from(head('Content-Encoding: gzip', `Content-Length: ${bytes.length}`)),
    bytes,
  ]);
