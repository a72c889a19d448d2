// The operations of conditions that the service defines or changes: comparisons of texts as numbers, flags and dates,
// and times relative to now.
import { unitMs } from '../../core/durations.ts';
import { isObject } from '../../core/objects.ts';

type Operation = (...operands: unknown[]) => unknown;
type Comparable = number | boolean;

/** Returns both values in a form in which they can be compared: flags, numbers or dates. */
function comparable(a: unknown, b: unknown): [Comparable, Comparable] | undefined {
  const flags = [a, b].map(toFlag);
  if (flags[0] !== undefined && flags[1] !== undefined) return [flags[0], flags[1]];
  const numbers = [Number(a), Number(b)] as const;
  if (!numbers.some(Number.isNaN)) return [...numbers];
  if (typeof a !== 'string' || typeof b !== 'string') return undefined;
  const dates = [Date.parse(a), Date.parse(b)] as const;
  return dates.some(Number.isNaN) ? undefined : [...dates];
}

function toFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return value === 'true' || value === 'false' ? value === 'true' : undefined;
}

function compare(a: unknown, b: unknown, test: (a: Comparable, b: Comparable) => boolean): boolean {
  const values = comparable(a, b);
  return values !== undefined && test(...values);
}

const isEqual: Operation = (a, b) => {
  const values = comparable(a, b);
  return values === undefined ? a === b : values[0] === values[1];
};

const isAtMost = (a: unknown, b: unknown) => compare(a, b, (low, high) => low <= high);

const texts =
  (test: (text: string, part: string) => boolean): Operation =>
  (text, part) =>
    typeof text === 'string' && typeof part === 'string' && test(text, part);

/** Whether a text or list contains one of the values of a list; undefined for other operands. */
const containsAny = (value: unknown, list: unknown): boolean | undefined =>
  Array.isArray(list) && (typeof value === 'string' || Array.isArray(value))
    ? list.some((part) => value.includes(part as never))
    : undefined;

const range =
  (test: (value: number, low: number, high: number) => boolean): Operation =>
  (value, bounds) => {
    if (typeof value !== 'number' || !Array.isArray(bounds) || bounds.length !== 2) return false;
    const [low, high]: unknown[] = bounds;
    return typeof low === 'number' && typeof high === 'number' && test(value, low, high);
  };

/** How far a time may be from one that is exactly so long ago. */
const tolerances: Record<string, number> = {
  minutes: unitMs.m,
  hours: unitMs.h,
  days: unitMs.d,
  weeks: unitMs.d,
  months: unitMs.d,
  years: 7 * unitMs.d,
};

/** A time so long before now, in the calendar of UTC. */
function timeBefore(now: number, amount: number, unit: string): number {
  const date = new Date(now);
  if (unit === 'months') return date.setUTCMonth(date.getUTCMonth() - amount);
  if (unit === 'years') return date.setUTCFullYear(date.getUTCFullYear() - amount);
  const lengths: Record<string, number> = { ...tolerances, weeks: 7 * unitMs.d };
  return now - amount * (lengths[unit] ?? unitMs.d);
}

const ago =
  (
    now: () => number,
    test: (time: number, bound: number, tolerance: number) => boolean,
  ): Operation =>
  (value, distance) => {
    if (!isObject(distance)) return false;
    const { amount, unit } = distance;
    if (typeof amount !== 'number' || amount <= 0 || typeof unit !== 'string') return false;
    const tolerance = tolerances[unit];
    const time = new Date(value as string).getTime();
    if (tolerance === undefined || Number.isNaN(time)) return false;
    return test(time, timeBefore(now(), amount, unit), tolerance);
  };

/** `now` is called for operations on times. */
export const conditionOperations = (now: () => number): Record<string, Operation> => ({
  '=': isEqual,
  '==': isEqual,
  '!=': (a, b) => !isEqual(a, b),
  '<': (a, b) => compare(a, b, (low, high) => low < high),
  '>': (a, b) => compare(a, b, (high, low) => high > low),
  '<=': (a, b, c) => isAtMost(a, b) && (c === undefined || isAtMost(b, c)),
  '>=': (a, b) => compare(a, b, (high, low) => high >= low),
  startsWith: texts((text, part) => text.startsWith(part)),
  endsWith: texts((text, part) => text.endsWith(part)),
  contains: texts((text, part) => text.includes(part)),
  // Since version 3.19.
  containsAny: (value, list) => containsAny(value, list) === true,
  doesNotContainAny: (value, list) => containsAny(value, list) === false,
  doesNotContain: texts((text, part) => !text.includes(part)),
  doesNotBeginWith: texts((text, part) => !text.startsWith(part)),
  doesNotEndWith: texts((text, part) => !text.endsWith(part)),
  null: (value) => value === null,
  notNull: (value) => value !== null,
  notIn: (value, list) => Array.isArray(list) && !list.includes(value),
  between: range((value, low, high) => value >= low && value <= high),
  notBetween: range((value, low, high) => value < low || value > high),
  moreThanXAgo: ago(now, (time, bound) => time < bound),
  lessThanXAgo: ago(now, (time, bound) => time >= bound),
  withinLast: ago(now, (time, bound) => time >= bound && time <= now()),
  notWithinLast: ago(now, (time, bound) => time < bound),
  exactlyXAgo: ago(now, (time, bound, tolerance) => Math.abs(time - bound) <= tolerance),
});
