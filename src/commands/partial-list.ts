// What every listing shares: the command that continues a partial one, and `--page-info`.
import type { Context } from '../context.ts';

interface Range {
  limit?: number;
  all?: boolean;
  before?: string;
  pageInfo?: boolean;
}

interface Facts {
  next?: string | null;
  previous?: string | null;
  hasMore?: boolean;
  offset?: number;
}

/** The members of a list result that follow from its options. */
export const partialList = (line: string, context: Context, range: Range) => ({
  more: continuing(line, context, range),
  ...(range.pageInfo ? { pageInfo: true } : {}),
});

/** A cursor comes from the service, and the command is there to be copied: a shell takes it as one word. */
const word = (cursor: string) =>
  /^[\w.:=+/-]+$/.test(cursor) ? cursor : `'${cursor.replaceAll("'", "'\\''")}'`;

/** Names the next command from the facts of the last page; nothing at the end or when all was asked for. */
function continuing(line: string, { globals }: Context, range: Range) {
  const profile = globals.profile === undefined ? '' : ` --profile ${globals.profile}`;
  const limit = range.limit === undefined ? '' : ` --limit ${range.limit}`;
  return (last: Facts, shown: number): string | undefined => {
    if (range.all || shown === 0) return undefined;
    const whole = `${line}${profile}`;
    if (range.before !== undefined) {
      return last.previous ? `${whole} --before ${word(last.previous)}${limit}` : undefined;
    }
    if (last.next) return `${whole} --after ${word(last.next)}${limit}`;
    if (last.hasMore && last.offset !== undefined)
      return `${whole} --offset ${last.offset}${limit}`;
    return last.hasMore ? `${whole} --all` : undefined;
  };
}
