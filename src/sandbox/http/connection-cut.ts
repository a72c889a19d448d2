// An injected fault that closes the connection, immediately or in the middle of a response. In
// process the request rejects with this error; the HTTP server closes the socket.
import type { SerializedResponse } from './responses.ts';

export class ConnectionCut extends Error {
  /** Half of its body is sent before the connection is closed. Absent: nothing is sent. */
  readonly truncatedResponse: SerializedResponse | undefined;

  constructor(truncatedResponse?: SerializedResponse) {
    super('the sandbox closed the connection to inject a fault');
    this.name = 'ConnectionCut';
    this.truncatedResponse = truncatedResponse;
  }
}
