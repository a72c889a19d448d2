// Cancellations that the service answered with `false`, round by round.
import { describe, expect, it } from 'vitest';
import { retryCancellations } from '../../src/bulk/operations/retry-cancellations.ts';
import { SvcError } from '../../src/core/errors.ts';
import type { ActivityItem } from '../../src/service/schemas/activity.ts';

type Status = string | { status: string; details: string[] };
/** The jobs of each item of a transaction; undefined if it has no item yet. */
type Items = Status[][] | undefined;

interface Service {
  /** The activity of a transaction in a round, from 1. */
  items?: (id: string, round: number) => Items;
  /** The response to a cancel request; `true` if omitted. */
  cancel?: (id: string, round: number) => unknown;
  /** An error of the listing in a round. */
  fails?: (round: number) => Error | undefined;
  maxWaitMs?: number | ((id: string) => number);
  rejected?: { first: number; last: number; count: number }[];
  /** Rows with a lost response. */
  unknown?: string[];
}

const job = (status: Status, index: number) => {
  const { status: name, details } = typeof status === 'string' ? { status, details: [] } : status;
  return {
    _id: `${index}`,
    status: name,
    executionDetails: details.map((detail) => ({ status: detail })),
  };
};

/** The outcomes by id, the cancel requests by round, the moments of the rounds and the numbers of `onWaiting`. */
async function retry(ids: readonly string[], service: Service) {
  const { items = () => [['delayed']], cancel = () => true, fails, unknown = [] } = service;
  const { maxWaitMs = 10_000, rejected = [] } = service;
  let now = 5_000;
  let round = 0;
  let most = 0;
  let open = 0;
  const outcomes: Record<string, unknown> = {};
  const cancelled: string[] = [];
  const times: number[] = [];
  const waiting: number[] = [];
  const rows = ids.map((id, index) => ({
    ...{ id, number: index + 1 },
    outcome: { state: unknown.includes(id) ? ('unknown' as const) : ('notPending' as const) },
  }));
  const decided = retryCancellations(rows as never, {
    clock: {
      ticks: () => now,
      sleep: async (ms) => {
        now += ms;
      },
    },
    signal: new AbortController().signal,
    maxWaitMs: typeof maxWaitMs === 'number' ? () => maxWaitMs : maxWaitMs,
    rejected,
    async *listActivity(some) {
      round += 1;
      times.push(now - 5_000);
      const error = fails?.(round);
      if (error) throw error;
      // One item on each page.
      for (const transactionId of some)
        for (const statuses of items(transactionId, round) ?? [])
          yield {
            items: [
              { transactionId, ...(statuses[0] === 'none' ? {} : { jobs: statuses.map(job) }) },
            ] as unknown as ActivityItem[],
          };
    },
    async cancel(id) {
      cancelled.push(`${round} ${id}`);
      open += 1;
      most = Math.max(most, open);
      await null;
      open -= 1;
      const response = cancel(id, round);
      if (response instanceof Error) throw response;
      return typeof response === 'object' ? (response as { value: unknown }) : { value: response };
    },
    onWaiting: (count) => waiting.push(count),
  });
  for await (const { row, outcome } of decided) {
    expect(outcomes).not.toHaveProperty(row.id);
    outcomes[row.id] = 'reason' in outcome ? outcome.reason : outcome.state;
  }
  return { outcomes, cancelled, times, waiting, most };
}

const unavailable = () => new SvcError('unavailable', 'The service is down.');

