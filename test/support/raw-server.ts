// A server on loopback that speaks whatever a test wants, which need not be HTTP.
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { testKey } from './fixed.ts';

/** Calls `answer` with each connection: once something was said on it, or with `deaf` at once and unread. */
export async function openRawServer(answer: (socket: Socket) => void, deaf = false) {
  const sockets = new Set<Socket>();
  const server = createServer({ pauseOnConnect: deaf }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    if (deaf) return answer(socket);
    socket.once('data', () => {
      socket.resume();
      answer(socket);
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

/** Writes again and again, as fast as it is taken, or every so many milliseconds. */
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
