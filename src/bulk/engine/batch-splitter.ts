// A batch that the service rejects, part by part: rows that it names fail, a part that is too large or rejected
// without a named row is halved, until the rows at fault stand alone or the search costs too much.
import type { SvcError } from '../../core/errors.ts';
import type { Row } from './batches.ts';
import type { Outcome } from './plan.ts';

/** After this many rejected parts without one success, the fault is not in single rows. */
const mostWithoutSuccess = 16;
/** Rejected parts of one batch, for each level of halving: enough to find about eight rows. */
const mostForEachLevel = 16;

interface Part {
  rows: readonly Row[];
  /** The service's words for the larger part that it rejected. */
  why?: string;
}

/** `ordered`: rows with the same id have to be sent in the order of the input. */
export function createParts(all: readonly Row[], ordered: boolean) {
  const mostRejected = mostForEachLevel * Math.ceil(Math.log2(all.length));
  let waiting: Part[] = [{ rows: all }];
  let rejected = 0;
  let hasSuccess = false;
  const inOrder = once(() => ordered && new Set(all.map(({ id }) => id)).size < all.length);

  const halve = (rows: readonly Row[], why?: string) => {
    const half = Math.ceil(rows.length / 2);
    const said = why === undefined ? {} : { why };
    const halves = [rows.slice(0, half), rows.slice(half)].map((part) => ({ rows: part, ...said }));
    // Large parts first show whether most rows are good; small ones are searched one after the other.
    const isBroad = why !== undefined && rows.length * 2 >= all.length && !inOrder();
    waiting = isBroad ? [...waiting, ...halves] : [...halves, ...waiting];
  };
  /** The part and all others that wait only because of such a rejection. */
  const giveUp = (part: Part): [Row, Outcome][] => {
    const hopeless = waiting.filter(({ why }) => why !== undefined);
    waiting = waiting.filter(({ why }) => why === undefined);
    return [part, ...hopeless].flatMap(({ rows, why = '' }) => failing(rows, why));
  };
  const unnamed = (rows: readonly Row[], why: string): [Row, Outcome][] => {
    rejected += 1;
    if (rejected >= (hasSuccess ? mostRejected : mostWithoutSuccess)) return giveUp({ rows, why });
    if (rows.length === 1) return failing(rows, why);
    halve(rows, why);
    return [];
  };

  return {
    /** The rows of the next request; undefined when every row has its outcome. */
    next: () => waiting.shift()?.rows,
    succeeded() {
      hasSuccess = true;
    },
    /** Outcomes of rows that a rejection settles; the others wait for another request. */
    rejected(rows: readonly Row[], error: SvcError): [Row, Outcome][] {
      const { status } = error.details;
      if (status === 413) {
        if (rows.length === 1) return rows.map((row) => [row, tooLarge]);
        halve(rows);
        return [];
      }
      const named = namedItems(error, rows.length);
      if (named.size > 0) {
        const rest = rows.filter((_row, index) => !named.has(index));
        if (rest.length > 0) waiting = [{ rows: rest }, ...waiting];
        return rows.flatMap((row, index) => failing([row], named.get(index)));
      }
      if (status === 400 || status === 422) return unnamed(rows, reasonOf(error));
      return failing(rows, reasonOf(error));
    },
  };
}

const tooLarge: Outcome = { state: 'invalid', why: 'is larger than a request may be' };

const failing = (rows: readonly Row[], why: string | undefined): [Row, Outcome][] =>
  why === undefined ? [] : rows.map((row) => [row, { state: 'failed', why }]);

/** Which items a validation failure names, as `subscribers.<index>.<field> …` or in a field of that path. */
function namedItems(error: SvcError, count: number): Map<number, string> {
  const found = new Map<number, string>();
  for (const { field, message } of error.details.fieldErrors ?? []) {
    const text = field === '' || field === 'general' ? message : `${field} ${message}`;
    const match = /^[a-zA-Z]+\.(\d+)\.?(.*)$/s.exec(text);
    const index = Number(match?.[1]);
    // No number, or the number of an item that was not sent, names no row.
    if (!(index < count)) continue;
    found.set(index, [found.get(index), match?.[2]?.trim()].filter(Boolean).join('; '));
  }
  return found;
}

const reasonOf = (error: SvcError) => error.details.fieldErrors?.[0]?.message ?? error.message;

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
