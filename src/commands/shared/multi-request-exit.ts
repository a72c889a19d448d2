// The responses and the exit of a command that sends several requests of which some fail. Completed requests are still
// printed.
import { SvcError, stopsRequests } from '../../core/errors.ts';
import { exit, type ReportEnd } from '../../output/result.ts';

/** Throws if every request failed. Otherwise returns partial, or the error that stopped the command. */
export function multiRequestExit(
  errors: readonly SvcError[],
  responses: readonly unknown[],
): Exclude<ReportEnd, { kind: 'work' }> | undefined {
  const [first] = errors;
  const last = errors.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const isFatal = stopsRequests(last);
  if (errors.length === responses.length) throw isFatal ? last : first;
  return isFatal ? { kind: 'error', cause: last } : exit('partial');
}

/** Reads all responses: the values, and the errors of rejected requests. */
export async function readResponses<T>(responses: AsyncIterable<{ value: T } | SvcError>) {
  const values: T[] = [];
  const errors: SvcError[] = [];
  for await (const response of responses)
    if (response instanceof SvcError) errors.push(response);
    else values.push(response.value);
  return { values, errors };
}
