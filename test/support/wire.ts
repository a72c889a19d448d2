// For tests written from the specification: one call of the client to a fake service, and literal requests to a seeded
// sandbox. Uses operation names, but no paths or schemas.
import { onTestFinished } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { OperationId } from '../../src/api/operations/index.ts';
import type { WireRequest } from '../../src/api/transport/transport.ts';
import { frozenNow, testKey } from './fixed.ts';

interface LiteralInput {
  path?: Record<string, string>;
  query?: object;
  body?: unknown;
}

/** Calls the typed client; returns the HTTP request that it sent, and its result. */
export async function exchange(
  operationId: OperationId,
  input: LiteralInput,
  reply: { status: number; body?: unknown },
) {
  const sent: WireRequest[] = [];
  const transport = async (request: WireRequest) => {
    sent.push(request);
    const bytes = Buffer.from(reply.body === undefined ? '' : JSON.stringify(reply.body));
    return { status: reply.status, headers: { 'content-type': 'application/json' }, bytes };
  };
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
    retries: 0,
    maxWaitMs: 0,
    random: () => 0,
    newKey: () => 'key-1',
    userAgent: 'svc/test',
    mask: '********',
    maskedSecret: () => undefined,
  });
  const result = await client.call(operationId, input as never);
  const [request, ...others] = sent;
  if (!request || others.length > 0) throw new Error(`${sent.length} requests were sent`);
  const body: unknown = request.body
    ? JSON.parse(Buffer.from(request.body).toString('utf8'))
    : undefined;
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const target = request.url.replace('https://service.test', '');
  return { request: { method: request.method, target, headers, body }, result: result as unknown };
}

/** Starts a new in-memory sandbox with its built-in seed. */
export async function startSeeded({ envelope = false }: { envelope?: boolean } = {}) {
  const { createSandbox, openStore } = await import('../../src/sandbox/index.ts');
  const clock = { now: () => frozenNow };
  const store = await openStore({ clock, key: testKey });
  onTestFinished(() => store.close());
  const sandbox = createSandbox({ store, clock, envelope });
  const ask = async (method: string, target: string, body?: unknown) => {
    const response = await sandbox(
      new Request(`http://localhost${target}`, {
        method,
        headers: {
          authorization: `ApiKey ${testKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    const parsed: unknown = text === '' ? undefined : JSON.parse(text);
    return { status: response.status, headers: Object.fromEntries(response.headers), body: parsed };
  };
  return { ask, ids: await seedIds(ask) };
}

type Ask = (method: string, target: string) => Promise<{ body: unknown }>;

async function seedIds(ask: Ask): Promise<{ integration: string; environment: string }> {
  const { body } = await ask('GET', '/v1/environments');
  const environments = (Array.isArray(body) ? body : (body as { data: unknown[] }).data) as {
    _id: string;
    name: string;
  }[];
  const environment = environments.find(({ name }) => name === 'Development');
  const { seedId } = await import('../../src/sandbox/seed/ids.ts');
  return { integration: seedId('integration:sendgrid-email'), environment: environment?._id ?? '' };
}
