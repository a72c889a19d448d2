// Bodies of requests: types, charsets, compression, and values that are neither an object nor a list.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readJson, readJsonOrForm } from '../../../src/sandbox/http/request-body.ts';

const limit = 1000;
const read = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  readJsonOrForm(
    new Request('http://localhost/', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : new Blob([new Uint8Array(body)]),
    }),
    limit,
  );

test.each([
  ['"x"', `Unexpected token '"', ""x"" is not valid JSON`],
  [' 5', `Unexpected token '5', " 5" is not valid JSON`],
  ['null', `Unexpected token 'n', "null" is not valid JSON`],
  [' ', 'Unexpected end of JSON input'],
])('%j is rejected: %s', async (body, message) => {
  await expect(read(body)).rejects.toMatchObject({ status: 400, message });
});

test.each([
  ['text/plain', {}],
  ['application/vnd.api+json', {}],
  ['application/json; charset=UTF-8', { a: 1 }],
])('of type %s is read as %j', async (type, expected) => {
  expect(await read('{"a":1}', { 'content-type': type })).toEqual(expected);
});

test('with another charset than UTF-8 is rejected', async () => {
  const headers = { 'content-type': 'application/json; charset=iso-8859-1' };
  const message = 'unsupported charset "ISO-8859-1"';
  await expect(read('{"a":1}', headers)).rejects.toMatchObject({ status: 415, message });
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('compressed with %s is read, up to the limit', async (encoding, compress) => {
  const headers = { 'content-encoding': encoding };
  expect(await read(compress('{"a":"é"}'), headers)).toEqual({ a: 'é' });
  const long = compress(JSON.stringify({ a: 'x'.repeat(limit) }));
  await expect(read(long, headers)).rejects.toMatchObject({ status: 413 });
  await expect(read('{}', headers)).rejects.toMatchObject({ status: 400 });
});

test.each(['zip', 'constructor'])('with the unknown encoding %s is rejected', async (encoding) => {
  await expect(read('{}', { 'content-encoding': encoding })).rejects.toMatchObject({ status: 415 });
});

test.each<[string, object]>([
  ['name=News', { name: 'News' }],
  [
    'to[subscriberId]=u1&to[channels][0][providerId]=fcm&tags[]=a&tags[]=b',
    { to: { subscriberId: 'u1', channels: [{ providerId: 'fcm' }] }, tags: ['a', 'b'] },
  ],
  ['a[__proto__][x]=1&__proto__=2&b=3', { b: '3' }],
])('as a form is read: %s', async (body, expected) => {
  expect(await read(body, { 'content-type': 'application/x-www-form-urlencoded' })).toEqual(
    expected,
  );
});

test('with a byte order mark is read', async () => {
  expect(await read('\ufeff{"a":1}')).toEqual({ a: 1 });
});

test('of a form is not read where only JSON is', async () => {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const request = new Request('http://localhost/', { method: 'POST', headers: type, body: 'a=1' });
  expect(await readJson(request, limit)).toEqual({});
});
