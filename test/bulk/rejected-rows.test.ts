// A service that rejects a batch without naming the invalid row.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openNetworkRig } from '../support/network-rig.ts';
import { json, openService } from '../support/service.ts';

const ids = (count: number) => Array.from({ length: count }, (_unused, index) => `p${index}`);
const messageIds = ids(100).map((_id, index) => index.toString(16).padStart(24, '0'));

const kinds: [
  name: string,
  line: string[],
  rows: string[],
  /** Returns the response to a request with valid rows only. */
  respond: (body: string) => unknown,
][] = [
  [
    'an import',
    ['subscribers', 'bulk-import', '-', '--format', 'ndjson'],
    ids(500).map((subscriberId) => JSON.stringify({ subscriberId })),
    (body) => ({
      created: (JSON.parse(body) as { subscribers: object[] }).subscribers,
      updated: [],
      failed: [],
    }),
  ],
  [
    'a list of subscribers',
    ['topics', 'subscribe', 'a', '--file', '-'],
    ids(100),
    (body) => ({
      data: (JSON.parse(body) as { subscriberIds: string[] }).subscriberIds.map((subscriberId) => ({
        subscriber: { subscriberId },
      })),
      meta: {},
    }),
  ],
  [
    'a file of events',
    ['events', 'trigger', '--file', '-', '--yes'],
    ids(100).map((to) => JSON.stringify({ name: 'w', to })),
    (body) =>
      (JSON.parse(body) as { events: object[] }).events.map(() => ({
        acknowledged: true,
        status: 'processed',
      })),
  ],
  [
    'a list of notifications',
    ['inbox', 'mark', 'u1', 'read', '-'],
    messageIds,
    (body) => (JSON.parse(body) as { messageId: string[] }).messageId.map((_id) => ({ _id })),
  ],
];

describe('a row that the service rejects without naming it', () => {
  it.each(kinds)('is the only row of %s that fails', async (_name, line, rows, respond) => {
    for (const [status, at] of [
      [400, 0],
      [422, rows.length - 2],
    ] as const) {
      const invalidId = /p\d+|0{10}\w+/.exec(rows[at] ?? '')?.[0] ?? '';
      const { env, seen } = await openService(({ method, body }, response) => {
        if (method === 'GET') return json(response, 200, { _id: 't', key: 'a' });
        if (!new RegExp(`${invalidId}\\b`).test(body)) return json(response, 201, respond(body));
        json(response, status, { statusCode: status, message: 'one row is invalid' });
      });
      const { code, stdout } = await openNetworkRig().svc([...line, '--json'], {
        env,
        stdin: rows.join('\n'),
      });
      expect(code).toBe(3);
      const summary = JSON.parse(stdout) as { rejects: string };
      expect(summary).toMatchObject({ rows: rows.length, failed: 1, unknown: 0, stopped: null });
      const [rejected = ''] = readFileSync(summary.rejects, 'utf8').trim().split('\n').slice(-1);
      expect(rejected).toContain(invalidId);
      expect(rejected).toContain('one row is invalid');
      const posts = seen.filter(({ method }) => method === 'POST');
      expect(posts.length).toBeLessThanOrEqual(2 + 2 * Math.ceil(Math.log2(rows.length)));
      expect(new Set(posts.map(({ headers }) => headers['idempotency-key'])).size).toBe(
        posts.length,
      );
    }
  });

  it('is searched for with a limited number of requests if the service rejects every row', async () => {
    const { env, seen } = await openService((_seen, response) =>
      json(response, 400, { statusCode: 400, message: 'no' }),
    );
    const { code, stdout } = await openNetworkRig().svc(
      ['subscribers', 'bulk-import', '-', '--format', 'ndjson', '--json'],
      { env, stdin: kinds[0]?.[2].join('\n') ?? '' },
    );
    expect(code).toBe(6);
    expect(JSON.parse(stdout)).toMatchObject({ rows: 500, failed: 500, stopped: null });
    expect(seen).toHaveLength(16);
  });
});
