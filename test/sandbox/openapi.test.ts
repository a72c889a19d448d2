// The OpenAPI document describes the control routes as they are: every request and response of a real sandbox matches it.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { isObject } from '../../src/core/objects.ts';
import { type Ask, openSandbox } from './open.ts';

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; schema: object }[];
  requestBody?: { content: Content };
  responses: Record<string, { content: Content }>;
}

type Content = Record<'application/json', { schema: object }>;

let ask: Ask;
let operations: { method: string; path: string; operation: Operation }[];
let validate: (schema: object, value: unknown) => string;

/** Rejects members that the document does not mention, unless it allows any. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (!isObject(schema)) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, strict(value)]),
  );
  const isClosed = isObject(inner.properties) && !('additionalProperties' in inner);
  return isClosed && inner.type === 'object' ? { ...inner, additionalProperties: false } : inner;
}

beforeEach(async () => {
  const { ask: first } = await openSandbox();
  const document = (await first('GET /__sandbox/openapi.json')).body;
  operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
      })),
  );
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addSchema({ $id: 'document', ...(strict(document) as object) });
  validate = (schema, value) => {
    const $ref = '$ref' in schema ? `document${String(schema.$ref)}` : undefined;
    const check = ajv.compile($ref === undefined ? schema : { $ref });
    return check(value) ? '' : ajv.errorsText(check.errors);
  };
});

/** Sends a request; returns the deviations of request and response from the document. */
async function exchange(line: string, body?: unknown, headers: Record<string, string> = {}) {
  const [method = '', target = ''] = line.split(' ');
  const { pathname, searchParams } = new URL(target, 'http://localhost');
  const operation = operations.find(
    (candidate) =>
      candidate.method === method &&
      new RegExp(`^${candidate.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
  if (!operation) throw new Error(`${line} is not in the document`);
  const { operationId, parameters = [], requestBody, responses } = operation.operation;
  const response = await ask(line, body, headers);
  const expected = responses[response.status];
  const isValid = response.status === 200;
  const unknown = [...searchParams.keys()].filter(
    (name) => !parameters.some((parameter) => parameter.in === 'query' && parameter.name === name),
  );
  return {
    operationId,
    status: response.status,
    deviations: [
      ...unknown.map((name) => `unknown parameter ${name}`),
      // A request that was accepted must be one that the document allows.
      ...(isValid && body !== undefined && requestBody
        ? [validate(requestBody.content['application/json'].schema, body)]
        : []),
      expected
        ? validate(expected.content['application/json'].schema, response.body)
        : `status ${response.status} is not in the document`,
    ].filter((text) => text !== ''),
  };
}

const welcome = { name: 'welcome', to: 'u1', payload: { product: 'Svc' } };

describe('the OpenAPI document', () => {
  it('matches every request and response of every route', async () => {
    ({ ask } = await openSandbox({ onStop: () => undefined, pageUrl: 'http://127.0.0.1:4400' }));
    await ask('POST /v1/events/trigger', welcome);
    const email = { replyTo: 'r@example.com', cc: ['c@example.com'], bcc: ['b@example.com'] };
    const attachments = [{ name: 'a.txt', file: 'YQ==' }];
    await ask('POST /v1/events/trigger', {
      ...welcome,
      payload: { attachments },
      overrides: { email },
    });
    const { data } = (await ask('GET /__sandbox/messages?limit=100')).body;
    const copy = (await ask('POST /__sandbox/environments')).body.environmentId;
    const { key } = (await ask('POST /__sandbox/environments')).body;
    const copied = { authorization: `ApiKey ${key}` };
    const state = (await ask('GET /__sandbox/export?reveal=true')).body;
    const lines: [line: string, body?: unknown, headers?: Record<string, string>][] = [
      ['GET /__sandbox/status'],
      ['GET /__sandbox/clock'],
      ['POST /__sandbox/clock', { advance: 90_000 }],
      ['POST /__sandbox/clock', { set: '2026-02-01T00:00:00Z' }],
      ['POST /__sandbox/clock', { set: 'now' }],
      ['POST /__sandbox/clock', {}],
      ['GET /__sandbox/messages?page=0&limit=100'],
      ['GET /__sandbox/messages?subscriberId=u1&channel=email&workflow=welcome&transactionId=x'],
      ['GET /__sandbox/messages?delivered=true'],
      ['GET /__sandbox/messages?delivered=yes'],
      ['GET /__sandbox/messages?limit=0'],
      ['GET /__sandbox/messages?wait=4s&count=1'],
      ['GET /__sandbox/messages?wait=1ms&subscriberId=none'],
      ['GET /__sandbox/messages?text=true&limit=100'],
      ['GET /__sandbox/messages?channel=mail'],
      ['GET /__sandbox/messages?workflow=other'],
      ['GET /__sandbox/activity?page=0&limit=100'],
      ['GET /__sandbox/activity?subscriberId=u1&channel=email&workflow=welcome&transactionId=x'],
      ['GET /__sandbox/activity?workflow=other'],
      ['GET /__sandbox/activity?limit=0'],
      ...data.map(({ _id }: { _id: string }) => [`GET /__sandbox/messages/${_id}`]),
      ['GET /__sandbox/messages/missing'],
      ['GET /__sandbox/requests?page=0&limit=100'],
      ['GET /__sandbox/requests?method=GET&path=/v2/*&status=404'],
      ['GET /__sandbox/requests?status=0'],
      ['GET /__sandbox/faults'],
      ['POST /__sandbox/faults', { latency: 1, fail: 0.5, status: 500, rateLimit: 'free' }],
      [
        'POST /__sandbox/faults',
        { reset: 0, truncate: 0, afterCommit: 0, faultSeed: 1, failNext: 0 },
      ],
      ['POST /__sandbox/faults', { fail: 2 }],
      ['DELETE /__sandbox/faults'],
      ['POST /__sandbox/environments'],
      [`DELETE /__sandbox/environments/${copy}`],
      ['DELETE /__sandbox/environments/missing'],
      ['POST /__sandbox/snapshots', { name: 'before' }],
      ['POST /__sandbox/snapshots', { name: 'a/b' }],
      ['GET /__sandbox/snapshots'],
      ['POST /__sandbox/snapshots/before/restore'],
      ['POST /__sandbox/snapshots/missing/restore'],
      ['POST /__sandbox/snapshots/before/restore', undefined, copied],
      ['GET /__sandbox/export'],
      ['GET /__sandbox/export?reveal=true'],
      ['POST /__sandbox/seed', state],
      ['POST /__sandbox/seed', { version: 2 }],
      ['POST /__sandbox/seed', undefined, { 'content-length': '999999999' }],
      ['POST /__sandbox/reset'],
      ['POST /__sandbox/reset', { compat: 'specification' }],
      ['POST /__sandbox/reset', { compat: 'other' }],
      ['POST /__sandbox/snapshots/before/restore'],
      ['DELETE /__sandbox/snapshots/before'],
      ['DELETE /__sandbox/snapshots/before'],
      ['POST /__sandbox/page'],
      ['POST /__sandbox/stop'],
      ['GET /__sandbox/openapi.json'],
    ];
    const channels = new Set(data.map(({ channel }: { channel: string }) => channel));
    expect([...channels].sort()).toEqual(['chat', 'email', 'in_app', 'push', 'sms']);
    const seen = new Map<string, Set<number>>();
    for (const [line, body, headers] of lines) {
      const { operationId, status, deviations } = await exchange(line, body, headers);
      expect({ line, deviations }).toEqual({ line, deviations: [] });
      seen.set(operationId, (seen.get(operationId) ?? new Set()).add(status));
    }
    ({ ask } = await openSandbox());
    const withoutPage = await exchange('POST /__sandbox/page');
    expect(withoutPage).toEqual({ operationId: 'createPageLink', status: 409, deviations: [] });
    seen.get('createPageLink')?.add(409);
    for (const { method, path, operation } of operations) {
      const key = 'f'.repeat(32);
      const target = `${method} ${path.replace(/\{\w+\}/, 'x')}`;
      const denied = await exchange(target, undefined, { authorization: `ApiKey ${key}` });
      expect(denied).toEqual({ operationId: operation.operationId, status: 401, deviations: [] });
      seen.get(operation.operationId)?.add(401);
    }
    // The document names no status that does not occur.
    expect(
      Object.fromEntries([...seen].map(([id, statuses]) => [id, [...statuses].map(String).sort()])),
    ).toEqual(
      Object.fromEntries(
        operations.map(({ operation }) => [
          operation.operationId,
          Object.keys(operation.responses).sort(),
        ]),
      ),
    );
  });

  it('describes each member that a response has', async () => {
    ({ ask } = await openSandbox());
    const message = { $ref: '#/components/schemas/Message' };
    const { data } = (await ask('GET /__sandbox/messages')).body;
    expect(validate(message, data[0])).toBe('');
    expect(validate(message, { ...data[0], other: 1 })).toContain('additional properties');
    expect(validate(message, { ...data[0], channel: 'fax' })).toContain('channel');
  });
});
