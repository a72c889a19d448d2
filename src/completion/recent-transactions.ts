// Transactions that this machine triggered in the last minutes: the service may still be creating their jobs. They are
// stored in the completion cache, with the time as their name.
import { cacheFolder, type Machine } from '../config/folders.ts';
import type { ConfigStore } from '../config/store.ts';
import { addValues } from './add-values.ts';
import { readValues, valueFolder } from './cache.ts';

const kind = 'triggered';
const recentMs = 5 * 60_000;

/** The parts of a context that it needs. */
interface Source {
  host: Machine & { clock: { now(): number } };
  globals: { profile?: string; baseUrl?: string };
  configuration: Pick<ConfigStore, 'read'>;
}

export function openRecentTransactions({ host, globals, configuration }: Source) {
  const { now } = host.clock;
  const folder = () =>
    valueFolder(cacheFolder(host), { ...globals, env: host.env }, configuration.read());
  // Absolute difference, because the clock may have been set back.
  const isRecent = (moment: number) => Math.abs(now() - moment) <= recentMs;
  return {
    /** Whether a time is within the last five minutes. */
    isRecent,
    add: (value: string) =>
      addValues(folder(), kind, [{ value, name: new Date(now()).toISOString() }]),
    /** The transactions of the last five minutes. */
    all: (): ReadonlySet<string> =>
      new Set(
        readValues(folder(), kind)
          .filter(({ name = '' }) => isRecent(Date.parse(name)))
          .map(({ value }) => value),
      ),
  };
}
