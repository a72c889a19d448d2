// Commands that send several requests, of which some can fail: their responses, their exit, and the report of deletions.
// Completed requests are still printed.

import { SvcError, stopsRequests } from '../../core/errors.ts';
import { counted } from '../../core/text.ts';
import * as result from '../../output/result.ts';

/** Throws if every request failed. Otherwise returns partial, or the error that stopped the command. */
export function multiRequestExit(
  errors: readonly SvcError[],
  responses: readonly unknown[],
): Exclude<result.ReportEnd, { kind: 'work' }> | undefined {
  const [first] = errors;
  const last = errors.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const isFatal = stopsRequests(last);
  if (errors.length === responses.length) throw isFatal ? last : first;
  return isFatal ? { kind: 'error', cause: last } : result.exit('partial');
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

// The report of a command that deletes several resources with one request each.

interface Deletion {
  id: string;
  /** Null if the outcome is unknown. */
  deleted: boolean | null;
  error?: string;
}

interface Deletions {
  ids: readonly string[];
  /** The name of the id in the output. */
  field: string;
  /** `subscriber`. */
  noun: string;
  /** The response to each request, in the order of `ids`; may end early. */
  responses: AsyncIterable<unknown>;
}

/** `subscriber u1`, `3 subscribers`. */
export const idsText = (ids: readonly string[], noun: string) =>
  ids.length === 1 ? `${noun} ${ids[0]}` : counted(ids.length, noun);

/** The JSON output is an array of {<field>, deleted, error}. Throws if every request failed. */
export async function reportDeletions({ ids, field, noun, responses }: Deletions) {
  const outcomes: unknown[] = [];
  for await (const response of responses) outcomes.push(response);
  const errors = outcomes.filter((outcome) => outcome instanceof SvcError);
  const deletions = ids.map((id, index) =>
    toDeletion(id, outcomes[index], index < outcomes.length),
  );
  const failed = deletions.filter(({ deleted }) => deleted !== true);
  const end = multiRequestExit(errors, outcomes);
  const count = failed.length === 0 ? '' : `${ids.length - failed.length} of `;
  return result.report({
    value: deletions.map(({ id, ...rest }) => ({ [field]: id, ...rest })),
    columns: [{ field }, { field: 'deleted' }, { field: 'error' }].map((column) => ({
      ...column,
      header: column.field.toUpperCase(),
    })),
    headline: `Deleted ${count}${idsText(ids, noun)}`,
    lines: failed.map(({ id, error }) => `${id}: not deleted: ${error}`),
    ids: deletions.filter(({ deleted }) => deleted === true).map(({ id }) => id),
    ...(end ? { end: end.kind === 'exit' ? withFailure(end, failed, ids, noun) : end } : {}),
  });
}

function toDeletion(id: string, outcome: unknown, wasSent: boolean): Deletion {
  if (!wasSent) return { id, deleted: false, error: 'not sent after an earlier error' };
  if (!(outcome instanceof SvcError)) return { id, deleted: true };
  return { id, deleted: outcome.details.maybeApplied ? null : false, error: outcome.message };
}

/** Adds the error report for output as data. */
const withFailure = (
  end: result.ExitEnd,
  failed: readonly Deletion[],
  ids: readonly string[],
  noun: string,
): result.ExitEnd => ({
  ...end,
  failure: {
    message: `${failed.length} of ${counted(ids.length, noun)} were not deleted.`,
    fieldErrors: failed.map(({ id, error = '' }) => ({ field: id, message: error })),
  },
});
