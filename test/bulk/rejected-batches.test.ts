// How a run handles batches that the service rejects.
import { describe, expect, it } from 'vitest';
import { createDryRunJournal } from '../../src/bulk/journal/journal.ts';
import { type FieldError, SvcError } from '../../src/core/errors.ts';
import { created, importSender, people, runImport } from './run-import.ts';

const refusal = (status: number, details?: FieldError[]) =>
  new SvcError('refused', 'Validation Error', {
    status,
    ...(details ? { fieldErrors: details } : {}),
  });

describe('a batch that the service rejects without naming a row', () => {
  const rejecting = (bad: (id: string) => boolean, details?: FieldError[], status = 422) =>
    runImport(people(500), (ids) => {
      if (ids.some(bad)) throw refusal(status, details);
      return created(ids);
    });

  it.each<[string, number, FieldError[] | undefined, string]>([
    ['a 400', 400, undefined, 'Validation Error'],
    ['a general message', 422, [{ field: 'general', message: 'Bad' }], 'Bad'],
    [
      'a row in the middle of a sentence',
      422,
      [{ field: 'general', message: 'see subscribers.1.email' }],
      'see subscribers.1.email',
    ],
    [
      'a row that was not sent',
      422,
      [{ field: 'subscribers.500.email', message: 'is missing' }],
      'is missing',
    ],
  ])('with %s loses only the bad row, in a few requests', async (_by, status, details, why) => {
    for (const at of [0, 137, 499]) {
      const { stats, rejected, sent } = await rejecting((id) => id === `u${at}`, details, status);
      expect(rejected).toEqual([[at + 1, why]]);
      expect(stats.counts()).toMatchObject({ created: 499, failed: 1 });
      expect(sent.length).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(500)));
    }
  });

  it('loses only the bad rows, whether scattered or adjacent', async () => {
    const first = await rejecting((id) => Number(id.slice(1)) % 125 === 3);
    expect(first.rejected.map(([line]) => line)).toEqual([4, 129, 254, 379]);
    const next = await rejecting((id) => Number(id.slice(1)) < 40);
    expect(next.stats.counts()).toMatchObject({ created: 460, failed: 40 });
  });

  it('needs only a few requests if the service rejects every row', async () => {
    const { sent, stats, rejected } = await rejecting(() => true);
    expect(sent).toHaveLength(16);
    expect(stats.counts()).toMatchObject({ created: 0, failed: 500 });
    expect(new Set(rejected.map(([, why]) => why))).toEqual(new Set(['Validation Error']));
  });

  it('needs a limited number of requests if half of the rows are bad', async () => {
    const { sent, stats } = await rejecting((id) => Number(id.slice(1)) % 2 === 1 && id > 'u25');
    expect(sent.length).toBeLessThan(300);
    expect(stats.rows()).toBe(500);
  });

  it('keeps the order of rows with the same id', async () => {
    const rows = [...people(8), { subscriberId: 'u0', email: 'last@example.com' }];
    const { sent } = await runImport(rows, (ids) => {
      if (ids.includes('u3')) throw refusal(422);
      return created(ids);
    });
    const successes = sent.filter(({ ids }) => !ids.includes('u3'));
    expect(successes.flatMap(({ ids }) => ids)).toEqual('u0 u1 u2 u4 u5 u6 u7 u0'.split(' '));
  });

  it('is split together with parts that are too large or whose rows a later error names', async () => {
    const { stats, rejected } = await runImport(people(8), (ids) => {
      if (ids.length > 4) throw refusal(413);
      if (ids.includes('u1') && ids.length > 1) throw refusal(422);
      if (ids.includes('u1')) throw refusal(422, [{ field: 'subscribers.0.x', message: 'no' }]);
      return created(ids);
    });
    expect(rejected).toEqual([[2, 'x no']]);
    expect(stats.counts()).toMatchObject({ created: 7, failed: 1 });
  });
});

