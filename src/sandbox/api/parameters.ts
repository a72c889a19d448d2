// Validates what the schemas of cursor listings do not: cursors, and at most one of them.

import { withinDeadline } from '../../core/bounded-regexp.ts';
import { isObjectId } from '../../service/rules/formats.ts';
import { notObjectId } from '../../service/rules/rules.ts';
import { badRequest, checkFields, generalError } from '../http/http-error.ts';
import type { Scope } from '../store/scope.ts';

interface CursorQuery {
  after?: string | undefined;
  before?: string | undefined;
  orderBy?: string | undefined;
}

/** Returns the column to order by. */
export function checkCursorQuery(
  { after, before, orderBy = '_id' }: CursorQuery,
  columns: Record<string, string>,
): string {
  if (after !== undefined && before !== undefined) {
    throw badRequest('Cannot specify both "before" and "after" cursors at the same time.');
  }
  // The service fails with 500 for a cursor that is not an id.
  for (const [name, cursor] of Object.entries({ after, before })) {
    if (cursor !== undefined && !isObjectId(cursor))
      throw badRequest(`The ${name} cursor must be a valid MongoDB ObjectId`);
  }
  return (Object.hasOwn(columns, orderBy) ? columns[orderBy] : undefined) ?? 'id';
}

// Checks ids in paths: the service looks up internal ids alone.

/** Throws the validation error of a field of a command of the service. */
export function requireObjectId(
  { dialect }: Scope,
  command: string,
  name: string,
  value: string,
): void {
  if (isObjectId(value)) return;
  checkFields(dialect, command, { [name]: { messages: [notObjectId(name)], value } });
}

/** Throws the validation error of a request. */
export function requireObjectIdParameter(name: string, value: string): void {
  if (isObjectId(value)) return;
  throw generalError([notObjectId(name)]);
}

// The size of a page in routes whose handlers check it, after the rules of the request.

/** Throws the error of the service. */
export function checkPageSize(name: 'Limit' | 'Page size', size: number, most: number): void {
  if (size > most) throw badRequest(`${name} can not be larger then ${most}`);
}

// Applies a regular expression of a request, in limited time.

/** Returns the texts that match in any letter case. Throws for an invalid or too slow expression. */
export function matchingTexts(pattern: string, texts: readonly string[]): string[] {
  const matching = withinDeadline(() => {
    const regExp = toRegExp(pattern);
    return regExp && texts.filter((text) => regExp.test(text));
  })?.value;
  if (matching) return matching;
  throw badRequest(`Regular expression is invalid or takes too long: ${pattern}`);
}

function toRegExp(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'i');
  } catch {
    return undefined;
  }
}
