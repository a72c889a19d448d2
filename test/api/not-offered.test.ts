// Operations that are not in the specification: how the registry and errors mark them.
import { expect, it } from 'vitest';
import {
  operationIds,
  operations,
  record,
  specifiedIds,
} from '../../src/service/operations/index.ts';
import { callClient } from '../support/wire.ts';

const cannot = (line: string) => ({
  status: 404,
  body: { statusCode: 404, message: `Cannot ${line}`, error: 'Not Found' },
});

it('the registry says of each operation whether the specification has it', () => {
  expect(specifiedIds).toHaveLength(23);
  const sources = operationIds.map((id) => [id, record(id).source]);
  const known: readonly string[] = specifiedIds;
  expect(sources).toEqual(
    operationIds.map((id) => [id, known.includes(id) ? 'specification' : 'service']),
  );
});

it('no two operations have the same method and path', () => {
  const lines = operationIds.map((id) => {
    const { method, path } = operations[id];
    return `${method} ${path.replace(/\{\w+\}/g, '{}')}`;
  });
  expect(new Set(lines).size).toBe(lines.length);
});

it('exits with 5 if a server lacks an operation that is not in the specification', async () => {
  const { result } = await callClient('listSubscribers', {}, [cannot('GET /v2/subscribers')]);
  expect(result).toMatchObject({
    exitReason: 'notFound',
    message: 'This server does not offer GET /v2/subscribers.',
    details: { status: 404, notOffered: true },
  });
});

it('still says that the base URL is wrong if a server lacks an operation of the specification', async () => {
  const { result } = await callClient('listTopics', {}, [cannot('GET /v2/topics')]);
  expect(result).toMatchObject({ exitReason: 'local' });
});
