// The journal of a bulk command: its folder, lock and rejects, for a new run or one that goes on.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../context.ts';
import type { Journal } from '../runs/journal/journal.ts';
import type { Manifest } from '../runs/journal/manifest.ts';

interface JournalFacts {
  manifest: Omit<Manifest, 'format'>;
  folder: string;
  rejects: Parameters<typeof import('../runs/journal/journal.ts').openJournal>[0]['rejects'];
  before: { manifest: Manifest } | undefined;
  isDry: boolean;
}

/** Locks the run's folder and opens its journal; a dry run leaves nothing behind. */
export async function openRunJournal(
  context: Context,
  { manifest, folder, rejects, before, isDry }: JournalFacts,
): Promise<Journal> {
  const { openJournal, unwrittenJournal } = await import('../runs/journal/journal.ts');
  if (isDry) return unwrittenJournal(manifest.runId);
  const { refuseChanges, writeManifest } = await import('../runs/journal/manifest.ts');
  const { lockRun, wasLeft } = await import('../runs/journal/lock.ts');
  const { emptyReplaced } = await import('../runs/journal/rejects-file.ts');
  const { pruneRuns } = await import('../runs/journal/stored-runs.ts');
  const { world } = context;
  const wasKilled = before !== undefined && wasLeft(folder);
  if (before) refuseChanges(before.manifest, manifest);
  else {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeManifest(folder, manifest);
    pruneRuns(path.dirname(folder), world, world.clock.now());
    emptyReplaced(rejects.file);
  }
  const release = lockRun(folder, world);
  try {
    const { runId } = manifest;
    const { every } = world.clock;
    const moved = (file: string, instead: string) =>
      context.note(
        `${file} was made by somebody else meanwhile and stays as it is: what is rejected goes to ${instead}.`,
      );
    const journal = openJournal({ runId, folder, rejects, every, moved, release, wasKilled });
    if (journal.leftAlone) {
      const { file, instead } = journal.leftAlone;
      context.note(
        `${file} was changed since and stays as it is: what is rejected from here on goes to ${instead}.`,
      );
    }
    return journal;
  } catch (error) {
    release();
    throw error;
  }
}
