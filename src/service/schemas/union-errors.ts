// Error messages for union schemas: reports the error of the alternative that matches the value best.
import type { z } from 'zod';

type Union = Pick<z.core.$ZodIssueInvalidUnion, 'errors'>;

/**
 * Returns an error map for a union. If the value has the type of an alternative, the message is the error inside it,
 * with its path; if not, the message is `expectation`.
 */
export const unionError =
  (expectation: string) =>
  (issue: z.core.$ZodRawIssue): string => {
    const closest = issue.code === 'invalid_union' ? closestIssue(issue, []) : undefined;
    if (closest === undefined) return expectation;
    return [closest.path.join('.'), closest.message].filter((part) => part !== '').join(' ');
  };

/** Returns the first issue of the alternative with the fewest issues, with its path from the union. */
function closestIssue(
  union: Union,
  path: string[],
): { path: string[]; message: string } | undefined {
  const [closest] = union.errors
    .filter(([first]) => first !== undefined && !isOtherType(first))
    .sort((a, b) => a.length - b.length);
  const issue = closest?.[0];
  if (issue === undefined) return undefined;
  const issuePath = [...path, ...issue.path.map(String)];
  const inner = issue.code === 'invalid_union' ? closestIssue(issue, issuePath) : undefined;
  return inner ?? { path: issuePath, message: issue.message };
}

/** True if an alternative does not apply because the value has another type. */
const isOtherType = (issue: z.core.$ZodIssue) =>
  issue.path.length === 0 && issue.code === 'invalid_type';
