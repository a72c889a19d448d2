// Messages for values that may have one of several forms: the complaint of the form that was meant.
import type { z } from 'zod';

type Union = Pick<z.core.$ZodIssueInvalidUnion, 'errors'>;

/**
 * An error map for a union. When the value has the type of an alternative, it says what is wrong
 * inside, with the path; else what was expected.
 */
export const expecting =
  (expectation: string) =>
  (issue: z.core.$ZodRawIssue): string => {
    const meant = issue.code === 'invalid_union' ? innermost(issue, []) : undefined;
    if (meant === undefined) return expectation;
    return [meant.path.join('.'), meant.message].filter((part) => part !== '').join(' ');
  };

/** The first issue of the alternative that comes closest, with its path from the union. */
function innermost(union: Union, path: string[]): { path: string[]; message: string } | undefined {
  const [closest] = union.errors
    .filter(([first]) => first !== undefined && !isOtherType(first))
    .sort((a, b) => a.length - b.length);
  const issue = closest?.[0];
  if (issue === undefined) return undefined;
  const reached = [...path, ...issue.path.map(String)];
  const inner = issue.code === 'invalid_union' ? innermost(issue, reached) : undefined;
  return inner ?? { path: reached, message: issue.message };
}

/** Whether an alternative was refused outright, because the value is of another type. */
const isOtherType = (issue: z.core.$ZodIssue) =>
  issue.path.length === 0 && issue.code === 'invalid_type';
