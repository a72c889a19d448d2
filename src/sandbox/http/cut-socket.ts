// Closes the socket of a request for an injected connection fault.
import type { ServerResponse } from 'node:http';
import type { ConnectionCut } from './connection-cut.ts';

/** Declares the full content length but sends half, so that the client detects the truncation. */
export function cutSocket({ truncatedResponse }: ConnectionCut, outgoing: ServerResponse): void {
  const { socket } = outgoing;
  if (!truncatedResponse?.text) return void socket?.resetAndDestroy();
  const bytes = Buffer.from(truncatedResponse.text);
  outgoing.writeHead(truncatedResponse.status, {
    'content-type': 'application/json; charset=utf-8',
    ...truncatedResponse.headers,
    'content-length': bytes.length,
  });
  outgoing.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => socket?.destroy());
}
