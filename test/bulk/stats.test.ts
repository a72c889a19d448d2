// The counts of a resumed run, and its summary.
import { expect, it } from 'vitest';
import { createStats, createSummary } from '../../src/bulk/engine/stats.ts';

const facts = { runId: 'r1', rejectsFiles: [], resumed: true, stopped: null };
const totals = {
  batches: 2,
  requests: 3,
  retries: 1,
  duplicates: 4,
  milliseconds: 1_500,
  replayed: 0,
};

it('a resumed run includes the rows, requests and time of the earlier process', () => {
  let now = 10_000;
  const stats = createStats({
    successStates: ['created', 'updated'],
    ticks: () => now,
    earlier: { counts: { created: 500, invalid: 2 }, totals, reasons: [] },
  });
  expect(stats.rowsOfProcess()).toBe(0);
  stats.updateReachedByte(70);
  stats.updateReachedByte(50);
  expect(stats.reachedByte()).toBe(70);
  stats.addOutcomes({ created: 7, unknown: 1 });
  stats.addBatch();
  stats.addRequest(2);
  const seen = [5, 5, 6].map((hash, index) => stats.addId('u', hash, index + 2));
  expect(seen).toEqual([false, true, false]);
  expect(stats.repeatedIds()).toEqual({ examples: [{ id: 'u', lines: [2, 3] }], isComplete: true });
  expect(stats.totals(1).duplicates).toBe(5);
  stats.addDuplicates(1);
  now += 500;
  expect(stats.rowsOfProcess()).toBe(8);
  expect(stats.unsuccessfulRows()).toBe(3);
  expect(createSummary(stats, facts)).toEqual({
    runId: 'r1',
    rows: 510,
    created: 507,
    updated: 0,
    failed: 0,
    invalid: 2,
    skipped: 0,
    unknown: 1,
    duplicates: 5,
    batches: 3,
    requests: 5,
    retries: 2,
    seconds: 2,
    rowsPerSecond: 255,
    rejects: null,
    resumed: true,
    alreadyFinished: false,
    replayed: 0,
    stopped: null,
  });
});

it('a run without duration has its number of rows as rows per second', () => {
  const stats = createStats({ successStates: ['marked'], ticks: () => 0 });
  stats.addOutcomes({ marked: 3 });
  expect(createSummary(stats, facts)).toMatchObject({ seconds: 0, rowsPerSecond: 3, marked: 3 });
});
