// Rows → requests: how many, how large, in which order, with which keys.
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/bulk/engine/plan.ts';
import { createDryRunJournal } from '../../src/bulk/journal/journal.ts';
import { created, importing, importPlan, people } from './importing.ts';

describe('batches', () => {
  it('carry at most 500 rows', async () => {
    const { sent, stats } = await importing(people(1201), created);
    expect(sent.map(({ ids }) => ids.length)).toEqual([500, 500, 201]);
    expect(stats.counts().created).toBe(1201);
  });

  it('carry at most 100 KB', async () => {
    const { sent } = await importing(people(300, { firstName: 'x'.repeat(1000) }), created);
    expect(Math.max(...sent.map(({ bytes }) => bytes))).toBeLessThanOrEqual(102_400);
    expect(sent.flatMap(({ ids }) => ids)).toHaveLength(300);
  });

  it('are as large as they may be', async () => {
    const { sent } = await importing(people(300, { firstName: 'x'.repeat(1000) }), created);
    const row = Buffer.byteLength('{"subscriberId":"u100","firstName":""},') + 1000;
    expect((sent[0]?.bytes ?? 0) + row).toBeGreaterThan(102_400);
  });

  it.each([
    [102_400, 1],
    [102_401, 0],
  ])('of one row may have a body of 102,400 bytes: %i are sent %i times', async (bytes, times) => {
    const around = '{"subscribers":[{"subscriberId":"é","firstName":""}]}';
    const firstName = 'x'.repeat(bytes - Buffer.byteLength(around));
    const { sent } = await importing([{ subscriberId: 'é', firstName }], created);
    expect(sent.map((one) => one.bytes)).toEqual(Array(times).fill(102_400));
  });

  it('carry at most 100 KB when their rows are many and small', async () => {
    // 500 rows of 204 bytes would fit but for the commas between them.
    const row = { subscriberId: 'u', firstName: 'x'.repeat(169) };
    expect(Buffer.byteLength(JSON.stringify(row))).toBe(204);
    const { sent } = await importing(Array(501).fill(row), created);
    expect(Math.max(...sent.map(({ bytes }) => bytes))).toBeLessThanOrEqual(102_400);
    expect(sent).toHaveLength(2);
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
    expect(rejected).toEqual([[1, 'exceeds the maximum request size']]);
    expect(sent.map(({ ids }) => ids)).toEqual([['ok']]);
  });
});

describe('rows that were settled before', () => {
  const journal = (isFinished: (row: number) => boolean) => ({
    ...createDryRunJournal('r1'),
    isFinished,
  });

  it('are not sent, and no batch reaches over them', async () => {
    const { sent, stats } = await importing(people(5), created, {
      journal: journal((row) => row === 3),
    });
    expect(sent.map(({ ids }) => ids)).toEqual([
      ['u0', 'u1'],
      ['u3', 'u4'],
    ]);
    expect(stats.counts().created).toBe(4);
  });

  it('stand between rows that are not valid too', async () => {
    const noted: [number, number][] = [];
    const rows = [{ subscriberId: '' }, { subscriberId: 'b' }, { subscriberId: '' }];
    await importing(rows, created, {
      journal: {
        ...journal((row) => row === 2),
        recordDone: async ({ first, last }) => void noted.push([first, last]),
      },
    });
    expect(noted).toEqual([
      [1, 1],
      [3, 3],
    ]);
  });
});

describe('rows that are not valid', () => {
  it('are noted 500 at a time, though none of them is sent', async () => {
    const noted: [number, number][] = [];
    const { sent } = await importing(Array(1_201).fill({ subscriberId: '' }), created, {
      journal: {
        ...createDryRunJournal('r1'),
        recordDone: async ({ first, last }) => void noted.push([first, last]),
      },
    });
    expect(sent).toEqual([]);
    expect(noted).toEqual([
      [1, 500],
      [501, 1_000],
      [1_001, 1_201],
    ]);
  });
});

describe('another plan than that of an import', () => {
  const plan: Plan = { ...importPlan, isOrdered: false };

  it('sends one item at a time when its operation takes one', async () => {
    const { sent } = await importing(people(3), () => ({}), {
      plan: { ...plan, operation: 'renameTopic' },
    });
    expect(sent.map(({ ids }) => ids)).toEqual([['u0'], ['u1'], ['u2']]);
  });

  it('may leave items without an outcome; they are unknown', async () => {
    const { stats } = await importing(people(3), () => ({}), {
      plan: { ...plan, readOutcomes: () => [{ state: 'created' }] },
    });
    expect(stats.counts()).toMatchObject({ created: 1, unknown: 2 });
  });
});

describe('an id that stands twice', () => {
  it('inside a batch is created, then updated', async () => {
    const { stats } = await importing([{ subscriberId: 'a' }, { subscriberId: 'a' }], () => ({
      created: [{ subscriberId: 'a' }],
      updated: [{ subscriberId: 'a' }],
      failed: [],
    }));
    expect(stats.counts()).toMatchObject({ created: 1, updated: 1 });
    expect(stats.totals().duplicates).toBe(1);
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

describe('a row that is not valid', () => {
  it('goes to the rejects and never spoils its batch', async () => {
    const { rejected, stats } = await importing(
      [{ subscriberId: 'a' }, { subscriberId: '' }, { subscriberId: 'b' }],
      created,
    );
    expect(rejected).toEqual([[2, 'subscriberId: is required']]);
    expect(stats.counts()).toMatchObject({ created: 2, invalid: 1 });
  });
});
