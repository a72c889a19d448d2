// Failures of single items in a 200 or 201 response, and the error output of failed commands with --json.
import { describe, expect, it } from 'vitest';
import { against, type FailedResponse } from '../support/fail-responses.ts';
import { openNetworkRig } from '../support/network-rig.ts';
import { printedError } from '../support/printed-error.ts';
import { json, openService } from '../support/service.ts';

const topic = { _id: 't', key: 'a' };
const ids = ['one', 'two', 'three'];

/** Response bodies in which the items with these ids failed and all others succeeded. */
const responses = {
  import: (failed: string[]) => ({
    created: ids.filter((id) => !failed.includes(id)).map((subscriberId) => ({ subscriberId })),
    updated: [],
    failed: failed.map((subscriberId) => ({ subscriberId, message: 'no room' })),
  }),
  subscribe: (failed: string[]) => ({
    data: ids
      .filter((id) => !failed.includes(id))
      .map((subscriberId) => ({ _id: subscriberId, topic, subscriber: { subscriberId } })),
    meta: { totalCount: 3, successful: 3 - failed.length, failed: failed.length },
    errors: failed.map((subscriberId) => ({
      subscriberId,
      code: 'SUBSCRIBER_NOT_FOUND',
      message: 'no room',
    })),
  }),
  trigger: (failed: string[]) =>
    ids.map((id) => ({
      acknowledged: true,
      ...(failed.includes(id) ? { status: 'error', error: ['no room'] } : { status: 'processed' }),
    })),
  mark: (failed: string[]) => ids.filter((id) => !failed.includes(id)).map((_id) => ({ _id })),
};

const rows = ids.map((subscriberId) => JSON.stringify({ subscriberId })).join('\n');
const events = ids.map((to) => JSON.stringify({ name: 'w', to: { subscriberId: to } })).join('\n');

const batches: [line: string, stdin: string | undefined, response: keyof typeof responses][] = [
  ['subscribers bulk-import - --format ndjson', rows, 'import'],
  ['topics subscribe a one two three', undefined, 'subscribe'],
  ['topics subscribe a --file -', ids.join('\n'), 'subscribe'],
  ['events trigger --file - --yes', events, 'trigger'],
  ['inbox mark u1 read one two three', undefined, 'mark'],
  ['inbox mark u1 read -', ids.join('\n'), 'mark'],
];

async function run(line: string, stdin: string | undefined, body: unknown) {
  const { env } = await openService(({ method }, response) => {
    if (method === 'GET') json(response, 200, topic);
    else json(response, 201, body);
  });
  return openNetworkRig().svc([...line.split(' '), '--json'], {
    env,
    ...(stdin === undefined ? {} : { stdin }),
  });
}

describe('failed items in a 200 or 201 response', () => {
  it.each(batches)(
    'make `svc %s` exit with 3, or with 6 if all items failed',
    async (line, stdin, name) => {
      const results = await Promise.all(
        [[], ['two'], ids].map((failed) => run(line, stdin, responses[name](failed))),
      );
      expect(results.map(({ code }) => code)).toEqual([0, 3, 6]);
      for (const { stdout } of results) expect(() => JSON.parse(stdout)).not.toThrow();
    },
  );

  it('are counted in the summary of a run, and items without a result are unknown', async () => {
    const result = await run(batches[0]?.[0] ?? '', rows, responses.import(['two']));
    expect(JSON.parse(result.stdout)).toMatchObject({
      rows: 3,
      created: 2,
      failed: 1,
      stopped: null,
    });
    const [someMissing, allMissing] = await Promise.all([
      run(batches[0]?.[0] ?? '', rows, {
        created: [{ subscriberId: 'one' }],
        updated: [],
        failed: [],
      }),
      run(batches[3]?.[0] ?? '', events, []),
    ]);
    expect([someMissing?.code, allMissing?.code]).toEqual([3, 6]);
    expect(JSON.parse(someMissing?.stdout ?? '')).toMatchObject({ created: 1, unknown: 2 });
    expect(JSON.parse(allMissing?.stdout ?? '')).toMatchObject({ triggered: 0, unknown: 3 });
  });

  it.each([
    [
      'one event',
      'events trigger w --to u1',
      [{ acknowledged: true, status: 'trigger_not_active' }],
    ],
    [
      'an event with an unknown status',
      'events trigger w --to u1',
      [{ acknowledged: true, status: 'constructor' }],
    ],
    ['one subscriber', 'subscribers create one', responses.import(['one'])],
  ])('make a command exit with 6 if it sends only %s', async (_what, line, body) => {
    expect((await run(line, undefined, body)).code).toBe(6);
  });
});

