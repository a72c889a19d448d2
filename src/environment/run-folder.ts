// The folder of a push among the runs: a backup of what is overwritten or deleted, and a journal for `svc runs`.
import path from 'node:path';
import type { Context } from '../app/context.ts';
import { createRunId, createRunTarget } from '../bulk/command/run-target.ts';
import { type Counts, createStats, createSummary } from '../bulk/engine/stats.ts';
import { ledgerFile, openLedger } from '../bulk/journal/ledger.ts';
import { openRunStore } from '../bulk/journal/run-store.ts';
import type { Mode } from '../service/mode.ts';
import { toFiles } from './definition-text.ts';
import { toEnvironmentFiles } from './folder.ts';
import type { PlannedItem, Push } from './push-types.ts';
import { isDefinition } from './resource.ts';
import { openSafeFolder } from './safe-folder.ts';

interface RunFolder {
  /** The folder with the previous versions, in the format of the files that are pushed; undefined if there are none. */
  backup: string | undefined;
  /** Records the outcome of one item. */
  record(outcome: keyof Counts): void;
  /** Ends the run; without this it counts as stopped. */
  finish(): void;
  close(): void;
}

/** Creates the folder. The backup is on disk before the first write. */
export async function openRunFolder(
  context: Context,
  { command, run }: Push,
  items: readonly PlannedItem[],
  mode: Mode,
): Promise<RunFolder> {
  const { host } = context;
  const store = openRunStore(host);
  const runId = createRunId(context);
  const folder = store.runFolder(runId);
  const target = await createRunTarget(context, runId);
  const held = store.hold(runId);
  store.create({
    runId,
    command,
    ...run,
    ...target,
    idScope: runId,
    file: null,
    rejects: path.join(folder, 'rejects'),
    startedAt: new Date(host.clock.now()).toISOString(),
    version: host.version,
  });
  const backup = path.join(folder, 'backup');
  const overwritten = items.flatMap(({ current }) => (current ? [current.resource] : []));
  const files = openSafeFolder(backup, folder, backup);
  const texts =
    command === 'environments push'
      ? toEnvironmentFiles(overwritten, mode)
      : overwritten.filter(isDefinition).flatMap((resource) => toFiles(resource, mode));
  for (const { path: name, text } of texts) files.write(name, text);
  const ledger = openLedger(ledgerFile(folder));
  const stats = createStats({ successStates: ['created', 'updated'], ticks: host.clock.ticks });
  return {
    backup: overwritten.length > 0 ? backup : undefined,
    record: (outcome) => {
      stats.addBatch();
      stats.addRequest(1);
      const counts = { [outcome]: 1 };
      stats.addOutcomes(counts);
      const row = stats.rows();
      ledger.append({ done: [row, row], counts, rejects: 0, wire: stats.totals() });
    },
    finish: () => {
      const details = { runId, rejectsFiles: [], resumed: false, stopped: null };
      ledger.append({ end: createSummary(stats, details) });
    },
    close: () => {
      ledger.close();
      held.release();
    },
  };
}