describe('a transaction', () => {
  it.each<[string, Items, string]>([
    ['with an open job is cancelled', [['completed', 'delayed']], 'cancelled'],
    [
      'with an open job in one of its events is cancelled',
      [['delayed'], ['completed']],
      'cancelled',
    ],
    [
      'whose events come in the other order is cancelled',
      [['completed'], ['delayed']],
      'cancelled',
    ],
    ['without jobs yet is cancelled', [[]], 'cancelled'],
    ['whose jobs are not listed is cancelled', [['none']], 'cancelled'],
    ['that is finished is not pending', [['completed', 'failed']], 'notPending'],
    ['that was canceled before is not pending', [['canceled']], 'notPending'],
  ])('%s', async (_name, items, expected) => {
    const { outcomes, times, waiting } = await retry(['a'], { items: () => items });
    expect({ outcomes, times, waiting }).toEqual({
      ...{ outcomes: { a: expected }, times: [0], waiting: [] },
    });
  });

  it.each<[string, Status[][], string]>([
    ['canceled without details', [['completed', 'canceled']], 'cancelled'],
    ['canceled in one of its events', [['canceled'], ['completed']], 'cancelled'],
    [
      'canceled after pending details',
      [[{ status: 'canceled', details: ['Pending'] }]],
      'cancelled',
    ],
    ['completed only', [['completed']], 'notPending'],
    ['canceled because a job failed', [['failed', 'canceled']], 'notPending'],
    ...['Success', 'Failed', 'Warning'].map((detail): [string, Status[][], string] => [
      `canceled with the detail ${detail}`,
      [[{ status: 'canceled', details: ['Pending', detail] }]],
      'notPending',
    ]),
  ])('whose earlier response was lost: %s', async (_name, items, expected) => {
    const lost = { items: () => items, unknown: ['a'] };
    expect((await retry(['a'], lost)).outcomes).toEqual({ a: expected });
    // A response that is lost in the second round counts as well.
    const later = await retry(['a'], {
      items: (_id, round) => (round === 1 ? [['delayed']] : items),
      cancel: () => ({ value: false, maybeApplied: true }),
    });
    expect(later.outcomes).toEqual({ a: expected });
    const known = await retry(['a'], {
      items: (_id, round) => (round === 1 ? [['delayed']] : items),
      cancel: () => false,
    });
    expect(known.outcomes).toEqual({ a: 'notPending' });
  });

  it('whose jobs are part of a digest is not pending if nothing was cancelled', async () => {
    const merged = { items: () => [['completed', 'merged']], cancel: () => false };
    const { outcomes, cancelled } = await retry(['a'], merged);
    expect({ outcomes, cancelled }).toEqual({ outcomes: { a: 'notPending' }, cancelled: ['1 a'] });
    const lost = await retry(['a'], { ...merged, unknown: ['a'], maxWaitMs: 200 });
    expect(lost.outcomes).toEqual({ a: 'some of its jobs had not finished' });
    expect((await retry(['a'], { ...merged, cancel: () => true })).outcomes).toEqual({
      a: 'cancelled',
    });
    const open = await retry(['a'], {
      items: () => [['merged'], ['delayed']],
      cancel: (_id, round) => round === 3,
    });
    expect(open.outcomes).toEqual({ a: 'cancelled' });
  });
});

describe('the rounds', () => {
  it('come after growing pauses, and end with the wait time', async () => {
    const { outcomes, times, waiting } = await retry(['a', 'b'], {
      items: (id) => (id === 'a' ? undefined : [['delayed']]),
      cancel: () => false,
    });
    expect(times).toEqual([0, 250, 750, 1_750, 3_750, 7_750, 10_000]);
    expect(waiting).toEqual([2]);
    expect(outcomes).toEqual({
      a: 'not found in the activity; check the id',
      b: 'some of its jobs had not finished',
    });
  });

  it('end for each transaction with its own wait time', async () => {
    const { outcomes, times } = await retry(['a', 'b'], {
      items: (id, round) => (id === 'b' && round === 3 ? [['delayed']] : undefined),
      maxWaitMs: (id) => (id === 'a' ? 100 : 10_000),
    });
    expect(times).toEqual([0, 100, 600]);
    expect(outcomes).toEqual({ a: 'not found in the activity; check the id', b: 'cancelled' });
  });

  it('cancel 16 at once, and each of them', async () => {
    const ids = Array.from({ length: 33 }, (_unused, index) => `t${index}`);
    const { outcomes, most, cancelled } = await retry(ids, {});
    expect({ most, count: cancelled.length }).toEqual({ most: 16, count: 33 });
    expect(new Set(Object.values(outcomes))).toEqual(new Set(['cancelled']));
  });
});

