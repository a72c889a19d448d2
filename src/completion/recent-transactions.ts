// Transactions that this machine triggered in the last minutes. They are kept like the values for Tab, with the time as
// their name: the service may still be creating their jobs.
import { knownValues, rememberValues } from './cache.ts';

const kind = 'triggered';
const recentMs = 5 * 60_000;

export interface RecentTransactions {
  remember(transactionId: string): void;
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
    remember: (value) =>
      rememberValues(folder(), kind, [{ value, name: new Date(now()).toISOString() }]),
    all: () =>
      new Set(
        knownValues(folder(), kind)
          .filter(({ name = '' }) => isRecent(Date.parse(name)))
          .map(({ value }) => value),
      ),
  };
}
