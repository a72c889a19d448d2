// For all list commands: suggests the command that prints the next page, and handles `--page-info`.
import type { Context } from '../../app/context.ts';
import { optionText } from '../../cli/option-words.ts';
import { shellWord } from '../../core/shell-word.ts';

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

/** The returned function builds the command for the next page. It returns undefined on the last page and with --all. */
function createNextPageCommand(
  commandLine: string,
  { followUps }: Context,
  options: PagingOptions,
) {
  const limit = options.limit === undefined ? '' : ` --limit ${options.limit}`;
  const base = followUps.line(commandLine + optionText(options, pagingOptionNames));
  return (lastPage: PageInfo, itemCount: number): string | undefined => {
    if (options.all || itemCount === 0) return undefined;
    if (options.before !== undefined) {
      return lastPage.previous
        ? `${base} --before ${shellWord(lastPage.previous)}${limit}`
        : undefined;
    }
    if (lastPage.next) return `${base} --after ${shellWord(lastPage.next)}${limit}`;
    if (lastPage.hasMore && lastPage.offset !== undefined)
      return `${base} --offset ${lastPage.offset}${limit}`;
    return lastPage.hasMore ? `${base} --all` : undefined;
  };
}
