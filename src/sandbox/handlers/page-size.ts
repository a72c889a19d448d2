// The size of a page in routes whose handlers check it, after the rules of the request.
import { badRequest } from '../values/http-error.ts';

/** Throws the error of the service. */
export function checkPageSize(name: 'Limit' | 'Page size', given: number, most: number): void {
  if (given > most) throw badRequest(`${name} can not be larger then ${most}`);
}