it('the activity of long ids is read in several requests', async () => {
  const ids = Array.from({ length: 12 }, (_unused, index) => `${index}${'x'.repeat(998)}`);
  const { outcomes, times } = await retry(ids, {});
  expect({ decided: Object.keys(outcomes).length, requests: times.length }).toEqual({
    ...{ decided: 12, requests: 2 },
  });
});

describe('an error', () => {
  it('of the service is tried again, in the listing and in a cancel request', async () => {
    const listing = await retry(['a'], {
      fails: (round) => (round === 1 ? unavailable() : undefined),
    });
    expect(listing).toMatchObject({ outcomes: { a: 'cancelled' }, times: [0, 250], waiting: [1] });
    const request = await retry(['a', 'b'], {
      cancel: (id, round) => (id === 'a' && round === 1 ? unavailable() : true),
    });
    expect(request.outcomes).toEqual({ a: 'cancelled', b: 'cancelled' });
    expect(request.cancelled).toEqual(['1 a', '1 b', '2 a']);
  });

  it('that stays is thrown when the wait time is over, also of one transaction', async () => {
    let rounds = 0;
    const fails = () => {
      rounds += 1;
      return unavailable();
    };
    const maxWaitMs = (id: string) => (id === 'a' ? 100 : 900);
    await expect(retry(['a', 'b'], { fails, maxWaitMs })).rejects.toThrow('The service is down.');
    expect(rounds).toBe(2);
  });

  it.each([new SvcError('auth', 'No.'), new Error('No.')])(
    'of another kind ends the retries: %s',
    async (error) => {
      let requests = 0;
      const fail = () => {
        requests += 1;
        return error;
      };
      await expect(retry(['a'], { fails: fail })).rejects.toThrow('No.');
      await expect(retry(['a'], { cancel: fail })).rejects.toThrow('No.');
      expect(requests).toBe(2);
    },
  );
});

describe('a batch with rejected events', () => {
  const absent = (...ids: string[]) => ({
    items: (id: string) => (ids.includes(id) ? undefined : [['delayed']]),
    maxWaitMs: 100,
  });
  const ids = ['a', 'b', 'c', 'd'];
  const unfound = 'not found in the activity; check the id';

  it('has no pending jobs for as many transactions as were rejected', async () => {
    const rejected = [{ first: 2, last: 3, count: 2 }];
    expect((await retry(ids, { ...absent('a', 'b', 'c', 'd'), rejected })).outcomes).toEqual({
      ...{ a: unfound, b: 'notPending', c: 'notPending', d: unfound },
    });
  });

  it('says nothing about more missing transactions, or about those that are found', async () => {
    const rejected = [{ first: 1, last: 3, count: 1 }];
    expect((await retry(ids, { ...absent('a', 'b'), rejected })).outcomes).toEqual({
      ...{ a: unfound, b: unfound, c: 'cancelled', d: 'cancelled' },
    });
    expect((await retry(ids, { ...absent('c'), rejected, cancel: () => false })).outcomes).toEqual({
      ...{ a: 'some of its jobs had not finished', b: 'some of its jobs had not finished' },
      ...{ c: 'notPending', d: 'some of its jobs had not finished' },
    });
  });

  it('says nothing while the activity cannot be read', async () => {
    const { outcomes } = await retry(['a'], {
      fails: (round) => (round === 1 ? unavailable() : undefined),
      rejected: [{ first: 1, last: 2, count: 1 }],
    });
    expect(outcomes).toEqual({ a: 'cancelled' });
  });

  it('says nothing while the activity of its other transactions cannot be read', async () => {
    const long = Array.from({ length: 12 }, (_unused, index) => `${index}${'x'.repeat(998)}`);
    const missing = [0, 1, 11].map((index) => long[index] ?? '');
    const { outcomes } = await retry(long, {
      ...absent(...missing),
      maxWaitMs: 1_000,
      // The second request of the first round.
      fails: (request) => (request === 2 ? unavailable() : undefined),
      rejected: [{ first: 1, last: 12, count: 2 }],
    });
    expect(missing.map((id) => outcomes[id])).toEqual([unfound, unfound, unfound]);
  });
});
