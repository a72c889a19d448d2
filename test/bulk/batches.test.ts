// How rows are grouped into requests: number, size, order and idempotency keys.
import { describe, expect, it } from 'vitest';
import type { Sender } from '../../src/bulk/engine/sender.ts';
import { createDryRunJournal } from '../../src/bulk/journal/journal.ts';
import { created, importSender, people, runImport } from './run-import.ts';

describe('batches', () => {
  it('have at most 500 rows', async () => {
    const { sent, stats } = await runImport(people(1201), created);
    expect(sent.map(({ ids }) => ids.length)).toEqual([500, 500, 201]);
    expect(stats.counts().created).toBe(1201);
  });

  it('have at most 100 KB', async () => {
    const { sent } = await runImport(people(300, { firstName: 'x'.repeat(1000) }), created);
    expect(Math.max(...sent.map(({ bytes }) => bytes))).toBeLessThanOrEqual(102_400);
    expect(sent.flatMap(({ ids }) => ids)).toHaveLength(300);
  });

  it('use the whole size limit', async () => {
    const { sent } = await runImport(people(300, { firstName: 'x'.repeat(1000) }), created);
    const row = Buffer.byteLength('{"subscriberId":"u100","firstName":""},') + 1000;
    expect((sent[0]?.bytes ?? 0) + row).toBeGreaterThan(102_400);
  });

  it.each([
    [102_400, 1],
    [102_401, 0],
  ])(
    'of one row have at most 102,400 bytes: a body of %i bytes is sent %i times',
    async (bytes, times) => {
      const around = '{"subscribers":[{"subscriberId":"é","firstName":""}]}';
      const firstName = 'x'.repeat(bytes - Buffer.byteLength(around));
      const { sent } = await runImport([{ subscriberId: 'é', firstName }], created);
      expect(sent.map((batch) => batch.bytes)).toEqual(Array(times).fill(102_400));
    },
  );

  it('have at most 100 KB with many small rows', async () => {
    // 500 rows of 204 bytes would fit without the commas between them.
    const row = { subscriberId: 'u', firstName: 'x'.repeat(169) };
    expect(Buffer.byteLength(JSON.stringify(row))).toBe(204);
    const { sent } = await runImport(Array(501).fill(row), created);
    expect(Math.max(...sent.map(({ bytes }) => bytes))).toBeLessThanOrEqual(102_400);
    expect(sent).toHaveLength(2);
  });

  it('have idempotency keys that depend only on run, position and content', async () => {
    const first = await runImport(people(700), created);
    const again = await runImport(people(700), created);
    expect(first.sent.map(({ key }) => key)).toEqual(again.sent.map(({ key }) => key));
    expect(new Set(first.sent.map(({ key }) => key)).size).toBe(2);
  });

  it('exclude a row that exceeds the size limit alone', async () => {
    const { rejected, sent } = await runImport(
      [{ subscriberId: 'big', firstName: 'x'.repeat(110_000) }, { subscriberId: 'ok' }],
      created,
    );
    expect(rejected).toEqual([[1, 'exceeds the maximum request size']]);
    expect(sent.map(({ ids }) => ids)).toEqual([['ok']]);
  });
});

describe('rows that an earlier process finished', () => {
  const journal = (isFinished: (row: number) => boolean) => ({
    ...createDryRunJournal('r1'),
    isFinished,
  });

  it('are not sent, and no batch spans them', async () => {
    const { sent, stats } = await runImport(people(5), created, {
      journal: journal((row) => row === 3),
    });
    expect(sent.map(({ ids }) => ids)).toEqual([
      ['u0', 'u1'],
      ['u3', 'u4'],
    ]);
    expect(stats.counts().created).toBe(4);
  });

  it('also separate ranges of invalid rows', async () => {
    const noted: [number, number][] = [];
    const rows = [{ subscriberId: '' }, { subscriberId: 'b' }, { subscriberId: '' }];
    await runImport(rows, created, {
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

describe('invalid rows', () => {
  it('are recorded 500 at a time, although none is sent', async () => {
    const noted: [number, number][] = [];
    const { sent } = await runImport(Array(1_201).fill({ subscriberId: '' }), created, {
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

describe('a sender other than the import', () => {
  const sender: Sender = { ...importSender, isOrdered: false };

  it('sends one item per request if the operation accepts one', async () => {
    const { sent } = await runImport(people(3), () => ({}), {
      sender: { ...sender, operation: 'renameTopic', path: { topicKey: 'news' } },
    });
    expect(sent.map(({ ids }) => ids)).toEqual([['u0'], ['u1'], ['u2']]);
  });

  it('makes items without an outcome unknown', async () => {
    const { stats } = await runImport(people(3), () => ({}), {
      sender: { ...sender, readOutcomes: () => [{ state: 'created' }] },
    });
    expect(stats.counts()).toMatchObject({ created: 1, unknown: 2 });
  });
});

describe('an id in two rows', () => {
  it('is first created, then updated, within a batch', async () => {
    const { stats } = await runImport([{ subscriberId: 'a' }, { subscriberId: 'a' }], () => ({
      created: [{ subscriberId: 'a' }],
      updated: [{ subscriberId: 'a' }],
      failed: [],
    }));
    expect(stats.counts()).toMatchObject({ created: 1, updated: 1 });
    expect(stats.totals().duplicates).toBe(1);
  });

  it('is sent in order in two batches, even if the first is slow', async () => {
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
    const done = runImport(rows, async (ids, call) => {
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

describe('an invalid row', () => {
  it('goes to the rejects and does not affect its batch', async () => {
    const { rejected, stats } = await runImport(
      [{ subscriberId: 'a' }, { subscriberId: '' }, { subscriberId: 'b' }],
      created,
    );
    expect(rejected).toEqual([[2, 'subscriberId: is required']]);
    expect(stats.counts()).toMatchObject({ created: 2, invalid: 1 });
  });
});
