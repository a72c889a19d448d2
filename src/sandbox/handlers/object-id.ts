// Checks ids in paths: the service looks up internal ids alone.
import { isObjectId } from '../../service/rules/formats.ts';
import { notObjectId } from '../../service/rules/rules.ts';
import { checkFieldErrors, generalError } from '../values/http-error.ts';

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
