import { expect, it } from 'vitest';
import { createRateHistory } from '../../src/output/progress.ts';

/** Adds a point every second. `rateAt` is the rate in that second. */
function run(seconds: number, rateAt: (second: number) => number) {
  const history = createRateHistory();
  for (let second = 1, rows = 0; second <= seconds; second += 1) {
    rows += rateAt(second);
    history.add(second * 1_000, rows);
  }
  return history;
}

it('the rate is 0 before the first row', () => {
  const history = createRateHistory();
  expect(history.now()).toBe(0);
  expect(history.overTime()).toEqual([]);
});

it('the rate now is that of the last seconds, not the average of the run', () => {
  expect(run(4, () => 100).now()).toBe(100);
  expect(run(60, (second) => (second <= 40 ? 100 : 900)).now()).toBe(900);
});

it('the rates over time are those of the seconds of a short run', () => {
  expect(run(5, (second) => second * 10).overTime()).toEqual([10, 20, 30, 40, 50]);
});

it('the rates over time cover a whole long run with at most 12 samples', () => {
  const rates = run(1_000, (second) => (second <= 500 ? 100 : 300)).overTime();
  expect(rates.length).toBeGreaterThan(5);
  expect(rates.length).toBeLessThanOrEqual(12);
  expect(rates[0]).toBe(100);
  expect(rates.at(-1)).toBe(300);
});
