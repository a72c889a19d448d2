// Which requests are retried, by method and status, and the retry budget. A server counts the requests.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  against,
  credentials,
  type FailedResponse,
  fail,
  rename,
  trigger,
} from '../support/fail-responses.ts';
import { readActivity } from '../support/late-jobs.ts';
import { openNetworkRig } from '../support/network-rig.ts';
import { idempotencyKeys } from '../support/requests.ts';
import { json, openService } from '../support/service.ts';

describe('a request that failed temporarily', () => {
  it.each<[string, string[], boolean]>([
    ['GET', ['topics', 'list'], false],
    ['PUT', ['integrations', 'update', '6'.repeat(24), '--name', 'N'], false],
    ['DELETE', credentials, false],
    ['POST', trigger, true],
    ['PATCH', rename, true],
  ])(
    'is retried with the same bytes and the same idempotency key, if any: %s',
    async (method, line, hasKey) => {
      const result = await against(line, [503, 'reset', method === 'DELETE' ? 500 : 'half']);
      expect(result.code, result.stderr).toBe(0);
      const seen = result.seen.filter((request) => request.method === method);
      expect(seen).toHaveLength(4);
      expect(new Set(seen.map(({ target, body }) => target + body)).size).toBe(1);
      const keys = idempotencyKeys(seen);
      expect(keys).toEqual(Array(4).fill(keys[0]));
      expect(keys[0] !== undefined).toBe(hasKey);
    },
  );

  it('is retried as often as --retries allows, and the last response is reported', async () => {
    const results = await Promise.all(
      ['0', '2'].map((times) =>
        against([...rename, '--retries', times], Array<FailedResponse>(9).fill(500)),
      ),
    );
    expect(results.map(({ code, seen }) => [code, seen.length])).toEqual([
      [7, 1],
      [7, 3],
    ]);
    for (const { stderr } of results) expect(stderr).toContain('by the test');
  });
});

describe('an error response that is not temporary', () => {
  it.each<[number, number]>([
    [400, 6],
    [401, 4],
    [402, 6],
    [403, 4],
    [404, 5],
    [409, 6],
    [413, 6],
    [422, 6],
  ])('(status %i) is not retried, and the command exits with %i', async (status, code) => {
    const lines = [['activity', 'list'], credentials, trigger];
    const results = await Promise.all(lines.map((line) => against(line, [status, status])));
    expect(results.map(({ code: actual, seen }) => [actual, seen.length])).toEqual(
      lines.map(() => [code, 1]),
    );
  });
});

describe('the retry budget', () => {
  /** Runs a listing with this number of pages. The first request for each page fails. */
  async function listWithFailures(pages: number, failure: FailedResponse) {
    const service = await openService((_seen, response, number) => {
      if (number % 2 === 1) return fail(response, failure);
      const next = number / 2 < pages ? `c${number}` : null;
      json(response, 200, { data: [{ _id: `t${number}` }], next, previous: null });
    });
    const result = await openNetworkRig().svc(['topics', 'list', '--all', '-o', 'ndjson'], {
      env: service.env,
    });
    return {
      code: result.code,
      shown: result.stdout.split('\n').length - 1,
      requests: service.seen.length,
    };
  }

  it('is ten retries and one more per ten requests; a retry after 429 is free', async () => {
    const [unavailable, rateLimited] = await Promise.all([
      listWithFailures(20, 503),
      listWithFailures(14, [429, { 'retry-after': '0' }]),
    ]);
    // The budget is ten retries and one more after ten pages, so the retry for the twelfth page is not possible.
    expect(unavailable).toEqual({ code: 7, shown: 11, requests: 23 });
    expect(rateLimited).toEqual({ code: 0, shown: 14, requests: 28 });
  });

  it('limits the requests of an import to a failing service', async () => {
    const rig = openNetworkRig();
    const rows = Array.from({ length: 20_000 }, (_unused, index) => `p${index}`);
    writeFileSync(path.join(rig.folder, 'users.csv'), `subscriberId\n${rows.join('\n')}\n`);
    const { env, seen } = await openService((_seen, response) => fail(response, 500));
    const { code, stdout } = await rig.svc(
      ['subscribers', 'bulk-import', 'users.csv', '--json', '--concurrency', '2'],
      { env },
    );
    expect(code).toBe(7);
    expect(JSON.parse(stdout)).toMatchObject({ created: 0, stopped: { reason: 'by the test' } });
    expect(seen.length).toBeLessThanOrEqual(20);
  });
});

