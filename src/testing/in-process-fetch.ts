// A `fetch` that sends requests to the sandbox without a socket. Injected faults look as they do over a connection.
import { raceAbort } from '../core/race-abort.ts';
import { ConnectionCut } from '../sandbox/index.ts';
import type { Sandbox } from './types.ts';

export function createFetch(
  baseUrl: string,
  handle: (request: Request) => Promise<Response>,
): Sandbox['fetch'] {
  const { origin } = new URL(baseUrl);
  return async (input, init) => {
    const target = typeof input === 'string' || 'href' in input ? new URL(input, baseUrl) : input;
    const request = new Request(target, init);
    if (new URL(request.url).origin !== origin)
      throw new TypeError(`sandbox.fetch sends requests only to ${baseUrl}, not to ${request.url}`);
    request.signal.throwIfAborted();
    try {
      return await raceAbort(handle(request), request.signal);
    } catch (error) {
      if (!(error instanceof ConnectionCut)) throw error;
      const { truncatedResponse } = error;
      if (!truncatedResponse?.text) throw new TypeError('fetch failed', { cause: error });
      const { status, headers = {}, text } = truncatedResponse;
      return new Response(cutOff(text), {
        status,
        headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
      });
    }
  };
}

/** A body that ends with an error after half of its bytes. */
function cutOff(text: string): ReadableStream {
  const bytes = new TextEncoder().encode(text);
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) return controller.error(new TypeError('terminated'));
      isSent = true;
      controller.enqueue(bytes.subarray(0, Math.ceil(bytes.length / 2)));
    },
  });
}
