// Runs against a service that limits them: rate limits, requests in progress, and RateLimit-Reset.
import { describe, expect, it } from 'vitest';
import { frozenNow } from '../../support/fixed.ts';
import { printedError } from '../../support/printed-error.ts';
import { idempotencyKeys } from '../../support/requests.ts';
import { openRig, parsed, writeInput } from '../../support/rig.ts';

const people = (count: number) =>
  `subscriberId\n${Array.from({ length: count }, (_unused, index) => `p${index}`).join('\n')}\n`;
const limited = (seconds: number) => ({
  status: 429,
  headers: { 'retry-after': String(seconds) },
  body: { statusCode: 429, message: 'API rate limit exceeded' },
});
const inProgress = (seconds: number) => ({
  status: 409,
  headers: { 'retry-after': String(seconds) },
  body: { statusCode: 409, message: 'Request with key "k" is currently being processed.' },
});
describe('a service that accepts no request', () => {
  it.each([1, 7, 45, 60])(
    'for six minutes stops the run with exit code 7, and the run can be resumed: Retry-After %i',
    async (seconds) => {
      const rig = await openRig();
      const file = writeInput(rig, 'users.csv', people(3));
      rig.answer(...Array(1_000).fill(limited(seconds)));
      const ran = await rig.svc(['subscribers', 'bulk-import', file, '--json']);
      expect(ran.code).toBe(7);
      const summary = parsed(ran.stdout) as { runId: string; seconds: number };
      expect(summary).toMatchObject({
        created: 0,
        failed: 0,
        stopped: {
          reason: 'The service accepted no request for six minutes: API rate limit exceeded',
        },
      });
      expect(summary.seconds).toBeGreaterThanOrEqual(360);
      expect(summary.seconds).toBeLessThan(360 + 5 * seconds + 60);
      expect(printedError(ran.stderr).next).toEqual([`svc runs resume ${summary.runId}`]);
      rig.clearResponses();
      const again = await rig.svc(['runs', 'resume', summary.runId, '--json']);
      expect(again.code).toBe(0);
      expect(parsed(again.stdout)).toMatchObject({ rows: 3, created: 3, stopped: null });
    },
  );

  it('for five minutes loses no row', async () => {
    const rig = await openRig();
    rig.answer(...Array(10).fill(limited(30)));
    const { code, stdout } = await rig.svc(['subscribers', 'bulk-import', '-', '--json'], {
      stdin: people(3),
    });
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject({ created: 3, failed: 0 });
  });

  it('may request a wait of more than six minutes if --max-wait allows it', async () => {
    const rig = await openRig();
    rig.answer(limited(600));
    const line = ['subscribers', 'bulk-import', '-', '--json', '--max-wait', '15m'];
    const { code, stdout } = await rig.svc(line, { stdin: people(3) });
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject({ created: 3, seconds: 600 });
  });
});

describe('a request that is still in progress', () => {
  it('is retried after Retry-After', async () => {
    const rig = await openRig();
    const timeout = Object.assign(new Error('timed out'), { name: 'TimeoutError' });
    rig.answer(timeout, ...Array(8).fill(inProgress(2)));
    const { code, stdout, requests } = await rig.svc(
      ['subscribers', 'bulk-import', '-', '--json'],
      { stdin: people(3) },
    );
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject({ created: 3, failed: 0 });
    expect(new Set(idempotencyKeys(requests)).size).toBe(1);
  });

  it.each([
    ['permanently', Array(1_000).fill(inProgress(1)), 'users.csv'],
    ['for longer than --max-wait', [inProgress(3_600)], 'users.csv'],
    [
      'without Retry-After',
      [
        Object.assign(new Error('timed out'), { name: 'TimeoutError' }),
        ...Array(1_000).fill({ ...inProgress(1), headers: {} }),
      ],
      'users.csv',
    ],
  ])(
    '%s has an unknown outcome: exit code 7, and the run can be resumed',
    async (_name, answers, name) => {
      const rig = await openRig();
      const file = writeInput(rig, name, people(3));
      rig.answer(...answers);
      const ran = await rig.svc(['subscribers', 'bulk-import', file, '--json']);
      expect(ran.code).toBe(7);
      const { runId, stopped } = parsed(ran.stdout) as { runId: string; stopped: object };
      expect(stopped).toMatchObject({ reason: expect.stringMatching(/^Outcome unknown: /) });
      expect(printedError(ran.stderr).next).toEqual([`svc runs resume ${runId}`]);
      rig.clearResponses();
      const again = await rig.svc(['runs', 'resume', runId, '--json']);
      expect(parsed(again.stdout)).toMatchObject({ rows: 3, created: 3 });
      const [key] = idempotencyKeys(again.requests);
      expect(ran.requests[0]?.headers['idempotency-key']).toBe(key);
    },
  );
});

describe('RateLimit-Reset', () => {
  const created = (first: number, count: number, reset: string) => ({
    status: 201,
    headers: { 'ratelimit-remaining': '0', 'ratelimit-reset': reset },
    body: {
      created: Array.from({ length: count }, (_unused, at) => ({ subscriberId: `p${first + at}` })),
      updated: [],
      failed: [],
    },
  });

  it.each<[string, string, number]>([
    ['seconds', '20', 20],
    ['seconds since 1970', String(frozenNow / 1_000 + 20), 20],
    ['milliseconds since 1970', String(frozenNow + 20_000), 20],
    ['seconds beyond --max-wait', '3600', 60],
    ['a date beyond --max-wait', String(frozenNow / 1_000 + 3_600), 60],
    ['a date in the past', String(frozenNow / 1_000 - 20), 0],
    ['more than a day', '99999999', 0],
    ['infinity', 'Infinity', 0],
    ['a negative number', '-5', 0],
    ['a huge number', '1e300', 0],
    ['text instead of a number', 'soon', 0],
  ])('as %s (%s) delays the next request by %i s', async (_name, reset, seconds) => {
    const rig = await openRig();
    rig.answer(created(0, 500, reset));
    const { code, stdout } = await rig.svc(
      ['subscribers', 'bulk-import', '-', '--json', '--concurrency', '1'],
      { stdin: people(600) },
    );
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject({ created: 600, seconds });
  });
});
