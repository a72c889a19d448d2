// Splits transaction ids into the groups that one request of the activity listing can ask for.
import { limits } from '../../service/limits.ts';

/** Max length of the ids in the URL of a request. */
const maxGroupLength = 6_000;

export function groupTransactions<T>(entries: readonly T[], idOf: (entry: T) => string): T[][] {
  const groups: T[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    const idLength = encodeURIComponent(idOf(entry)).length;
    const last = groups.at(-1);
    if (last && last.length < limits.valuesPerParameter && length + idLength <= maxGroupLength) {
      last.push(entry);
      length += idLength;
    } else {
      groups.push([entry]);
      length = idLength;
    }
  }
  return groups;
}