describe('an error with --json', () => {
  const html: FailedResponse = [200, { 'content-type': 'text/html' }, '<!doctype html>'];
  const causes: [string, FailedResponse[], number][] = [
    ['a rejected key', [401], 4],
    ['a missing resource', [404], 5],
    ['a rejected request', [422], 6],
    ['a failing service', [500, 500], 7],
    ['a broken connection', ['reset', 'reset'], 7],
    ['a truncated response', ['half', 'half'], 7],
    ['a web page', [html, html], 7],
    ['a wrong address', [[404, {}, { message: 'Cannot GET /x' }]], 8],
  ];
  const lines = [
    ['topics', 'list'],
    ['workflows', 'list', '--all'],
    ['api', 'GET', '/v1/environments'],
    ['integrations', 'update', '6'.repeat(24), '--name', 'n'],
    ['subscribers', 'credentials', 'delete', 'u1', 'slack', '--yes'],
    ['events', 'trigger', 'w', '--to', 'u1'],
  ];

  it.each(causes)(
    '(%s) is one object on standard error, and standard output is empty',
    async (what, failures, code) => {
      const results = await Promise.all(
        lines.map((line) => against([...line, '--json', '--retries', '1'], failures)),
      );
      for (const [index, outcome] of results.entries()) {
        const line = lines[index] ?? [];
        // With `svc api` the path is user input, so a 404 means that the path does not exist.
        const isGivenPath = line[0] === 'api' && what === 'a wrong address';
        expectOneObject(outcome, isGivenPath ? 5 : code, line);
      }
    },
  );

  it('that occurs before any request is one object too, for every way to request JSON', async () => {
    const env = { SVC_BASE_URL: 'http://127.0.0.1:9', SVC_API_KEY: '' };
    const results = await Promise.all([
      against(['topics', 'list', '--limit', 'x', '--json'], []),
      against(['topics', 'rename', 'a', '-o', 'ndjson'], []),
      against(['integrations', 'delete', '6'.repeat(24), '--output=json'], []),
      against(['nonsense', '--json'], []),
      openNetworkRig().svc(['topics', 'list', '--jq', '.'], { env }),
      openNetworkRig().svc(['topics', 'list'], { env: { ...env, SVC_OUTPUT: 'json' } }),
    ]);
    for (const [index, outcome] of results.entries())
      expectOneObject(outcome, index < 4 ? 2 : 4, index);
  });

  it('that stops a run is printed after the summary', async () => {
    const line = 'subscribers bulk-import - --format ndjson --json --retries 0'.split(' ');
    const result = await against(line, [403], rows);
    expect(JSON.parse(result.stdout)).toMatchObject({
      created: 0,
      stopped: { reason: 'by the test' },
    });
    expectOneObject({ ...result, stdout: '' }, 4, line);
  });
});

function expectOneObject(
  { code, stdout, stderr }: { code: number | null; stdout: string; stderr: string },
  expected: number,
  line: unknown,
) {
  expect({ line, code, stdout, lines: stderr.split('\n').length }).toEqual({
    line,
    code: expected,
    stdout: '',
    lines: 2,
  });
  const error = printedError(stderr);
  expect(Object.keys(error)).toEqual(
    'code name message status path hint next details requestId'.split(' '),
  );
  expect({ line, code: error.code }).toEqual({ line, code: expected });
}