describe('a batch that the service rejects', () => {
  it('with 413 is sent in halves', async () => {
    const { sent, stats } = await runImport(people(8), (ids) => {
      if (ids.length > 2) throw new SvcError('refused', 'too large', { status: 413, attempts: 2 });
      return created(ids);
    });
    expect(sent.map(({ ids }) => ids.length)).toEqual([8, 4, 2, 2, 4, 2, 2]);
    expect(stats.counts().created).toBe(8);
    expect(stats.totals()).toMatchObject({ requests: 10, retries: 3 });
  });

  it('with a 422 that names rows is sent again without them', async () => {
    const { sent, rejected, stats } = await runImport(people(5), (ids) => {
      if (ids.length === 5) {
        throw new SvcError('refused', 'Validation Error', {
          status: 422,
          fieldErrors: [
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
    expect(stats.counts()).toMatchObject({ created: 3, failed: 2 });
  });

  it('in part: rows listed as failed are failed, and rows not listed are unknown', async () => {
    const { stats, rejected } = await runImport(people(3), () => ({
      created: [{ subscriberId: 'u0' }],
      updated: [],
      failed: [{ subscriberId: 'u1', message: 'no' }],
    }));
    expect(stats.counts()).toMatchObject({ created: 1, failed: 1, unknown: 1 });
    expect(rejected).toEqual([
      [2, 'no'],
      [3, 'unknown'],
    ]);
  });

  it('with 413 for a single row makes that row invalid', async () => {
    const { rejected, stats } = await runImport(people(2), ([id]) => {
      if (id === 'u0') throw new SvcError('refused', 'too large', { status: 413 });
      return created(['u1']);
    });
    expect(rejected).toEqual([[1, 'exceeds the maximum request size']]);
    expect(stats.counts()).toMatchObject({ created: 1, invalid: 1 });
  });

  it.each<[string, FieldError[] | undefined, string[], number]>([
    [
      'every row',
      [
        { field: 'subscribers.0.email', message: 'is missing' },
        { field: 'subscribers.1', message: 'is odd' },
      ],
      ['email is missing', 'is odd'],
      1,
    ],
    [
      'a row twice',
      [
        { field: 'subscribers.1.email', message: 'is missing' },
        { field: 'general', message: 'subscribers.1.locale is missing' },
      ],
      ['created', 'email is missing; locale is missing'],
      2,
    ],
  ])(
    'with a 422 that names %s fails each row with its reason',
    async (_named, details, reasons, requests) => {
      const { sent, rejected, stats } = await runImport(people(2), (ids) => {
        if (ids.length === 1) return created(ids);
        throw new SvcError('refused', 'Validation Error', {
          status: 422,
          ...(details ? { fieldErrors: details } : {}),
        });
      });
      const reasonsByLine = new Map(rejected);
      expect([1, 2].map((line) => reasonsByLine.get(line) ?? 'created')).toEqual(reasons);
      expect(sent).toHaveLength(requests);
      expect(stats.counts().failed).toBe(rejected.length);
    },
  );

  it('keeps the outcomes in row order, regardless of the order in the error', async () => {
    const { rejected, stats } = await runImport(people(4), (ids) => {
      if (ids.length < 4) return created(ids);
      const details = [2, 0].map((index) => ({ field: `subscribers.${index}.x`, message: 'no' }));
      throw new SvcError('refused', 'Validation Error', { status: 422, fieldErrors: details });
    });
    expect(rejected).toEqual([
      [1, 'x no'],
      [3, 'x no'],
    ]);
    expect(stats.counts()).toMatchObject({ created: 2, failed: 2 });
  });

  it('supports row indexes with several digits', async () => {
    const { rejected } = await runImport(people(20), (ids) => {
      if (ids.length < 20) return created(ids);
      const details = [{ field: 'subscribers.12.email', message: 'is\nnone' }];
      throw new SvcError('refused', 'Validation Error', { status: 422, fieldErrors: details });
    });
    expect(rejected).toEqual([[13, 'email is\nnone']]);
  });

  it('gets the outcomes that the sender reads from the error', async () => {
    const { stats, sent } = await runImport(
      people(3),
      () => {
        throw new SvcError('refused', 'unknown ids', { status: 400 });
      },
      {
        sender: {
          ...importSender,
          readRejection: (_error, items) =>
            items.map(() => ({ state: 'failed', reason: 'unknown ids' })),
        },
      },
    );
    expect(sent).toHaveLength(1);
    expect(stats.counts()).toMatchObject({ failed: 3 });
  });

  it('adds rejected rows in file order', async () => {
    const texts: string[] = [];
    const rows = [{ subscriberId: 'a' }, { subscriberId: '' }, { subscriberId: 'c' }];
    await runImport(rows, () => ({ created: [], updated: [], failed: [{ subscriberId: 'a' }] }), {
      journal: {
        ...createDryRunJournal('r1'),
        recordDone: async (_batch, { rejects }) => void texts.push(...rejects),
      },
    });
    expect(texts.map((text) => JSON.parse(text))).toEqual([
      { subscriberId: 'a', _line: 1, _error: 'the service gave no reason' },
      { subscriberId: '', _line: 2, _error: 'subscriberId: is required' },
      { subscriberId: 'c', _line: 3, _error: 'the response does not name it' },
    ]);
  });
});
