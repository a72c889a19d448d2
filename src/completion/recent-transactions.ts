// Transactions that this machine triggered in the last minutes: the service may still be creating their jobs. They are
// stored in the completion cache, with the time as their name.
import { addValues, readValues } from './cache.ts';

const kind = 'triggered';
const recentMs = 5 * 60_000;

export interface RecentTransactions {
  add(transactionId: string): void;
  /** The transactions of the last five minutes. */
  all(): ReadonlySet<string>;
  /** Whether a time is within the last five minutes. */
  isRecent(moment: number): boolean;
}

export function createRecentTransactions(
  folder: () => string,
  now: () => number,
): RecentTransactions {
  // Absolute difference, because the clock may have been set back.
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
