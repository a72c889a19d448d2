// Evaluates step conditions: JSON Logic, and the older filters on payload and subscriber. Pure.
import jsonLogic, { type RulesLogic } from 'json-logic-js';
import type { StepFilter } from '../../api/schemas/step-filters.ts';
import { valueAt } from './paths.ts';

// Conditions may only read values: `log` would print and `method` would call functions.
for (const operation of ['log', 'method']) jsonLogic.rm_operation(operation);

type Variables = Record<string, unknown>;

/** Throws if the condition cannot be evaluated, such as one with an unknown operation. */
export const isConditionMet = (condition: object, variables: Variables): boolean =>
  jsonLogic.truthy(jsonLogic.apply(condition as RulesLogic, variables));

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
