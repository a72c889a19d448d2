// What is sent again and what is not, counted where it arrives: methods, statuses, the budget.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import {
  against,
  credentials,
  type FailedResponse,
  fail,
  keysOf,
  rename,
  trigger,
} from '../support/fail-responses.ts';
import { activityOf } from '../support/late-jobs.ts';
import { json, nothing, openService } from '../support/service.ts';

describe('a request that failed in passing', () => {
  it.each<[string, string[], boolean]>([
    ['GET', ['topics', 'list'], false],
    ['PUT', ['integrations', 'update', '6'.repeat(24), '--name', 'N'], false],
    ['DELETE', credentials, false],
    ['POST', trigger, true],
    ['PATCH', rename, true],
  ])('%s is sent again, the same bytes with the same key or none', async (method, line, keyed) => {
    const ended = await against(line, [503, 'reset', method === 'DELETE' ? 500 : 'half']);
    expect(ended.code, ended.stderr).toBe(0);
    const seen = ended.seen.filter((one) => one.method === method);
    expect(seen).toHaveLength(4);
    expect(new Set(seen.map(({ target, body }) => target + body)).size).toBe(1);
    const keys = keysOf({ seen });
    expect(keys).toEqual(Array(4).fill(keys[0]));
    expect(keys[0] !== undefined).toBe(keyed);
  });

  it('is sent once more for each of --retries, and its last answer is told', async () => {
    const ended = await Promise.all(
      ['0', '2'].map((times) =>
        against([...rename, '--retries', times], Array<FailedResponse>(9).fill(500)),
      ),
    );
    expect(ended.map(({ code, seen }) => [code, seen.length])).toEqual([
      [7, 1],
      [7, 3],
    ]);
    for (const { stderr } of ended) expect(stderr).toContain('by the test');
  });
});

describe('a refusal', () => {
  it.each<[number, number]>([
    [400, 6],
    [401, 4],
    [402, 6],
    [403, 4],
    [404, 5],
    [409, 6],
    [413, 6],
    [422, 6],
  ])('%i is sent once and ends with %i', async (status, code) => {
    const lines = [['activity', 'list'], credentials, trigger];
    const ended = await Promise.all(lines.map((line) => against(line, [status, status])));
    expect(ended.map(({ seen, ...end }) => [end.code, seen.length])).toEqual(
      lines.map(() => [code, 1]),
    );
  });
});

describe('the budget of retries', () => {
  /** A listing of so many pages, each of which fails once before it comes. */
  async function stumbling(pages: number, fate: FailedResponse) {
    const service = await openService((_seen, response, number) => {
      if (number % 2 === 1) return fail(response, fate);
      const next = number / 2 < pages ? `c${number}` : null;
      json(response, 200, { data: [{ _id: `t${number}` }], next, previous: null });
    });
    const ended = await openHome().svc(['topics', 'list', '--all', '-o', 'ndjson'], service);
    return {
      code: ended.code,
      shown: ended.stdout.split('\n').length - 1,
      requests: service.seen.length,
    };
  }

  it('has ten retries, then one for ten requests; being told to come later costs nothing', async () => {
    const [failing, told] = await Promise.all([
      stumbling(20, 503),
      stumbling(14, [429, { 'retry-after': '0' }]),
    ]);
    // One of the twelve retries that the twelve pages needed was missing: ten, and one for ten pages.
    expect(failing).toEqual({ code: 7, shown: 11, requests: 23 });
    expect(told).toEqual({ code: 0, shown: 14, requests: 28 });
  });

  it('bounds what an import sends to a service that is down', async () => {
    const home = openHome();
    const rows = Array.from({ length: 20_000 }, (_unused, index) => `p${index}`);
    writeFileSync(path.join(home.folder, 'users.csv'), `subscriberId\n${rows.join('\n')}\n`);
    const { env, seen } = await openService((_seen, response) => fail(response, 500));
    const { code, stdout } = await home.svc(
      ['subscribers', 'bulk-import', 'users.csv', '--json', '--concurrency', '2'],
      { env },
    );
    expect(code).toBe(7);
    expect(JSON.parse(stdout)).toMatchObject({ created: 0, stopped: { reason: 'by the test' } });
    expect(seen.length).toBeLessThanOrEqual(20);
  });
});

