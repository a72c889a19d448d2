// How long digests, delays and throttles may wait.
import { unitMs } from '../core/durations.ts';
import { limits } from './limits.ts';
import { type TimeUnit, timeUnits } from './schemas/vocabulary.ts';

const timeUnitMs: Record<TimeUnit, number> = {
  seconds: unitMs.s,
  minutes: unitMs.m,
  hours: unitMs.h,
  days: unitMs.d,
  weeks: 7 * unitMs.d,
  months: 30 * unitMs.d,
};

/** Returns undefined if `amount` or `unit` is invalid. A month has 30 days. */
export function durationMs(amount: unknown, unit: unknown): number | undefined {
  if (typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0) return undefined;
  const known = timeUnits.find((name) => name === unit);
  return known && amount * timeUnitMs[known];
}

export const isTooLong = (ms: number): boolean => ms > limits.waitDays * unitMs.d;
