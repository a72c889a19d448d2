// The rate of a run: now, and over its whole time in a fixed number of samples.

/** Samples of the rate over time, at most. */
const maxSamples = 12;
const firstSampleMs = 1_000;
/** The rate "now" is the rate of the last 5 to 10 seconds. */
const recentMs = 5_000;

interface Point {
  atMs: number;
  rows: number;
}

const start: Point = { atMs: 0, rows: 0 };

export function createRateHistory() {
  let sampleMs = firstSampleMs;
  let samples: Point[] = [start];
  let [older, newer, last] = [start, start, start];

  return {
    add(atMs: number, rows: number) {
      last = { atMs, rows };
      if (atMs - newer.atMs >= recentMs) [older, newer] = [newer, last];
      if (atMs - (samples.at(-1)?.atMs ?? 0) >= sampleMs) samples.push(last);
      if (samples.length <= maxSamples + 1) return;
      // The run is longer than the samples: join every two of them.
      samples = samples.filter((_point, index) => index % 2 === 0);
      sampleMs *= 2;
    },
    /** Rows per second now. */
    now: () => rate(older, last),
    /** Rows per second since the start, oldest first. */
    overTime: () => samples.slice(1).map((point, index) => rate(samples[index] ?? start, point)),
  };
}

const rate = (from: Point, to: Point) =>
  to.atMs > from.atMs ? ((to.rows - from.rows) * 1000) / (to.atMs - from.atMs) : 0;
