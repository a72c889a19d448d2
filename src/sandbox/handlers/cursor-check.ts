// Validates what the schemas of cursor listings do not: the order field, and at most one cursor.
import { badRequest, unprocessable } from '../http/http-error.ts';

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
  const column = Object.hasOwn(columns, orderBy) ? columns[orderBy] : undefined;
  if (column !== undefined) return column;
  const messages = [`not one of ${Object.keys(columns).join(', ')}`];
  throw unprocessable('Validation failed', {
    members: { errors: { orderBy: { messages, value: orderBy } } },
  });
}
