// Evaluates step conditions: JSON Logic, and the older filters on payload and subscriber. Pure.
import jsonLogic, { type RulesLogic } from 'json-logic-js';
import { isObject } from '../../core/objects.ts';
import type { StepFilter } from '../../service/schemas/step-filters.ts';
import { conditionOperations } from './condition-operations.ts';
import { valueAt } from './paths.ts';

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

type Variables = Record<string, unknown>;

/** Throws if the condition cannot be evaluated, such as one with an unknown operation or too many steps. */
export function isConditionMet(condition: object, variables: Variables, now: number): boolean {
  remainingSteps = maxSteps;
  currentTime = now;
  return Boolean(jsonLogic.apply(condition as RulesLogic, withOnlineStatus(variables)));
}

/** A subscriber without a status counts as offline. */
function withOnlineStatus({ subscriber, ...variables }: Variables): Variables {
  return {
    ...variables,
    subscriber: isObject(subscriber) ? { isOnline: false, ...subscriber } : subscriber,
  };
}

/** Returns whether all filters of a step match. */
export const passesFilters = (filters: readonly StepFilter[], variables: Variables): boolean =>
  filters.every(({ isNegated, value: join, children }) => {
    if (children.length === 0) return true;
    const matches = ({ on, field, operator, value }: StepFilter['children'][number]) =>
      compare(valueAt(variables[on], field), operator, value);
    const isMet = join === 'OR' ? children.some(matches) : children.every(matches);
    return isMet !== isNegated;
  });

function compare(actual: unknown, operator: string, expected: string): boolean {
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
