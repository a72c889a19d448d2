// Shared by all list commands: the command that prints the next page, and `--page-info`.
import type { Context } from '../../app/context.ts';
import { shellWord } from '../../core/shell-word.ts';
import { optionWords } from './format-options.ts';

interface Range {
  limit?: number;
  all?: boolean;
  before?: string;
  pageInfo?: boolean;
}

interface PageInfo {
  next?: string | null;
  previous?: string | null;
  hasMore?: boolean;
  offset?: number;
}

/** Options that select a part of the list. */
const pagingOptions = ['limit', 'all', 'after', 'before', 'includeCursor', 'offset', 'page'];

/** Returns the fields of a list result that depend on the paging options. */
export const nextPageHint = (line: string, context: Context, range: Range) => ({
  nextPageCommand: nextPageCommand(line, context, range),
  ...(range.pageInfo ? { pageInfo: true } : {}),
});

/** Returns a function that returns the command for the next page; undefined at the end or with --all. */
function nextPageCommand(line: string, { globals }: Context, range: Range) {
  const profile = globals.profile === undefined ? '' : ` --profile ${shellWord(globals.profile)}`;
  const limit = range.limit === undefined ? '' : ` --limit ${range.limit}`;
  const base = line + optionWords(range, pagingOptions) + profile;
  return (last: PageInfo, shown: number): string | undefined => {
    if (range.all || shown === 0) return undefined;
    if (range.before !== undefined) {
      return last.previous ? `${base} --before ${shellWord(last.previous)}${limit}` : undefined;
    }
    if (last.next) return `${base} --after ${shellWord(last.next)}${limit}`;
    if (last.hasMore && last.offset !== undefined) return `${base} --offset ${last.offset}${limit}`;
    return last.hasMore ? `${base} --all` : undefined;
  };
}
