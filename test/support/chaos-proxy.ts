// A sandbox behind a proxy that injects faults: slow responses, 429, 500 and broken connections, before or after the
// request is processed. Seeded, so that a test run can be repeated.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testKey } from './fixed.ts';
import { createSandbox, openStore, type Store } from './sandbox-311.ts';

/** Fault rates, from 0 to 1. */
export interface FaultRates {
  slow: number;
  tooMany: number;
  failBefore: number;
  failAfter: number;
  resetBefore: number;
  resetAfter: number;
  truncated: number;
}

export const heavyFaults: FaultRates = {
  slow: 0.3,
  tooMany: 0.06,
  failBefore: 0.04,
  failAfter: 0.04,
  resetBefore: 0.03,
  resetAfter: 0.03,
  truncated: 0.03,
};

export interface ChaosProxy {
  baseUrl: string;
  store: Store;
  /** Received requests: `GET /v2/topics`. */
  requests: string[];
  close(): Promise<void>;
}

/** Returns a generator of numbers in [0, 1). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export async function openChaosProxy(seed: number, rates: FaultRates): Promise<ChaosProxy> {
  const clock = { now: () => Date.now() };
  const store = await openStore({ clock, key: testKey });
  const sandbox = createSandbox({ store, clock });
  const random = seeded(seed);
  const requests: string[] = [];

  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    requests.push(`${incoming.method} ${incoming.url}`);
    if (random() < rates.slow) await new Promise((resolve) => setTimeout(resolve, random() * 20));
    const drawn = random();
    let bound = 0;
    const isDrawn = (rate: number) => {
      bound += rate;
      return drawn < bound && drawn >= bound - rate;
    };
    if (isDrawn(rates.tooMany)) return sendError(outgoing, 429, { 'retry-after': '0' });
    if (isDrawn(rates.failBefore)) return sendError(outgoing, 500);
    if (isDrawn(rates.resetBefore)) return void incoming.socket.destroy();
    const response = await sandbox(
      new Request(`http://127.0.0.1${incoming.url}`, {
        method: incoming.method ?? 'GET',
        headers: incoming.headers as Record<string, string>,
        ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
      }),
    );
    const body = Buffer.from(await response.arrayBuffer());
    if (isDrawn(rates.failAfter)) return sendError(outgoing, 500);
    if (isDrawn(rates.resetAfter)) return void incoming.socket.destroy();
    const headers = {
      ...Object.fromEntries(response.headers),
      'content-length': String(body.length),
    };
    outgoing.writeHead(response.status, headers);
    if (isDrawn(rates.truncated)) {
      outgoing.write(body.subarray(0, body.length >> 1));
      return void setTimeout(() => incoming.socket.destroy(), 1);
    }
    outgoing.end(body);
  };

  const server = createServer((incoming, outgoing) => {
    respond(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    store,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      store.close();
    },
  };
}

function sendError(outgoing: ServerResponse, status: number, headers: Record<string, string> = {}) {
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
  outgoing.end(JSON.stringify({ statusCode: status, message: 'injected fault' }));
}
