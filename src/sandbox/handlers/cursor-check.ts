// Validates what the schemas of cursor listings do not: cursors, and at most one of them.
import { isObjectId } from '../../service/rules/formats.ts';
import { badRequest } from '../values/http-error.ts';

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
