// Conditions of steps: JSON logic, and the older filters over payload and subscriber. Pure.
import jsonLogic, { type RulesLogic } from 'json-logic-js';
import type { StepFilter } from '../../api/schemas/step-filters.ts';
import { valueAt } from './paths.ts';

// A condition looks at values; it neither prints nor calls what it finds.
for (const operation of ['log', 'method']) jsonLogic.rm_operation(operation);

type Variables = Record<string, unknown>;

/** Whether a condition holds. An empty one never does, nor one that cannot be computed. */
export function holds(condition: unknown, variables: Variables): boolean {
  if (typeof condition !== 'object' || condition === null) return false;
  if (Object.keys(condition).length === 0) return false;
  try {
    return jsonLogic.truthy(jsonLogic.apply(condition as RulesLogic, variables));
  } catch {
    return false;
  }
}

/** Whether all filters of a step let a run pass. */
export const passes = (filters: readonly StepFilter[], variables: Variables): boolean =>
  filters.every(({ isNegated, value: join, children }) => {
    if (children.length === 0) return true;
    const hit = ({ on, field, operator, value }: StepFilter['children'][number]) =>
      compare(valueAt(variables[on], field), operator, value);
    const met = join === 'OR' ? children.some(hit) : children.every(hit);
    return met !== isNegated;
  });

function compare(actual: unknown, operator: string, expected: string): boolean {
  const text = String(actual ?? '');
  // What is not there is no number, neither 0 nor less than 1.
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
      return actuals.some((one) => list(expected).includes(one));
    case 'ALL_IN':
      return actuals.every((one) => list(expected).includes(one));
    case 'NOT_IN':
      return !actuals.some((one) => list(expected).includes(one));
    default:
      return false;
  }
}
