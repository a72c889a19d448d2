// Transactions that this machine triggered in the last minutes. They are kept like the values for Tab, with the time as
// their name: the service may still be creating their jobs.
import { addValues, readValues } from './cache.ts';

const kind = 'triggered';
const recentMs = 5 * 60_000;

export interface RecentTransactions {
  add(transactionId: string): void;
  /** Those of the last five minutes. */
  all(): ReadonlySet<string>;
  /** Whether a moment is within the last five minutes. */
  isRecent(moment: number): boolean;
}

export function createRecentTransactions(
  folder: () => string,
  now: () => number,
): RecentTransactions {
  // The clock of this machine may have been set back.
  const isRecent = (moment: number) => Math.abs(now() - moment) <= recentMs;
  return {
    isRecent,
    add: (value) => addValues(folder(), kind, [{ value, name: new Date(now()).toISOString() }]),
    all: () =>
      new Set(
        readValues(folder(), kind)
          .filter(({ name = '' }) => isRecent(Date.parse(name)))
          .map(({ value }) => value),
      ),
  };
}
