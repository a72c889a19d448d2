// All subscribers, oldest first, from a position on.
import type { Context } from '../../app/context.ts';
import { type Cursor, pagesFrom } from './cursor-pages.ts';

/** Includes those who are created while the pages are read. */
export const subscriberPages = (context: Context, from: Cursor) =>
  pagesFrom(from, (after) =>
    context.pages('listSubscribers', { query: { orderDirection: 'ASC', after } }, { all: true }),
  );
