// What stops a run, and what it only waits for.
import { describe, expect, it } from 'vitest';
import { SvcError } from '../../src/errors.ts';
import { created, importing, people } from './importing.ts';

describe('a run stops', () => {
  it.each([
    ['auth', 401],
    ['auth', 403],
    ['refused', 402],
    ['unavailable', 503],
  ] as const)('with %s on status %i', async (ending, status) => {
    const { end, tally } = await importing(
      people(2000),
      () => {
        throw new SvcError(ending, 'no', { status });
      },
      { concurrency: 1 },
    );
    expect(end.cause?.ending).toBe(ending);
    expect(end.stopped?.reason).toBe('no');
    expect(tally.rows()).toBe(0);
  });
});

describe('pressure and faults', () => {
  const failing = (status: number, facts: object = {}) =>
    new SvcError('unavailable', `status ${status}`, { status, ...facts });

  it('a 429 fails no run: it waits as long as it is told and goes on', async () => {
    const { tally, end, slept, sent } = await importing(people(600), (ids, call) => {
      if (call <= 6) throw failing(429, { retryAfterMs: 5_000 });
      return created(ids);
    });
    expect(end.cause).toBeUndefined();
    expect(tally.counts()).toMatchObject({ created: 600, failed: 0 });
    expect(slept()).toBeGreaterThanOrEqual(15_000);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
  });

  it('a wait beyond --max-wait stops it', async () => {
    const { end, tally } = await importing(people(10), () => {
      throw failing(429, { retryAfterMs: 61_000 });
    });
    expect(end.cause?.ending).toBe('unavailable');
    expect(tally.rows()).toBe(0);
  });

  it('a key in progress is waited for', async () => {
    const { tally } = await importing(people(10), (ids, call) => {
      if (call === 1) throw new SvcError('refused', 'busy', { status: 409, retryAfterMs: 1_000 });
      return created(ids);
    });
    expect(tally.counts().created).toBe(10);
  });

  it('a service that is down stops it after a bounded number of tries', async () => {
    const { end, sent } = await importing(people(5_000), () => {
      throw failing(503);
    });
    expect(end.stopped?.reason).toBe('status 503');
    expect(sent.length).toBeLessThan(20);
  });

  it('a replayed error is repeated with another key', async () => {
    const { sent, tally } = await importing(people(10), (ids, call) => {
      if (call < 3) throw failing(500, { replayed: true });
      return created(ids);
    });
    expect(tally.counts().created).toBe(10);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
  });

  it('too many bad rows end it early', async () => {
    const { end, tally } = await importing(
      people(5_000),
      (ids) => ({
        created: [],
        updated: [],
        failed: ids.map((subscriberId) => ({ subscriberId })),
      }),
      { concurrency: 1, tooMany: (bad) => bad > 600 },
    );
    expect(end.stopped?.reason).toContain('more than --max-errors allows');
    expect(tally.rows()).toBeLessThan(2_500);
  });
});
