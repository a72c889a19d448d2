// For all list commands: suggests the command that prints the next page, and handles `--page-info`.
import type { Context } from '../../app/context.ts';
import { optionText } from '../../cli/spelling.ts';
import { shellWord } from '../../core/text.ts';

interface PagingOptions {
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
const pagingOptionNames = ['limit', 'all', 'after', 'before', 'includeCursor', 'offset', 'page'];

/** Returns the fields of a list result that depend on the paging options. */
export const nextPageHint = (commandLine: string, context: Context, options: PagingOptions) => ({
  nextPageCommand: createNextPageCommand(commandLine, context, options),
  ...(options.pageInfo ? { pageInfo: true } : {}),
});

/** Returns a function for the command of the next page: undefined on the last page and with --all. */
function createNextPageCommand(commandLine: string, { propose }: Context, options: PagingOptions) {
  const limit = options.limit === undefined ? '' : ` --limit ${options.limit}`;
  return (lastPage: PageInfo, itemCount: number): string | undefined => {
    const { previous, next, hasMore, offset } = lastPage;
    if (options.all || itemCount === 0 || !(previous || next || hasMore)) return undefined;
    const base = propose(commandLine + optionText(options, pagingOptionNames));
    if (options.before !== undefined) {
      return previous ? `${base} --before ${shellWord(previous)}${limit}` : undefined;
    }
    if (next) return `${base} --after ${shellWord(next)}${limit}`;
    if (hasMore && offset !== undefined) return `${base} --offset ${offset}${limit}`;
    return hasMore ? `${base} --all` : undefined;
  };
}
