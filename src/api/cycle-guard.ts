// Telling a listing that goes on from one that only says so: items that came before are passed over, and pages
// that bring nothing new are counted.
import { SvcError } from '../core/errors.ts';
import { exactText } from '../core/lossless-json.ts';

/** Newcomers can push a few pages onto the next ones; so many in a row mean that the service goes in circles. */
const mostIdlePages = 20;
/** Newcomers could push the first page far back once. */
const mostReturns = 2;

export interface CycleGuard {
  /** The items of a page that stood neither on the first page nor on the last two. Ends a listing in circles. */
  fresh<T>(items: readonly T[]): T[];
  /** Ends a listing that is sent back to where it has been. */
  refuse(cursor: string): never;
}

/** `what` names the request in errors: `GET /v2/topics`. */
export function createCycleGuard(what: string): CycleGuard {
  let first: Set<unknown> | undefined;
  let recent: Set<unknown>[] = [];
  let idle = 0;
  let returns = 0;
  const circles = (how: string) =>
    new SvcError('unavailable', `${what} does not end: ${how}.`, {
      hint: 'What was listed is there, but it may not be all. This is a fault of the service.',
    });
  return {
    fresh(items) {
      const ids = items.map(idOf);
      const page = new Set(ids);
      const wasAway = first && idle === 0 && !recent.includes(first);
      if (wasAway && items.length > 0 && ids.every((id) => first?.has(id))) returns += 1;
      if (returns >= mostReturns) throw circles('it came back to its first page again and again');
      const known = first ? [first, ...recent] : recent;
      const found = items.filter((_item, index) => !known.some((met) => met.has(ids[index])));
      idle = found.length > 0 ? 0 : idle + 1;
      if (idle >= mostIdlePages) throw circles(`${idle} pages in a row brought nothing new`);
      if (items.length > 0) first ??= page;
      recent = [...recent.slice(-1), page];
      return found;
    },
    refuse(cursor) {
      throw circles(`it gave the cursor ${cursor} twice`);
    },
  };
}

const idOf = (item: unknown) =>
  typeof item === 'object' && item !== null && typeof (item as { _id?: unknown })._id === 'string'
    ? (item as { _id: string })._id
    : exactText(item);