describe('a delete whose first answer was lost', () => {
  const integration = ['integrations', 'delete', '6'.repeat(24), '--yes'];

  it('is done when the thing is gone by then', async () => {
    const ended = await Promise.all([
      against([...credentials, '--json'], [500, 404]),
      against([...credentials, '--json'], ['reset', 404]),
      against([...integration, '--json'], [503, 404]),
    ]);
    expect(ended.map(({ code, stdout, seen }) => [code, JSON.parse(stdout), seen.length])).toEqual([
      [0, { deleted: true, subscriberId: 'u1', providerId: 'slack' }, 2],
      [0, { deleted: true, subscriberId: 'u1', providerId: 'slack' }, 2],
      [0, { deleted: true, id: '6'.repeat(24), remaining: [] }, 2],
    ]);
  });

  it('has not been there when it was only told to come later before', async () => {
    const later: FailedResponse = [429, { 'retry-after': '0' }];
    const ended = await Promise.all([
      against(credentials, [later, 404]),
      against(integration, [404]),
    ]);
    expect(ended.map(({ code }) => code)).toEqual([5, 5]);
  });
});

describe('a cancel whose first answer was lost', () => {
  const later: FailedResponse = [429, { 'retry-after': '0' }];
  const value = (cancelled: boolean): FailedResponse => [200, {}, cancelled];
  const more = ['--yes', '--json', '--wait-timeout', '0'];
  const line = ['events', 'cancel', 't1', ...more];
  const shown = (status: string): FailedResponse => [
    200,
    {},
    { data: [activityOf('t1', [status])], page: 0, pageSize: 50, hasMore: false },
  ];

  it.each<[string, FailedResponse[], boolean | null]>([
    ['unknown while the activity shows nothing', [500, value(false)], null],
    ['unknown after a broken connection too', ['reset', value(false)], null],
    [
      'cancelled when the activity shows canceled jobs',
      [500, value(false), shown('canceled')],
      true,
    ],
    ['not pending when it shows that all jobs ran', [500, value(false), shown('completed')], false],
    ['cancelled when something was still waiting', [503, value(true)], true],
    ['not pending after a 429 and finished jobs', [later, value(false), shown('canceled')], false],
    ['not pending when only the jobs are finished', [value(false), shown('completed')], false],
  ])('is %s', async (_what, fates, cancelled) => {
    const [named, list, again] = await Promise.all([
      against(line, fates),
      against(['events', 'cancel', '-', ...more], fates, 't1\n'),
      // Given up by the client, taken up again by the run.
      against(['events', 'cancel', '-', ...more, '--retries', '0'], fates, 't1\n'),
    ]);
    const state = cancelled === null ? 'unknown' : cancelled ? 'cancelled' : 'notPending';
    const code = cancelled === null ? 6 : 0;
    expect({ code: named.code, value: JSON.parse(named.stdout) }).toEqual({
      code,
      value: [{ transactionId: 't1', cancelled, state }],
    });
    const counts = { unknown: 0, cancelled: 0, notPending: 0, [state]: 1 };
    for (const { stdout } of [list, again]) expect(JSON.parse(stdout)).toMatchObject(counts);
    expect([list.code, again.code]).toEqual([code, code]);
  });

  it('is unknown too when a run was killed in between', async () => {
    const home = openHome();
    writeFileSync(path.join(home.folder, 'ids.txt'), 't1\n');
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const { env, seen } = await openService((one, response, number) => {
      if (number === 1) return arrived();
      if (one.method === 'GET') return nothing(one, response, number);
      json(response, 200, false);
    });
    const spooled = ['events', 'cancel', '-', '--spool', '--yes', '--wait-timeout', '0'];
    const run = home.start(spooled, {
      env: { ...home.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    run.process.stdin?.end('t1\n');
    await arrival;
    run.process.kill('SIGKILL');
    await run.ended;
    const [{ runId }] = JSON.parse((await home.svc(['runs', 'list', '--json'])).stdout);
    const { stdout } = await home.svc(['runs', 'resume', runId, '--yes', '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({ unknown: 1, notPending: 0 });
    expect(seen.map(({ method }) => method)).toEqual(['DELETE', 'DELETE', 'GET']);
  });
});