describe('a delete whose first response was lost', () => {
  const integration = ['integrations', 'delete', '6'.repeat(24), '--yes'];

  it('succeeds if the service answers the retry with 404', async () => {
    const own = {
      statusCode: 404,
      timestamp: '2026-01-15T12:00:00.000Z',
      path: '/',
      message: 'no',
    };
    const gone: FailedResponse = [404, {}, own];
    const results = await Promise.all([
      against([...credentials, '--json'], [500, gone]),
      against([...credentials, '--json'], ['reset', gone]),
      against([...integration, '--json'], [503, gone]),
    ]);
    expect(
      results.map(({ code, stdout, seen }) => [code, JSON.parse(stdout), seen.length]),
    ).toEqual([
      [0, { deleted: true, subscriberId: 'u1', providerId: 'slack' }, 2],
      [0, { deleted: true, subscriberId: 'u1', providerId: 'slack' }, 2],
      [0, { deleted: true, id: '6'.repeat(24), remaining: [] }, 2],
    ]);
  });

  it('fails if a gateway answers the retry with 404', async () => {
    const results = await Promise.all([
      against(credentials, [500, 404]),
      against(integration, ['reset', [404, {}, 'default backend - 404']]),
    ]);
    expect(results.map(({ code }) => code)).toEqual([7, 7]);
    for (const { stderr } of results) expect(stderr).toContain('not in the format of the service');
  });

  it('exits with 5 if it gets 404 on the first attempt or after a 429', async () => {
    const rateLimited: FailedResponse = [429, { 'retry-after': '0' }];
    const results = await Promise.all([
      against(credentials, [rateLimited, 404]),
      against(integration, [404]),
    ]);
    expect(results.map(({ code }) => code)).toEqual([5, 5]);
  });
});

describe('the state of a cancel after retries', () => {
  const rateLimited: FailedResponse = [429, { 'retry-after': '0' }];
  const cancelResponse = (cancelled: boolean): FailedResponse => [200, {}, cancelled];
  const options = ['--yes', '--json', '--wait-timeout', '0'];
  const line = ['events', 'cancel', 't1', ...options];
  const activityWith = (status: string): FailedResponse => [
    200,
    {},
    { data: [readActivity('t1', [status])], page: 0, pageSize: 50, hasMore: false },
  ];

  it.each<[string, FailedResponse[], boolean | null]>([
    ['unknown if the activity has no jobs', [500, cancelResponse(false)], null],
    [
      'unknown after a broken connection if the activity has no jobs',
      ['reset', cancelResponse(false)],
      null,
    ],
    [
      'cancelled if the activity has canceled jobs',
      [500, cancelResponse(false), activityWith('canceled')],
      true,
    ],
    [
      'notPending if all jobs of the activity have completed',
      [500, cancelResponse(false), activityWith('completed')],
      false,
    ],
    ['cancelled if the retry cancelled jobs', [503, cancelResponse(true)], true],
    [
      'notPending after a 429 and canceled jobs',
      [rateLimited, cancelResponse(false), activityWith('canceled')],
      false,
    ],
    [
      'notPending without a retry if all jobs have completed',
      [cancelResponse(false), activityWith('completed')],
      false,
    ],
  ])('is %s', async (_what, failures, cancelled) => {
    const [single, run, runWithoutRetries] = await Promise.all([
      against(line, failures),
      against(['events', 'cancel', '-', ...options], failures, 't1\n'),
      // The client stops retrying, but the run sends the row again.
      against(['events', 'cancel', '-', ...options, '--retries', '0'], failures, 't1\n'),
    ]);
    const state = cancelled === null ? 'unknown' : cancelled ? 'cancelled' : 'notPending';
    const code = cancelled === null ? 6 : 0;
    expect({ code: single.code, value: JSON.parse(single.stdout) }).toEqual({
      code,
      value: [{ transactionId: 't1', cancelled, state }],
    });
    const counts = { unknown: 0, cancelled: 0, notPending: 0, [state]: 1 };
    for (const { stdout } of [run, runWithoutRetries])
      expect(JSON.parse(stdout)).toMatchObject(counts);
    expect([run.code, runWithoutRetries.code]).toEqual([code, code]);
  });
});
