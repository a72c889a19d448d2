// Which steps have a `skip` condition.
import { isObject } from '../core/objects.ts';

/** Whether a value of `skip` is a condition: an object or a list that is not empty. */
export const isCondition = (skip: unknown): skip is object =>
  typeof skip === 'object' && skip !== null && Object.keys(skip).length > 0;

/** Whether the control values of a step have a `skip` condition. Its meaning depends on the mode of the server. */
export const hasSkip = (controlValues: unknown): boolean =>
  isObject(controlValues) && isCondition(controlValues.skip);
