// Recent values of this machine: the transactions that it triggered, whose jobs the service may still be
// creating, and workflows that had steps. They are stored in the completion cache, with the time as their name.

import { cacheFolder, type Machine } from '../config/folders.ts';
import type { ConfigStore } from '../config/store.ts';
import { unitMs } from '../core/durations.ts';
import { readValues, valueFolder } from './cache.ts';
import { addValues } from './recorder.ts';

interface Source {
  host: Machine & { clock: { now(): number } };
  globals: { profile?: string; baseUrl?: string };
  configuration: Pick<ConfigStore, 'read'>;
}

export const openRecentTransactions = (source: Source) =>
  openRecentValues(source, 'triggered', 5 * unitMs.m);

/** Workflows that had a step within the last day. */
export const openWorkflowsWithSteps = (source: Source) =>
  openRecentValues(source, 'workflows-with-steps', unitMs.d);

function openRecentValues(
  { host, globals, configuration }: Source,
  kind: string,
  recentMs: number,
) {
  const { now } = host.clock;
  const folder = () =>
    valueFolder(cacheFolder(host), { ...globals, env: host.env }, configuration.read());
  // Absolute difference, because the clock may have been set back.
  const isRecent = (moment: number) => Math.abs(now() - moment) <= recentMs;
  return {
    /** Whether a time is recent. */
    isRecent,
    add: (value: string) =>
      addValues(folder(), kind, [{ value, name: new Date(now()).toISOString() }]),
    /** The recent values. */
    all: (): ReadonlySet<string> =>
      new Set(
        readValues(folder(), kind)
          .filter(({ name = '' }) => isRecent(Date.parse(name)))
          .map(({ value }) => value),
      ),
  };
}
