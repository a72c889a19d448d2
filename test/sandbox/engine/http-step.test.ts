// Steps that send a request: what they record, and whether the run continues.
import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { inbox, openEngine, triggerTestWorkflow } from './engine-fixture.ts';

async function run(response: string, controls: object = {}) {
  const server = createServer((_, answer) => answer.end(response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const url = `http://127.0.0.1:${port}/`;
  const engine = await openEngine({ service: '3.19' });
  const step = {
    name: 'Call',
    type: 'http_request',
    controls: { method: 'GET', url, ...controls },
  };
  engine.defineWorkflow({ steps: [step as never, inbox] });
  const results = await triggerTestWorkflow(engine, 'u1', {});
  expect(results).toMatchObject([{ status: 'processed' }]);
  await engine.advance(1);
  const { statuses, item } = await engine.getActivity('a');
  const { detail, status, raw } = item.jobs[0].executionDetails.at(-1);
  return { statuses, last: `${status}: ${detail}`, raw };
}

const failed = ['failed', 'canceled'];
const actionFailed = 'Failed: Action step execution failed';
const invalid = 'Failed: Response body schema validation failed';

it.each([
  ['{"ü":1}', {}, ['completed', 'completed'], 'Success: Step processed', '"body":{"ü":1}'],
  [
    '{}',
    { skip: { nope: [1] } },
    failed,
    actionFailed,
    '{"error":"Failed to evaluate rule: Unrecognized operation nope"}',
  ],
  [
    '{}',
    { skip: { '==': [1, 2] } },
    ['canceled', 'completed'],
    'Failed: Bridge execution skipped',
    '{"skip":true}',
  ],
  ['{}', { url: 'ftp://a' }, failed, actionFailed, 'URL scheme'],
  [
    '{"n":5,"m":5}',
    schema({ properties: { n: { type: 'string' }, m: { type: 'string' } } }),
    failed,
    invalid,
    '{"errors":[{"path":"/n","message":"must be string"}],"responseBody":{"n":5,"m":5}}',
  ],
  [
    '{}',
    schema({ type: 'nonsense' }),
    failed,
    invalid,
    '{"errors":[{"path":"","message":"type must be',
  ],
])('the response %s to a step with %j', async (response, controls, statuses, last, raw) => {
  const result = await run(response, controls);
  expect(result).toMatchObject({ statuses, last });
  expect(result.raw).toContain(raw);
});

function schema(responseBodySchema: object) {
  return { responseBodySchema, enforceSchemaValidation: true };
}

it('keeps the beginning of a long response', async () => {
  const { last, raw } = await run(JSON.stringify({ text: 'é'.repeat(20_000) }));
  expect(last).toBe('Success: Step processed');
  expect(raw).toHaveLength(10_240);
  expect(raw).toMatch(/^\{"statusCode":200.*é\.\.\. \[truncated\]$/);
});
