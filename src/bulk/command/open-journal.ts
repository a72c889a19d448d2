// Opens the journal of a new or resumed run. Creates the folder of a new run and locks it.
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { counted } from '../../output/progress.ts';
import type { Journal, JournalOptions } from '../journal/journal.ts';
import type { Manifest } from '../journal/manifest.ts';

interface RunJournalOptions {
  manifest: Omit<Manifest, 'format'>;
  folder: string;
  rejects: JournalOptions['rejects'];
  /** Path of the device or pipe given with --rejects. */
  rejectsStreamPath: string | undefined;
  earlierRun: { manifest: Manifest } | undefined;
  isDryRun: boolean;
}

/** Locks the folder of the run and opens its journal. A dry run writes nothing. */
export async function openRunJournal(
  context: Context,
  { manifest, folder, rejects, rejectsStreamPath, earlierRun, isDryRun }: RunJournalOptions,
): Promise<Journal> {
  const { openJournal, createDryRunJournal } = await import('../journal/journal.ts');
  if (isDryRun) return createDryRunJournal(manifest.runId);
  const { refuseChanges, writeManifest } = await import('../journal/manifest.ts');
  const { lockRun, hasLockFiles } = await import('../journal/lock.ts');
  const { makeFolder } = await import('../journal/disk.ts');
  const { emptyReplacedFile } = await import('../journal/rejects-path.ts');
  const { pruneRuns } = await import('../journal/run-store.ts');
  const { host } = context;
  const wasKilled = earlierRun !== undefined && hasLockFiles(folder);
  if (earlierRun) refuseChanges(earlierRun.manifest, manifest);
  else {
    makeFolder(folder);
    writeManifest(folder, manifest);
    pruneRuns(path.dirname(folder), host, host.clock.now());
    emptyReplacedFile(rejects.file);
  }
  const release = lockRun(folder, host);
  try {
    const { runId } = manifest;
    const { every } = host.clock;
    const onRejectsMoved = (file: string, newFile: string) =>
      context.note(
        `Another program has created ${file} in the meantime, so it is not changed. Rejected rows go to ${newFile}.`,
      );
    const rejectsStream =
      rejectsStreamPath === undefined
        ? undefined
        : await openRejectsDevice(rejectsStreamPath, rejects);
    const journal = openJournal({
      runId,
      folder,
      rejects,
      stream: rejectsStream,
      every,
      onRejectsMoved,
      release,
      wasKilled,
    });
    if (journal.changedRejects) {
      const { file, newFile } = journal.changedRejects;
      context.note(
        `${file} was modified after the run stopped, so it is not changed. Further rejected rows go to ${newFile}.`,
      );
    }
    const { unreadable } = journal.earlier;
    if (unreadable > 0) {
      context.note(
        `The journal has ${counted(unreadable, 'unreadable line')}. Rows recorded there are sent again with the same idempotency keys.`,
      );
    }
    return journal;
  } catch (error) {
    release();
    throw error;
  }
}

async function openRejectsDevice(file: string, { format }: JournalOptions['rejects']) {
  const { openRejectsStream } = await import('../journal/rejects-stream.ts');
  return openRejectsStream(file, format);
}
