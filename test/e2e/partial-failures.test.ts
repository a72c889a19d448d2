// Failures of single items inside a 200 or 201, and failures of whole commands as programs read them.
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { against, type FailedResponse } from '../support/fail-responses.ts';
import { json, openService } from '../support/service.ts';

const topic = { _id: 't', key: 'a' };
const ids = ['one', 'two', 'three'];

/** An answer in which the items of these names failed, all others went through. */
const answers = {
  import: (bad: string[]) => ({
    created: ids.filter((id) => !bad.includes(id)).map((subscriberId) => ({ subscriberId })),
    updated: [],
    failed: bad.map((subscriberId) => ({ subscriberId, message: 'no room' })),
  }),
  subscribe: (bad: string[]) => ({
    data: ids
      .filter((id) => !bad.includes(id))
      .map((subscriberId) => ({ _id: subscriberId, topic, subscriber: { subscriberId } })),
    meta: { totalCount: 3, successful: 3 - bad.length, failed: bad.length },
    errors: bad.map((subscriberId) => ({
      subscriberId,
      code: 'SUBSCRIBER_NOT_FOUND',
      message: 'no room',
    })),
  }),
  trigger: (bad: string[]) =>
    ids.map((id) => ({
      acknowledged: true,
      ...(bad.includes(id) ? { status: 'error', error: ['no room'] } : { status: 'processed' }),
    })),
  mark: (bad: string[]) => ids.filter((id) => !bad.includes(id)).map((_id) => ({ _id })),
};

const rows = ids.map((subscriberId) => JSON.stringify({ subscriberId })).join('\n');
const events = ids.map((to) => JSON.stringify({ name: 'w', to: { subscriberId: to } })).join('\n');

/** What is typed, what standard input has, and which answer it gets. */
const batches: [string, string | undefined, keyof typeof answers][] = [
  ['subscribers bulk-import - --format ndjson', rows, 'import'],
  ['topics subscribe a one two three', undefined, 'subscribe'],
  ['topics subscribe a --file -', ids.join('\n'), 'subscribe'],
  ['events trigger --file - --yes', events, 'trigger'],
  ['inbox mark u1 read one two three', undefined, 'mark'],
  ['inbox mark u1 read -', ids.join('\n'), 'mark'],
];

async function run(line: string, stdin: string | undefined, answer: unknown) {
  const { env } = await openService(({ method }, response) => {
    if (method === 'GET') json(response, 200, topic);
    else json(response, 201, answer);
  });
  return openHome().svc([...line.split(' '), '--json'], {
    env,
    ...(stdin === undefined ? {} : { stdin }),
  });
}

describe('items that failed inside a 200 or 201', () => {
  it.each(batches)(
    'of `svc %s` end it with 3, all of them with 6, none with 0',
    async (line, stdin, name) => {
      const ended = await Promise.all(
        [[], ['two'], ids].map((bad) => run(line, stdin, answers[name](bad))),
      );
      expect(ended.map(({ code }) => code)).toEqual([0, 3, 6]);
      for (const { stdout } of ended) expect(() => JSON.parse(stdout)).not.toThrow();
    },
  );

  it('are counted and named: of a run in its summary and rejects', async () => {
    const ended = await run(batches[0]?.[0] ?? '', rows, answers.import(['two']));
    expect(JSON.parse(ended.stdout)).toMatchObject({
      rows: 3,
      created: 2,
      failed: 1,
      stopped: null,
    });
    const [fewer, none] = await Promise.all([
      run(batches[0]?.[0] ?? '', rows, {
        created: [{ subscriberId: 'one' }],
        updated: [],
        failed: [],
      }),
      run(batches[3]?.[0] ?? '', events, []),
    ]);
    expect([fewer?.code, none?.code]).toEqual([3, 6]);
    expect(JSON.parse(fewer?.stdout ?? '')).toMatchObject({ created: 1, unknown: 2 });
    expect(JSON.parse(none?.stdout ?? '')).toMatchObject({ triggered: 0, unknown: 3 });
  });

  it.each([
    [
      'one event',
      'events trigger w --to u1',
      [{ acknowledged: true, status: 'trigger_not_active' }],
    ],
    [
      'an event of an unknown status',
      'events trigger w --to u1',
      [{ acknowledged: true, status: 'constructor' }],
    ],
    ['one subscriber', 'subscribers create one', answers.import(['one'])],
  ])('are all there is of %s: 6', async (_what, line, answer) => {
    expect((await run(line, undefined, answer)).code).toBe(6);
  });
});

describe('a failure with --json', () => {
  const html: FailedResponse = [200, { 'content-type': 'text/html' }, '<!doctype html>'];
  const failures: [string, FailedResponse[], number][] = [
    ['a refused key', [401], 4],
    ['something missing', [404], 5],
    ['a refusal', [422], 6],
    ['a service that is down', [500, 500], 7],
    ['a broken connection', ['reset', 'reset'], 7],
    ['half an answer', ['half', 'half'], 7],
    ['a page', [html, html], 7],
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

  it.each(failures)(
    'by %s is one object on standard error and nothing on standard output',
    async (what, fates, code) => {
      const ended = await Promise.all(
        lines.map((line) => against([...line, '--json', '--retries', '1'], fates)),
      );
      for (const [index, one] of ended.entries()) {
        const line = lines[index] ?? [];
        // There the path was typed too, and is what does not exist.
        const isTyped = line[0] === 'api' && what === 'a wrong address';
        expectOneObject(one, isTyped ? 5 : code, line);
      }
    },
  );

  it('before anything is sent too, in every way to ask for JSON', async () => {
    const env = { SVC_BASE_URL: 'http://127.0.0.1:9', SVC_API_KEY: '' };
    const ended = await Promise.all([
      against(['topics', 'list', '--limit', 'x', '--json'], []),
      against(['topics', 'rename', 'a', '-o', 'ndjson'], []),
      against(['integrations', 'delete', '6'.repeat(24), '--output=json'], []),
      against(['nonsense', '--json'], []),
      openHome().svc(['topics', 'list', '--jq', '.'], { env }),
      openHome().svc(['topics', 'list'], { env: { ...env, SVC_OUTPUT: 'json' } }),
    ]);
    for (const [index, one] of ended.entries()) expectOneObject(one, index < 4 ? 2 : 4, index);
  });

  it('of a run stands behind its summary', async () => {
    const line = 'subscribers bulk-import - --format ndjson --json --retries 0'.split(' ');
    const ended = await against(line, [403], rows);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      created: 0,
      stopped: { reason: 'by the test' },
    });
    expectOneObject({ ...ended, stdout: '' }, 4, line);
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
  const { error } = JSON.parse(stderr) as { error: Record<string, unknown> };
  expect(Object.keys(error)).toEqual(
    'code name message status path hint next details requestId'.split(' '),
  );
  expect({ line, code: error.code }).toEqual({ line, code: expected });
}
