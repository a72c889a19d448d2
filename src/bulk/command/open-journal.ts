// The journal of a bulk command: its folder, lock and rejects, for a new run or one that goes on.
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { counted } from '../../output/progress.ts';
import type { Journal, JournalOptions } from '../journal/journal.ts';
import type { Manifest } from '../journal/manifest.ts';

interface JournalFacts {
  manifest: Omit<Manifest, 'format'>;
  folder: string;
  rejects: JournalOptions['rejects'];
  /** A device or a pipe that --rejects names. */
  stream: string | undefined;
  before: { manifest: Manifest } | undefined;
  isDry: boolean;
}

/** Locks the run's folder and opens its journal; a dry run leaves nothing behind. */
export async function openRunJournal(
  context: Context,
  { manifest, folder, rejects, stream, before, isDry }: JournalFacts,
): Promise<Journal> {
  const { openJournal, unwrittenJournal } = await import('../journal/journal.ts');
  if (isDry) return unwrittenJournal(manifest.runId);
  const { refuseChanges, writeManifest } = await import('../journal/manifest.ts');
  const { lockRun, wasLeft } = await import('../journal/lock.ts');
  const { makeFolder } = await import('../journal/disk.ts');
  const { emptyReplaced } = await import('../journal/rejects-path.ts');
  const { pruneRuns } = await import('../journal/run-store.ts');
  const { host } = context;
  const wasKilled = before !== undefined && wasLeft(folder);
  if (before) refuseChanges(before.manifest, manifest);
  else {
    makeFolder(folder);
    writeManifest(folder, manifest);
    pruneRuns(path.dirname(folder), host, host.clock.now());
    emptyReplaced(rejects.file);
  }
  const release = lockRun(folder, host);
  try {
    const { runId } = manifest;
    const { every } = host.clock;
    const moved = (file: string, instead: string) =>
      context.note(
        `Another program has created ${file} meanwhile, so it stays as it is. Rejected rows go to ${instead}.`,
      );
    const opened = stream === undefined ? undefined : await openStream(stream, rejects);
    const journal = openJournal({
      runId,
      folder,
      rejects,
      stream: opened,
      every,
      moved,
      release,
      wasKilled,
    });
    if (journal.leftAlone) {
      const { file, instead } = journal.leftAlone;
      context.note(
        `${file} was changed since the run stopped, so it stays as it is. Further rejected rows go to ${instead}.`,
      );
    }
    const { unreadable } = journal.before;
    if (unreadable > 0) {
      context.note(
        `The journal has ${counted(unreadable, 'line')} that cannot be read. Rows that they settled are sent again with the same keys.`,
      );
    }
    return journal;
  } catch (error) {
    release();
    throw error;
  }
}

async function openStream(file: string, { format }: JournalOptions['rejects']) {
  const { openRejectsStream } = await import('../journal/rejects-stream.ts');
  return openRejectsStream(file, format);
}
