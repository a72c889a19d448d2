import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { ClientOptions } from '../../src/api/client-options.ts';
import type { WireRequest, WireResponse } from '../../src/api/transport/transport.ts';
import { exitCodes, SvcError } from '../../src/core/errors.ts';
import { findMaskedSecret, findSecretTexts } from '../../src/output/mask.ts';

type Step =
  | Error
  | { status: number; body?: unknown; text?: string; headers?: Record<string, string> };

function scripted(steps: Step[], changed: Partial<ClientOptions> = {}) {
  const sent: WireRequest[] = [];
  const waits: number[] = [];
  const transport = async (request: WireRequest): Promise<WireResponse> => {
    sent.push(request);
    const step = steps.shift();
    if (!step) throw new Error('an unexpected request');
    if (step instanceof Error) throw step;
    const text = step.text ?? (step.body === undefined ? '' : JSON.stringify(step.body));
    return {
      status: step.status,
      headers: { 'content-type': 'application/json', ...step.headers },
      bytes: Buffer.from(text),
    };
  };
  let keys = 0;
  const client = createClient({
    baseUrl: 'https://api.example.com/prefix',
    apiKey: 'secret',
    transport: Object.assign(transport, { close: async () => undefined }),
    clock: {
      now: () => 0,
      ticks: () => 0,
      sleep: async (ms) => void waits.push(ms),
      deadline: () => ({ signal: new AbortController().signal, clear: () => undefined }),
    },
    timeoutMs: 30_000,
    retries: 4,
    maxWaitMs: 60_000,
    random: () => 0,
    newKey: () => `key-${++keys}`,
    userAgent: 'svc/test',
    mask: '********',
    maskedSecret: findMaskedSecret,
    secretTexts: findSecretTexts,
    ...changed,
  });
  return { client, sent, waits };
}

const rejection = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SvcError)) throw new Error(`not an SvcError: ${String(error)}`);
  return error;
};

const getTopic = ({ client }: ReturnType<typeof scripted>, topicKey = 'news') =>
  client.call('getTopic', { path: { topicKey } });

describe('a request', () => {
  it('keeps the path prefix of the base URL', async () => {
    const rig = scripted([{ status: 200, body: { _id: '1', key: 'news' } }]);
    await getTopic(rig);
    expect(rig.sent[0]?.url).toBe('https://api.example.com/prefix/v2/topics/news');
  });

  it.each(['', '.', '..', '\ud800'])('with the identifier %j is not sent', async (id) => {
    const rig = scripted([]);
    expect((await rejection(getTopic(rig, id))).exitReason).toBe('usage');
  });

  it('with an invalid body is not sent; the error names the field', async () => {
    const rig = scripted([]);
    const error = await rejection(
      rig.client.call('createEnvironment', { body: { name: 'x', color: 'red' } }),
    );
    expect(error.exitReason).toBe('usage');
    expect(error.message).toContain('color');
    expect(rig.sent).toHaveLength(0);
  });

  it.each([
    ['a credential', 'credentials.apiKey', { credentials: { apiKey: '********' } }],
    [
      'one token of a list',
      'credentials.deviceTokens',
      { credentials: { deviceTokens: ['********'] } },
    ],
    ['a nested URL', 'a.b.webhookUrl', { a: { b: { webhookUrl: '********' } } }],
  ])('with the mask as a secret value is not sent: %s', async (_name, field, body) => {
    const rig = scripted([]);
    const error = await rejection(
      rig.client.send({ method: 'POST', target: '/x', body: Buffer.from(JSON.stringify(body)) }),
    );
    expect(error.exitReason).toBe('usage');
    expect(error.message).toContain(`\`${field}\``);
    expect(rig.sent).toHaveLength(0);
  });

  it.each([
    ['a name', { name: '********' }],
    ['a payload with a card number', { payload: { text: 'card ********1234' } }],
    ['a secret that only contains the mask', { credentials: { apiKey: 'x********' } }],
    ['a credential that is not secret', { credentials: { from: '********' } }],
  ])('with asterisks in other values is sent: %s', async (_name, body) => {
    const rig = scripted([{ status: 200, body: {} }]);
    await rig.client.send({
      method: 'POST',
      target: '/x',
      body: Buffer.from(JSON.stringify(body)),
    });
    expect(rig.sent).toHaveLength(1);
  });

  it('uses the given key, and later requests use hashes of it', async () => {
    const rig = scripted(
      [
        { status: 200, body: [] },
        { status: 200, body: [] },
      ],
      { idempotencyKey: 'mine' },
    );
    await rig.client.call('listEnvironments', {});
    await rig.client.call('listEnvironments', {});
    const keys = rig.sent.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toBe('mine');
    expect(keys[1]).toMatch(/^[0-9a-f]{64}$/);
  });
});

