// The requests and results of the client for every operation of the specification. Both are made from
// support/specification.ts, not from the records of the operations.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { OperationSchemas } from '../src/service/operation.ts';
import { record, specifiedIds } from '../src/service/operations/index.ts';
import { operations, values } from './support/specification.ts';
import { callClient } from './support/wire.ts';
import { type Extent, membersOf, sample, typesIn, variants } from './support/wire-shapes.ts';

type Id = keyof typeof operations;
const ids = Object.keys(operations) as Id[];
const form = /^(\w+) ([^ ?]+)(?:\?(\w+))?(?: ([A-Z]\w+))? (\d+)(?: (\S+))?$/;

function specified(id: Id) {
  const [, method = '', path = '', query, body, status, returns] = form.exec(operations[id]) ?? [];
  return { method, path, query, body, status: Number(status), returns };
}

const odd = ' a/b?c#d%e:é';
const encodedOdd = '%20a%2Fb%3Fc%23d%25e%3A%C3%A9';

/** The path parameters, query and body of a call. */
function inputOf(id: Id, extent: Extent = 'all') {
  const { path, query, body } = specified(id);
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return {
    ...(names.length > 0 && { path: Object.fromEntries(names.map((name) => [name, name + odd])) }),
    ...(query !== undefined && { query: sample(query, extent) as Record<string, unknown> }),
    ...(body !== undefined && { body: sample(body, extent) }),
  };
}

/** The request that the operation must send. Parameters with several values are repeated. */
function expectedRequest(id: Id, extent: Extent = 'all') {
  const { method, path } = specified(id);
  const { query = {}, body } = inputOf(id, extent);
  const url = new URL(`https://service.test${path.replace(/\{(\w+)\}/g, `$1${encodedOdd}`)}`);
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) url.searchParams.append(name, String(each));
  }
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    authorization: 'ApiKey test-key',
    'user-agent': 'svc/test',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(['POST', 'PATCH'].includes(method) && { 'idempotency-key': 'key-1' }),
  };
  return { method, url, headers, body: body === undefined ? undefined : JSON.stringify(body) };
}

/** The response has its own member `data`, which is not an envelope. */
const hasDataField = (returns: string) =>
  returns in values || /\W/.test(returns) || returns === 'boolean'
    ? false
    : membersOf(returns).some(({ name, type }) => name === 'data' && type.endsWith('[]'));

/** Sending the body twice has the effect of sending it once. */
const repeatable: Id[] = [
  'setSubscriberCredentials',
  'bulkCreateSubscribers',
  'updateSubscriberPreferences',
  'markInboxNotifications',
  'subscribeToTopic',
  'renameTopic',
];

/** The lists of values in the JSON Schema. */
function listsOf(schema: z.ZodType): string[][] {
  const lists: string[][] = [];
  z.toJSONSchema(schema, {
    ...{ unrepresentable: 'any', io: 'input' },
    override: ({ jsonSchema }) => {
      lists.push([...(jsonSchema.enum ?? []), jsonSchema.const].map(String));
    },
  });
  return lists;
}

it('covers the operations that are said to be in the specification', () => {
  expect(ids).toEqual([...specifiedIds]);
});

describe.each(ids)('%s', (id) => {
  const { status, returns } = specified(id);
  const bodyOf = (extent: Extent) => (returns === undefined ? undefined : sample(returns, extent));

  it.each<Extent>(['all', 'required', 'null'])('sends and returns %s members', async (extent) => {
    const body = bodyOf(extent);
    const plain = await callClient(id, inputOf(id, extent), [{ status, body }]);
    expect(plain).toEqual({ sent: [expectedRequest(id, extent)], result: body });
    if (returns === undefined) return;
    if (hasDataField(returns)) {
      const short = await callClient(id, inputOf(id, extent), [{ status, body: { data: [] } }]);
      expect(short.result).toEqual({ data: [] });
      return;
    }
    const wrapped = await callClient(id, inputOf(id, extent), [{ status, body: { data: body } }]);
    expect(wrapped.result).toEqual(body);
  });

  it('sends the same bytes and key again after a failure, or a new key if that is safe', async () => {
    const request = expectedRequest(id);
    const responses = (headers = {}) => [
      { status: 503, headers },
      { status, body: bodyOf('all') },
    ];
    expect((await callClient(id, inputOf(id), responses())).sent).toEqual([request, request]);
    if (!('idempotency-key' in request.headers)) return;
    const stored = await callClient(id, inputOf(id), responses({ 'idempotency-replay': 'true' }));
    const again = { ...request.headers, 'idempotency-key': expect.stringMatching(/^(?!key-1$)/) };
    expect(stored.sent).toEqual(
      repeatable.includes(id) ? [request, { ...request, headers: again }] : [request],
    );
  });

  /** The types of query, body and response with the schemas that the client has for them. */
  const parts = async (): Promise<[type: string, schema: z.ZodType | undefined][]> => {
    const schemas: OperationSchemas = await record(id).schemas();
    const { query, body } = specified(id);
    const all: [string | undefined, z.ZodType | undefined][] = [
      [query, schemas.query],
      [body, schemas.body],
      [returns, schemas.response],
    ];
    return all.filter((part): part is [string, z.ZodType] => part[0] !== undefined);
  };

  it('accepts what the specification allows, and nothing of another type', async () => {
    const wrong: string[] = [];
    for (const [type, schema] of await parts()) {
      for (const extent of ['all', 'required', 'null'] as const) {
        const value = sample(type, extent);
        expect([type, schema?.safeParse(value)]).toMatchObject([type, { success: true }]);
        if (type === returns) expect(schema?.parse(value)).toEqual(value);
      }
      for (const { path, value, isAllowed } of variants(type)) {
        if (schema?.safeParse(value).success !== isAllowed) wrong.push(path);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('names every value that the specification lists', async () => {
    for (const [type, schema] of await parts()) {
      const lists = schema === undefined ? [] : listsOf(schema);
      for (const name of typesIn(type)) {
        const named = values[name]?.split(' ') ?? [];
        const known = lists.filter((list) => named.every((value) => list.includes(value)));
        if (named.length > 0) expect([name, known.length]).not.toEqual([name, 0]);
      }
    }
  });
});
