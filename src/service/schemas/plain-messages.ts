// Error messages for values that do not match a schema. They replace the default messages of Zod.
import type { z } from 'zod';

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const sizeUnits: Record<string, string> = { string: 'characters', array: 'items', set: 'items' };

/** An error with the place of the value. */
export interface ValueError {
  path: readonly PropertyKey[];
  message: string;
}

/** The errors of an issue in a file: one for each unknown field. */
export const toValueErrors = (issue: z.core.$ZodIssue): ValueError[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({ path: [...issue.path, key], message: 'is an unknown field' }))
    : [{ path: issue.path, message: issue.message }];

/** Parameters for Zod's `parse`. A message defined in a schema takes precedence. */
export const withPlainMessages = { error: toMessage };

function toMessage(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'unrecognized_keys') {
    const fields = issue.keys.map((key) => `"${key}"`).join(', ');
    return `unknown field${issue.keys.length > 1 ? 's' : ''} ${fields}`;
  }
  if (issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of: ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `must ${sizeText(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${sizeText(issue.origin, 'at most', issue.maximum)}`;
    default:
      return 'is not valid';
  }
}

function sizeText(origin: string, bound: string, limit: number | bigint): string {
  const unit = Object.hasOwn(sizeUnits, origin) ? sizeUnits[origin] : undefined;
  return unit === undefined ? `be ${bound} ${limit}` : `have ${bound} ${limit} ${unit}`;
}

/** Formats an issue as a sentence without the final period, such as: `color` is required */
export function formatIssue({ path, message }: Pick<z.core.$ZodIssue, 'path' | 'message'>): string {
  const predicate = message.replace(/^not /, 'is not ');
  if (path.length === 0) return predicate;
  const field = `\`${path.join('.')}\``;
  return /^(is|must|has|names) /.test(predicate) ? `${field} ${predicate}` : `${field}: ${message}`;
}

// Error messages for union schemas: reports the error of the alternative that matches the value best.

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
