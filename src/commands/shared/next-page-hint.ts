// What every listing shares: the command that continues a partial one, and `--page-info`.
import type { Context } from '../../app/context.ts';
import { shellWord } from '../../core/shell-word.ts';
import { optionWords } from './format-options.ts';

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

/** Options that say which part of a listing is shown, and how much of it. */
const places = ['limit', 'all', 'after', 'before', 'includeCursor', 'offset', 'page'];

/** The members of a list result that follow from its options. */
export const nextPageHint = (line: string, context: Context, range: Range) => ({
  nextPageCommand: continuing(line, context, range),
  ...(range.pageInfo ? { pageInfo: true } : {}),
});

/** Names the next command from the facts of the last page; nothing at the end or when all was asked for. */
function continuing(line: string, { globals }: Context, range: Range) {
  const profile = globals.profile === undefined ? '' : ` --profile ${shellWord(globals.profile)}`;
  const limit = range.limit === undefined ? '' : ` --limit ${range.limit}`;
  const whole = line + optionWords(range, places) + profile;
  return (last: Facts, shown: number): string | undefined => {
    if (range.all || shown === 0) return undefined;
    if (range.before !== undefined) {
      return last.previous ? `${whole} --before ${shellWord(last.previous)}${limit}` : undefined;
    }
    if (last.next) return `${whole} --after ${shellWord(last.next)}${limit}`;
    if (last.hasMore && last.offset !== undefined)
      return `${whole} --offset ${last.offset}${limit}`;
    return last.hasMore ? `${whole} --all` : undefined;
  };
}
