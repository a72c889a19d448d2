// Evaluates step conditions: JSON Logic, and the older filters on payload and subscriber.

import type { RulesLogic } from 'json-logic-js';
import jsonLogic from 'json-logic-js';
import { unitMs } from '../../core/durations.ts';
import { isObject, type JsonObject, valueAt } from '../../core/objects.ts';
import type { StepFilter } from '../../service/schemas/step-filters.ts';

// The operations of conditions that the service defines or changes: comparisons of texts as numbers, flags and dates,
// and times relative to now.

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
const conditionOperations = (now: () => number): Record<string, Operation> => ({
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

// Conditions may only read values: `log` would print and `method` would call functions.
for (const operation of ['log', 'method']) jsonLogic.rm_operation(operation);
let currentTime = 0;
for (const [name, operation] of Object.entries(conditionOperations(() => currentTime))) {
  jsonLogic.rm_operation(name);
  jsonLogic.add_operation(name, operation);
}

/** Steps of one condition, a fraction of a second. Nested loops over a payload could take hours. */
const maxSteps = 500_000;
let remainingSteps = maxSteps;

// The library evaluates every part of a condition by this member, so that all of them are counted.
const { apply } = jsonLogic;
jsonLogic.apply = (logic, data) => {
  takeSteps(1);
  const value: unknown = apply(logic, data);
  takeSteps(countSteps(value));
  return value;
};

function takeSteps(count: number): void {
  remainingSteps -= count;
  if (remainingSteps < 0)
    throw new Error(`the condition takes more than ${maxSteps.toLocaleString('en')} steps`);
}

/** Large values count as more steps, because they take time and memory. */
function countSteps(value: unknown): number {
  if (typeof value === 'string') return value.length / 64;
  return Array.isArray(value) ? value.length : 0;
}

/** Throws if the condition cannot be evaluated, such as one with an unknown operation or too many steps. */
export const isConditionMet = (
  condition: object | boolean,
  variables: JsonObject,
  now: number,
): boolean => Boolean(evaluate(condition, variables, now));

/** Returns the result of the condition. Throws as `isConditionMet` does. */
export function evaluate(condition: object | boolean, variables: JsonObject, now: number): unknown {
  remainingSteps = maxSteps;
  currentTime = now;
  return jsonLogic.apply(condition as RulesLogic, withOnlineStatus(variables));
}

/** A subscriber without a status counts as offline. */
function withOnlineStatus({ subscriber, ...variables }: JsonObject): JsonObject {
  return {
    ...variables,
    subscriber: isObject(subscriber) ? { isOnline: false, ...subscriber } : subscriber,
  };
}

/** Returns whether all filters of a step match. */
export const passesFilters = (filters: readonly StepFilter[], variables: JsonObject): boolean =>
  filters.every(({ isNegated, value: join, children }) => {
    if (children.length === 0) return true;
    const matches = ({ on, field, operator, value }: StepFilter['children'][number]) =>
      matchesFilter(valueAt(variables[on], field), operator, value);
    const isMet = join === 'OR' ? children.some(matches) : children.every(matches);
    return isMet !== isNegated;
  });

function matchesFilter(actual: unknown, operator: string, expected: string): boolean {
  const text = String(actual ?? '');
  // `Number('')` is 0, but a missing value must not compare as 0.
  const number = text.trim() === '' ? Number.NaN : Number(actual);
  const list = (value: string) => value.split(',').map((part) => part.trim());
  const actuals = Array.isArray(actual) ? actual.map(String) : [text];
  const [low = '', high = ''] = list(expected);
  switch (operator) {
    case 'EQUAL':
      return text === expected;
    case 'NOT_EQUAL':
      return text !== expected;
    case 'LARGER':
      return number > Number(expected);
    case 'LARGER_EQUAL':
      return number >= Number(expected);
    case 'SMALLER':
      return number < Number(expected);
    case 'SMALLER_EQUAL':
      return number <= Number(expected);
    case 'BETWEEN':
      return number >= Number(low) && number <= Number(high);
    case 'NOT_BETWEEN':
      return number < Number(low) || number > Number(high);
    case 'LIKE':
      return text.includes(expected);
    case 'NOT_LIKE':
      return !text.includes(expected);
    case 'IN':
      return Array.isArray(actual) ? actuals.includes(expected) : list(expected).includes(text);
    case 'ANY_IN':
      return actuals.some((item) => list(expected).includes(item));
    case 'ALL_IN':
      return actuals.every((item) => list(expected).includes(item));
    case 'NOT_IN':
      return !actuals.some((item) => list(expected).includes(item));
    default:
      return false;
  }
}
