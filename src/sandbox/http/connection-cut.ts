// A connection that breaks on purpose: at once, or in the middle of an answer. In process the
// request ends with this error; on a socket the server carries it out.
import type { Answered } from './responses.ts';

export class ConnectionCut extends Error {
  /** Sent half before the connection is cut; absent: nothing is sent. */
  readonly half: Answered | undefined;

  constructor(half?: Answered) {
    super('the connection was cut by a fault of the sandbox');
    this.name = 'ConnectionCut';
    this.half = half;
  }
}
