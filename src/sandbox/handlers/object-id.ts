// Checks ids in paths: the service looks up internal ids alone.
import { unprocessable } from '../values/http-error.ts';

const isObjectId = (value: string) => /^[0-9a-f]{24}$/i.test(value);

/** Throws the validation error of a field. */
export function requireObjectId(name: string, value: string): void {
  if (isObjectId(value)) return;
  const errors = { [name]: { messages: [`${name} must be a mongodb id`], value } };
  throw unprocessable('Validation failed', { members: { errors } });
}

/** Throws the validation error of a request. */
export function requireObjectIdParameter(name: string, value: string): void {
  if (isObjectId(value)) return;
  const general = { messages: [`${name} must be a mongodb id`], value: 'No Value Recorded' };
  throw unprocessable('Validation Error', { members: { errors: { general } } });
}
