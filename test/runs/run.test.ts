// The engine against a scripted service: batches, order, splitting, what stops it.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Client } from '../../src/api/client.ts';
import type { RawRequest } from '../../src/api/request.ts';
import { SvcError } from '../../src/errors.ts';
import type { InputRecord, RecordSource } from '../../src/input/records.ts';
import { unwrittenJournal } from '../../src/runs/journal/journal.ts';
import { subscriberPlan } from '../../src/runs/plans/subscribers.ts';
import { rejectsFormat } from '../../src/runs/rejects.ts';
import { run } from '../../src/runs/run.ts';
import { createTally } from '../../src/runs/tally.ts';

interface Sent {
  ids: string[];
  bytes: number;
  key: string | undefined;
}

type Reply = (ids: string[], call: number) => Promise<unknown> | unknown;

const created = (ids: string[]) => ({
  created: ids.map((subscriberId) => ({ subscriberId })),
  updated: [],
  failed: [],
});

async function importing(
  rows: Record<string, unknown>[],
  reply: Reply,
  concurrency = 4,
  tooMany: (bad: number, rows: number) => boolean = () => false,
) {
  const sent: Sent[] = [];
  const rejected: [number, string][] = [];
  const records: InputRecord[] = rows.map((value, index) => ({
    row: index + 1,
    line: index + 1,
    start: 0,
    end: 0,
    value,
  }));
  const source: RecordSource = {
    format: 'ndjson',
    name: 'rows',
    close: () => undefined,
    progress: () => ({ bytes: 0, total: undefined }),
    chunks: (async function* () {
      yield records;
    })(),
  };
  const client = {
    send: async (request: RawRequest) => {
      const body = request.body ?? Buffer.alloc(0);
      const ids = (
        JSON.parse(Buffer.from(body).toString()) as { subscribers: { subscriberId: string }[] }
      ).subscribers.map(({ subscriberId }) => subscriberId);
      sent.push({ ids, bytes: body.byteLength, key: request.idempotencyKey });
      return { value: await reply(ids, sent.length), status: 201, headers: {}, attempts: 1 };
    },
  } as unknown as Client;
  let slept = 0;
  const clock = {
    now: () => slept,
    sleep: async (ms: number) => {
      slept += ms;
    },
    deadline: (_ms: number, signal?: AbortSignal) => ({
      signal: signal ?? new AbortController().signal,
      clear: () => undefined,
    }),
  };
  const schema = z.looseObject({ subscriberId: z.string().min(1, 'is required') });
  const plan = subscriberPlan({ schema, dataRest: false, cells: { infer: false, clear: false } });
  const tally = createTally({ words: plan.words, now: clock.now });
  const end = await run({
    plan,
    source,
    journal: unwrittenJournal('r1'),
    rejects: rejectsFormat('ndjson'),
    tally,
    client,
    clock,
    concurrency,
    maxWaitMs: 60_000,
    tooMany,
    interruption: new AbortController().signal,
    abortion: new AbortController().signal,
    settled: ({ record }, outcome) => {
      if ('why' in outcome) rejected.push([record.line, outcome.why]);
      else if (outcome.state === 'unknown') rejected.push([record.line, 'unknown']);
    },
  });
  return { sent, rejected: rejected.sort(([a], [b]) => a - b), tally, end, slept: () => slept };
}

const people = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_unused, index) => ({ subscriberId: `u${index}`, ...more }));

describe('batches', () => {
  it('carry at most 500 rows', async () => {
    const { sent, tally } = await importing(people(1201), created);
    expect(sent.map(({ ids }) => ids.length)).toEqual([500, 500, 201]);
    expect(tally.counts().created).toBe(1201);
  });

  it('carry at most 100 KB', async () => {
    const { sent } = await importing(people(300, { firstName: 'x'.repeat(1000) }), created);
    expect(Math.max(...sent.map(({ bytes }) => bytes))).toBeLessThanOrEqual(102_400);
    expect(sent.flatMap(({ ids }) => ids)).toHaveLength(300);
  });

  it('have keys that differ by run, place and content alone', async () => {
    const first = await importing(people(700), created);
    const again = await importing(people(700), created);
    expect(first.sent.map(({ key }) => key)).toEqual(again.sent.map(({ key }) => key));
    expect(new Set(first.sent.map(({ key }) => key)).size).toBe(2);
  });

  it('leave a row out that would not fit alone', async () => {
    const { rejected, sent } = await importing(
      [{ subscriberId: 'big', firstName: 'x'.repeat(110_000) }, { subscriberId: 'ok' }],
      created,
    );
    expect(rejected).toEqual([[1, 'is larger than a request may be']]);
    expect(sent.map(({ ids }) => ids)).toEqual([['ok']]);
  });
});

