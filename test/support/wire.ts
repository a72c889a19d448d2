// For tests written from the specification: one call of the client to a fake service, and literal requests to a seeded
// sandbox. Requests and responses are literal: paths and bodies of the registry are not used to build them.
import { expect, onTestFinished } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { WireRequest } from '../../src/api/transport/transport.ts';
import { type OperationId, record } from '../../src/service/operations/index.ts';
import { frozenNow, testKey } from './fixed.ts';

export interface LiteralInput {
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
  const result = await client.call(operationId, structuredClone(input) as never);
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

/** One call of the client, with the request that it must send and the result that it must return. */
interface Exchange {
  operation: OperationId;
  input?: LiteralInput;
  /** Method and path. */
  sends: string;
  /** The query parameters, in any order. */
  query?: [key: string, value: string][];
  status: number;
  /** The body of the response, which is also the result; no body if it is missing. It must match the schema. */
  returns?: unknown;
}

/**
 * Expects exactly this request, with the body of the input, and the body of the response as the result. Of the
 * checked headers, none that is not expected may be sent.
 */
export async function expectExchange(expected: Exchange) {
  const { operation, input = {}, sends, query = [], status, returns } = expected;
  const { request, result } = await exchange(operation, input, { status, body: returns });
  expect(`${request.method} ${request.target.split('?')[0]}`).toBe(sends);
  const sent = [...new URL(request.target, 'https://service.test').searchParams];
  expect(sent.toSorted()).toEqual(query.toSorted());
  const { authorization, accept, 'content-type': type, 'idempotency-key': key } = request.headers;
  const hasKey = ['POST', 'PATCH'].includes(request.method);
  expect({ authorization, accept, type, key }).toEqual({
    authorization: 'ApiKey test-key',
    accept: 'application/json',
    type: 'body' in input ? 'application/json' : undefined,
    key: hasKey ? expect.stringMatching(/./) : undefined,
  });
  expect(request.body).toEqual(input.body);
  expect(result).toEqual(returns);
  const { response } = await record(operation).schemas();
  expect(response.parse(returns)).toEqual(returns);
}

/** Starts a new in-memory sandbox with its built-in seed. */
export async function startSeeded({ envelope = false }: { envelope?: boolean } = {}) {
  const { createSandbox } = await import('./sandbox-311.ts');
  const { openSeededStore } = await import('./seeded-store.ts');
  const clock = { now: () => frozenNow };
  const store = await openSeededStore({ clock, key: testKey, mode: 'specification' });
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
  const u1 = '/v1/subscribers/u1';
  const preferencesPath = '/v2/subscribers/u1/preferences';
  return {
    ask,
    ids: await seedIds(ask),
    createSubscribers: (...subscribers: object[]) =>
      ask('POST', '/v1/subscribers/bulk', { subscribers }),
    trigger: (...events: object[]) => ask('POST', '/v1/events/trigger/bulk', { events }),
    activity: (query = '') => ask('GET', withQuery('/v1/notifications', query)),
    feed: (query = '') => ask('GET', withQuery(`${u1}/notifications/feed`, query)),
    mark: (body: object) => ask('POST', `${u1}/messages/mark-as`, body),
    setCredentials: (body: object) => ask('PATCH', `${u1}/credentials`, body),
    preferences: (query = '') => ask('GET', withQuery(preferencesPath, query)),
    setPreferences: (body: object) => ask('PATCH', preferencesPath, body),
  };
}

const withQuery = (path: string, query: string) => (query === '' ? path : `${path}?${query}`);

type Ask = (method: string, target: string) => Promise<{ body: unknown }>;

async function seedIds(ask: Ask): Promise<{ integration: string; environment: string }> {
  const { body } = await ask('GET', '/v1/environments');
  const environments = (Array.isArray(body) ? body : (body as { data: unknown[] }).data) as {
    _id: string;
    name: string;
  }[];
  const environment = environments.find(({ name }) => name === 'Development');
  const { seedId } = await import('../../src/sandbox/store/ids.ts');
  return { integration: seedId('integration:sendgrid-email'), environment: environment?._id ?? '' };
}