const replayed503 = { status: 503, headers: { 'idempotency-replay': 'true' } };
const inProgress = { status: 409, headers: { 'retry-after': '1' } };
const renamed = { status: 200, body: { _id: '1', key: 'a', name: 'b' } };
const renameTopic = ({ client }: ReturnType<typeof scripted>) =>
  client.exchange('renameTopic', { path: { topicKey: 'a' }, body: { name: 'b' } });

describe('an error that the service stored for an idempotency key', () => {
  it('is retried once with a new key if the operation is idempotent', async () => {
    const rig = scripted([{ status: 500 }, replayed503, renamed]);
    await renameTopic(rig);
    const keys = rig.sent.map(({ headers }) => headers['idempotency-key']);
    expect(keys[1]).toBe('key-1');
    expect(keys[2]).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is not retried a second time', async () => {
    const rig = scripted([replayed503, { status: 500 }, replayed503]);
    const error = await rejection(renameTopic(rig));
    expect({ exitReason: error.exitReason, sent: rig.sent.length }).toEqual({
      exitReason: 'unavailable',
      sent: 3,
    });
    expect(error.message).toContain('its result is unknown');
  });

  it('is not retried if the operation is not idempotent', async () => {
    const rig = scripted([replayed503, replayed503]);
    const environment = rig.client.call('createEnvironment', {
      body: { name: 'x', color: '#fff' },
    });
    const { exitReason, message } = await rejection(environment);
    expect({ exitReason: exitReason, sent: rig.sent.length }).toEqual({
      exitReason: 'unavailable',
      sent: 1,
    });
    expect(message).toBe(
      'POST /prefix/v1/environments: the first attempt failed; its result is unknown.',
    );
    const event = { name: 'w', to: 'u1', payload: {} };
    const error = await rejection(rig.client.call('triggerEvents', { body: { events: [event] } }));
    expect(error.exitReason).toBe('unavailable');
    expect(rig.sent).toHaveLength(2);
  });

  it('is retried for events that all have a transaction id', async () => {
    const rig = scripted([replayed503, { status: 201, body: [] }]);
    const event = { name: 'w', to: 'u1', payload: {}, transactionId: 't1' };
    await rig.client.call('triggerEvents', { body: { events: [event] } });
    expect(rig.sent).toHaveLength(2);
  });
});

describe('a request whose earlier attempt is still in progress', () => {
  it('waits for Retry-After and returns the result', async () => {
    const rig = scripted([new Error('reset'), inProgress, inProgress, renamed]);
    expect((await renameTopic(rig)).attempts).toBe(4);
    expect(rig.waits.slice(1)).toEqual([1000, 1000]);
  });

  it('has an unknown outcome if the attempt does not finish', async () => {
    const rig = scripted([new Error('reset'), ...Array<Step>(4).fill(inProgress)]);
    const error = await rejection(renameTopic(rig));
    expect(error.exitReason).toBe('unavailable');
    expect(error.message).toContain('is unknown');
  });

  it('calls findResult before a retry, unless the service honors keys', async () => {
    const findResult = async () => ({ value: 'found' });
    const call = (rig: ReturnType<typeof scripted>) =>
      rig.client.send({ method: 'POST', target: '/x', findResult });
    const lost = scripted([new Error('reset')]);
    expect(await call(lost)).toMatchObject({ value: 'found', attempts: 1 });
    const honored = scripted([
      { status: 500, headers: { 'idempotency-key': 'key-1' } },
      { status: 200, body: 'sent' },
    ]);
    expect(await call(honored)).toMatchObject({ value: 'sent', attempts: 2 });
    const limited = scripted([{ status: 429 }, { status: 200, body: 'sent' }]);
    expect(await call(limited)).toMatchObject({ value: 'sent', attempts: 2 });
  });
});

it('a read times out if parsing its response takes too long', async () => {
  let now = 0;
  const clock = {
    now: () => 0,
    ticks: () => (now += 40_000),
    sleep: async () => undefined,
    deadline: () => ({ signal: new AbortController().signal, clear: () => undefined }),
  };
  const rig = scripted([{ status: 200, body: {} }], { clock, retries: 0 });
  const { exitReason, message } = await rejection(getTopic(rig));
  expect(exitReason).toBe('unavailable');
  expect(message).toContain('timed out after 30 s');
  const written = scripted([renamed], { clock });
  expect((await renameTopic(written)).status).toBe(200);
});

