import { badRequest } from '../values/http-error.ts';

/** The value of a parameter in a path. Throws the error of the service for an escape such as `%zz`. */
export function decodeParameter(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badRequest(`Failed to decode param '${text}'`);
  }
}
