// Plain messages for values that break a schema, in place of the validator's own texts.
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

const units: Record<string, string> = { string: 'characters', array: 'items', set: 'items' };

/** Parameters for Zod's `parse`. A message defined in a schema takes precedence. */
export const plainMessages = { error: plainMessage };

function plainMessage(issue: z.core.$ZodRawIssue): string {
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
  const unit = Object.hasOwn(units, origin) ? units[origin] : undefined;
  return unit === undefined ? `be ${bound} ${limit}` : `have ${bound} ${limit} ${unit}`;
}

/** An issue as a sentence without its full stop: `color` is required. */
export function issueText({ path, message }: Pick<z.core.$ZodIssue, 'path' | 'message'>): string {
  const predicate = message.replace(/^not /, 'is not ');
  if (path.length === 0) return predicate;
  const field = `\`${path.join('.')}\``;
  return /^(is|must|has|names) /.test(predicate) ? `${field} ${predicate}` : `${field}: ${message}`;
}