describe('a redirect', () => {
  it.each([
    ['https://user:secret@login.example.com/in?state=x#y', 'https://login.example.com/in'],
    ['//user:secret@login.example.com/', '//login.example.com/'],
    ['https:\\\\user:secret@login.example.com', 'https://login.example.com'],
  ])('is reported without user info, query and fragment: %s', async (location, shown) => {
    const rig = scripted([{ status: 302, headers: { location } }]);
    const { message } = await rejection(getTopic(rig));
    expect(message).toBe(`GET /prefix/v2/topics/news was redirected to ${shown}`);
  });
});

describe('a response', () => {
  it('keeps numbers that a double cannot represent', async () => {
    const rig = scripted([
      { status: 200, text: '{"_id":"1","key":"a","big":12345678901234567890}' },
    ]);
    const topic = (await getTopic(rig)) as unknown as { big: unknown };
    expect(String(topic.big)).toBe('12345678901234567890');
  });

  it('with 404 to a retried DELETE is a success', async () => {
    const rig = scripted([
      { status: 503 },
      { status: 404, body: { message: 'Integration i not found' } },
    ]);
    const { status, attempts } = await rig.client.exchange('deleteIntegration', {
      path: { integrationId: 'i' },
    });
    expect({ status, attempts }).toEqual({ status: 404, attempts: 2 });
  });

  it.each<[number, unknown, string]>([
    [401, { message: 'API Key not found' }, 'auth'],
    [403, { message: 'Context feature is not enabled' }, 'auth'],
    [404, { message: 'Topic with key x not found' }, 'notFound'],
    [404, { message: 'Cannot GET /v2/topics/x' }, 'local'],
    [400, { message: 'No step found' }, 'notFound'],
    [400, { message: 'nothing to update' }, 'refused'],
    [402, { message: 'plan' }, 'refused'],
    [413, { message: 'too large' }, 'refused'],
    [422, { message: 'Validation failed', errors: {} }, 'refused'],
    [429, { message: 'API rate limit exceeded' }, 'unavailable'],
    [500, { message: 'Internal', errorId: 'e1' }, 'unavailable'],
    [302, undefined, 'unavailable'],
  ])('with status %i and body %j is an error of kind %s', async (status, body, exitReason) => {
    const rig = scripted([{ status, body }], { retries: 0 });
    expect((await rejection(getTopic(rig))).exitReason).toBe(exitReason);
  });

  it.each([
    [
      'an HTML page',
      { status: 200, text: '<!doctype html><p>login', headers: { 'content-type': 'text/html' } },
    ],
    ['an HTML error', { status: 502, text: '<html>', headers: { 'content-type': 'text/html' } }],
    ['a text', { status: 200, text: 'hello' }],
  ])('%s is reported as not the API', async (_name, step) => {
    const rig = scripted([step], { retries: 0 });
    const error = await rejection(getTopic(rig));
    expect(exitCodes[error.exitReason].code).toBe(7);
    expect(error.message).toContain('not the API');
  });

  it('with truncated JSON is reported', async () => {
    const rig = scripted([{ status: 200, text: '{"_id":' }], { retries: 0 });
    expect((await rejection(getTopic(rig))).message).toBe(
      'GET /prefix/v2/topics/news returned truncated or damaged JSON (status 200)',
    );
  });

  it.each([
    [
      { general: { messages: ['subscribers.0.email bad'], value: 'x' } },
      [{ field: '', message: 'subscribers.0.email bad' }],
    ],
    [
      { 'a.b': { messages: ['bad', 'worse'], value: 1 } },
      [
        { field: 'a.b', message: 'bad' },
        { field: 'a.b', message: 'worse' },
      ],
    ],
    [[{ message: 'bad', path: ['a', 0] }], [{ field: 'a.0', message: 'bad' }]],
    [[{ field: 'a', message: 'bad', value: 1, schemaPath: '#' }], [{ field: 'a', message: 'bad' }]],
  ])('with validation errors %j has field errors', async (errors, details) => {
    const rig = scripted([{ status: 422, body: { message: 'Validation failed', errors } }]);
    expect((await rejection(getTopic(rig))).details.fieldErrors).toEqual(details);
  });
});
