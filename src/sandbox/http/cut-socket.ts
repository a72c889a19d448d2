// Carries out a cut connection on the socket it came by.
import type { ServerResponse } from 'node:http';
import type { ConnectionCut } from './connection-cut.ts';

/** Half of the answer goes out under the length of the whole, so that its reader sees the loss. */
export function cutSocket({ half }: ConnectionCut, outgoing: ServerResponse): void {
  const { socket } = outgoing;
  if (!half?.text) return void socket?.resetAndDestroy();
  const bytes = Buffer.from(half.text);
  outgoing.writeHead(half.status, {
    'content-type': 'application/json; charset=utf-8',
    ...half.headers,
    'content-length': bytes.length,
  });
  outgoing.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => socket?.destroy());
}
