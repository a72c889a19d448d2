// Checks ids in paths: the service looks up internal ids alone.
import { checkFieldErrors, generalError } from '../values/http-error.ts';

const isObjectId = (value: string) => /^[0-9a-f]{24}$/i.test(value);
const notObjectId = (name: string) => `${name} must be a mongodb id`;

/** Throws the validation error of a field. */
export function requireObjectId(name: string, value: string): void {
  if (isObjectId(value)) return;
  checkFieldErrors({ [name]: { messages: [notObjectId(name)], value } });
}

/** Throws the validation error of a request. */
export function requireObjectIdParameter(name: string, value: string): void {
  if (isObjectId(value)) return;
  throw generalError([notObjectId(name)]);
}