describe('what the service refuses', () => {
  it('by 413 is sent in halves', async () => {
    const { sent, tally } = await importing(people(8), (ids) => {
      if (ids.length > 2) throw new SvcError('refused', 'too large', { status: 413, attempts: 2 });
      return created(ids);
    });
    expect(sent.map(({ ids }) => ids.length)).toEqual([8, 4, 2, 2, 4, 2, 2]);
    expect(tally.counts().created).toBe(8);
    expect(tally.wire()).toMatchObject({ requests: 10, retries: 3 });
  });

  it('by 422 naming rows is sent again without them', async () => {
    const { sent, rejected, tally } = await importing(people(5), (ids) => {
      if (ids.length === 5) {
        throw new SvcError('refused', 'Validation Error', {
          status: 422,
          details: [
            { field: '', message: 'subscribers.1.email must be an email' },
            { field: '', message: 'subscribers.3.locale must be a locale' },
          ],
        });
      }
      return created(ids);
    });
    expect(sent[1]?.ids).toEqual(['u0', 'u2', 'u4']);
    expect(rejected).toEqual([
      [2, 'email must be an email'],
      [4, 'locale must be a locale'],
    ]);
    expect(tally.counts()).toMatchObject({ created: 3, failed: 2 });
  });

  it('in its answer counts as failed, and what it does not name as unknown', async () => {
    const { tally, rejected } = await importing(people(3), () => ({
      created: [{ subscriberId: 'u0' }],
      updated: [],
      failed: [{ subscriberId: 'u1', message: 'no' }],
    }));
    expect(tally.counts()).toMatchObject({ created: 1, failed: 1, unknown: 1 });
    expect(rejected).toEqual([
      [2, 'no'],
      [3, 'unknown'],
    ]);
  });
});

describe('an id that stands twice', () => {
  it('inside a batch is created, then updated', async () => {
    const { tally } = await importing([{ subscriberId: 'a' }, { subscriberId: 'a' }], () => ({
      created: [{ subscriberId: 'a' }],
      updated: [{ subscriberId: 'a' }],
      failed: [],
    }));
    expect(tally.counts()).toMatchObject({ created: 1, updated: 1 });
    expect(tally.wire().duplicates).toBe(1);
  });

  it('in two batches is sent in order, however slow the first', async () => {
    const rows = [
      ...people(500),
      { subscriberId: 'u7' },
      ...people(400).map(({ subscriberId }) => ({ subscriberId: `v${subscriberId}` })),
    ];
    const log: string[] = [];
    let release = () => {};
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const done = importing(rows, async (ids, call) => {
      if (call === 1) {
        await slow;
        log.push('first');
      } else log.push('second');
      return created(ids);
    });
    setImmediate(() => release());
    await done;
    expect(log).toEqual(['first', 'second']);
  });
});

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
      1,
    );
    expect(end.cause?.ending).toBe(ending);
    expect(end.stopped?.reason).toBe('no');
    expect(tally.rows()).toBe(0);
  });
});

describe('a row that is not valid', () => {
  it('goes to the rejects and never spoils its batch', async () => {
    const { rejected, tally } = await importing(
      [{ subscriberId: 'a' }, { subscriberId: '' }, { subscriberId: 'b' }],
      created,
    );
    expect(rejected).toEqual([[2, 'subscriberId: is required']]);
    expect(tally.counts()).toMatchObject({ created: 2, invalid: 1 });
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
      1,
      (bad) => bad > 600,
    );
    expect(end.stopped?.reason).toContain('more than --max-errors allows');
    expect(tally.rows()).toBeLessThan(2_500);
  });
});
