// One call of the client, with a fake service that returns given responses.
import { createClient } from '../../src/api/client.ts';
import type { WireRequest } from '../../src/api/transport/transport.ts';
import type { Input, OperationId } from '../../src/service/operations/index.ts';
import { frozenNow } from './fixed.ts';

export interface Response {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Calls an operation. Returns the requests, without their signals and limits, and the result or the error. */
export async function callClient(id: OperationId, input: object, responses: Response[]) {
  const sent: object[] = [];
  const transport = async ({ method, url, headers, body }: WireRequest) => {
    const { status, headers: more, body: value } = responses[sent.length] ?? { status: 404 };
    sent.push({ method, url: new URL(url), headers, body: body && Buffer.from(body).toString() });
    const bytes = Buffer.from(value === undefined ? '' : JSON.stringify(value));
    return { status, headers: { 'content-type': 'application/json', ...more }, bytes };
  };
  let keys = 0;
  const client = createClient({
    baseUrl: 'https://service.test',
    apiKey: 'test-key',
    transport: Object.assign(transport, { close: async () => undefined }),
    clock: {
      now: () => frozenNow,
      ticks: () => 0,
      sleep: async () => undefined,
      deadline: () => ({ signal: new AbortController().signal, clear: () => undefined }),
    },
    timeoutMs: 1000,
    retries: 1,
    maxWaitMs: 1000,
    random: () => 0,
    newKey: () => `key-${++keys}`,
    userAgent: 'svc/test',
    mask: '********',
    maskedSecret: () => undefined,
    secretTexts: () => [],
  });
  const result: unknown = await client
    .call(id, input as Input<OperationId>)
    .catch((error) => error);
  return { sent, result };
}
