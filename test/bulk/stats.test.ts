// The counts of a run that goes on, and its summary.
import { expect, it } from 'vitest';
import { createStats, summaryOf } from '../../src/bulk/engine/stats.ts';

const facts = { runId: 'r1', rejectsFiles: [], resumed: true, stopped: null };
const wire = { batches: 2, requests: 3, retries: 1, duplicates: 4, milliseconds: 1_500 };

it('a run that goes on counts the rows, requests and time of the earlier process too', () => {
  let now = 10_000;
  const tally = createStats({
    words: ['created', 'updated'],
    ticks: () => now,
    before: { counts: { created: 500, invalid: 2 }, wire, reasons: [] },
  });
  expect(tally.newRows()).toBe(0);
  tally.reach(70);
  tally.reach(50);
  expect(tally.reached()).toBe(70);
  tally.add({ created: 7, unknown: 1 });
  tally.batched();
  tally.sent(2);
  expect([tally.met(5), tally.met(5), tally.met(6)]).toEqual([false, true, false]);
  expect(tally.wire(1).duplicates).toBe(5);
  tally.repeated(1);
  now += 500;
  expect(tally.newRows()).toBe(8);
  expect(tally.bad()).toBe(3);
  expect(summaryOf(tally, facts)).toEqual({
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
    stopped: null,
  });
});

it('a run that took no time has made its rows a second', () => {
  const tally = createStats({ words: ['marked'], ticks: () => 0 });
  tally.add({ marked: 3 });
  expect(summaryOf(tally, facts)).toMatchObject({ seconds: 0, rowsPerSecond: 3, marked: 3 });
});
