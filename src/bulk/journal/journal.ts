// The journal of a run: a folder with manifest, ledger and rejects. A batch is in the ledger before it is sent and
// again once it is settled, so that a run can be resumed however it ended.
import { existsSync, fdatasync } from 'node:fs';
import path from 'node:path';
import type { Batch } from '../engine/batches.ts';
import type { Reason } from '../engine/reasons.ts';
import type { Counts, Summary, Wire } from '../engine/stats.ts';
import { createCommits, type KnownRows } from './commits.ts';
import { syncFolder } from './disk.ts';
import {
  createPassage,
  emptyLedger,
  type LedgerFacts,
  openLedger,
  readLedger,
  rejectsFilesOf,
  withPlaces,
} from './ledger.ts';
import type { DoneLine } from './ledger-lines.ts';
import { fileBeside, isChanged, openRejects } from './rejects-file.ts';
import type { RejectsFormat } from './rejects-format.ts';
import type { RejectsStream } from './rejects-stream.ts';
import { toStored } from './stored-paths.ts';

/** What became of the rows of a batch. */
export interface SettledBatch {
  counts: Counts;
  /** The rejected rows as text. */
  rejects: readonly string[];
  /** Why they were rejected. */
  reasons?: readonly Reason[];
  /** What the run has cost, with this batch; asked when its line is written. */
  wire: () => Wire;
  /** Called as soon as the line is written, before that of any other batch. */
  noted?: () => void;
}

export interface Journal {
  runId: string;
  folder: string;
  /** What an earlier process has done; all empty for a new run. */
  before: LedgerFacts;
  /** Whether a row has its outcome from an earlier process. Asked for rows in rising order. */
  isSettled(row: number): boolean;
  /** The epoch that a batch of these rows was last sent with, if it was. */
  epochOf(batch: Pick<Batch, 'first' | 'last'>): number | undefined;
  sent(batch: Batch, key: string, epoch: number): void;
  /** Settles a batch: its rejects are on the disk before its line is written. */
  done(batch: Batch, settled: SettledBatch): Promise<void>;
  /** All files with rejected rows; the last one is where later rows go. */
  rejectsFiles(): string[];
  /** The rejects of an earlier process, when somebody has changed them since: they stay, others go elsewhere. */
  leftAlone: { file: string; instead: string } | undefined;
  /** Ends the rejects, and notes that the run came to its end. */
  end(summary: Summary): void;
  close(): Promise<void>;
}

export interface JournalOptions {
  runId: string;
  folder: string;
  rejects: { file: string; format: RejectsFormat };
  /** A device or a pipe that gets the rejected rows too. */
  stream?: RejectsStream | undefined;
  /** Calls back again and again; returns what stops it. */
  every: (ms: number, tick: () => void) => () => void;
  /** Called when somebody else has made the rejects file meanwhile, so that rejects go to another one. */
  moved: (file: string, instead: string) => void;
  /** Frees the run for other processes. */
  release: () => void;
  /** The process before this one had no time to close the journal. */
  wasKilled?: boolean;
}

/** What a power cut may lose at most. */
const syncEveryMs = 200;

export function openJournal(options: JournalOptions): Journal {
  const { folder, stream } = options;
  const ledgerFile = path.join(folder, 'ledger.ndjson');
  const before = readLedger(ledgerFile);
  const ledger = openLedger(ledgerFile);
  syncFolder(folder);
  const isSettled = createPassage(before.settled);
  const epochs = new Map(before.sent.map(({ range, epoch }) => [range.join('-'), epoch]));
  let isDirty = false;

  const append: typeof ledger.append = (line) => {
    ledger.append(line);
    isDirty = true;
  };
  const earlier = before.movedTo.at(-1) ?? options.rejects.file;
  const { format } = options.rejects;
  const leftAlone = isChanged(
    { file: earlier, format },
    { size: before.rejects, mark: before.mark, torn: options.wasKilled === true },
  )
    ? { file: earlier, instead: fileBeside(options.rejects.file) }
    : undefined;
  const rejectsTo = (file: string) => ({ rejectsTo: toStored(folder, file) });
  if (leftAlone) append(rejectsTo(leftAlone.instead));
  const file = leftAlone?.instead ?? earlier;
  const filled = rejectsFilesOf(before, options.rejects.file);
  const output = openRejects(
    { file, format },
    {
      known: leftAlone ? 0 : before.rejects,
      isOurs: path.dirname(file) === folder || (before.isMade && before.rejects === 0),
      made: (own) => {
        append({ ...rejectsTo(own), made: true });
        if (own !== file) options.moved(file, own);
      },
    },
  );
  const commits = createCommits(output, stream);
  const sync = () => new Promise<void>((resolve) => fdatasync(ledger.descriptor, () => resolve()));
  const stopSyncing = options.every(syncEveryMs, () => {
    if (!isDirty) return;
    isDirty = false;
    void sync();
  });
  const endRejects = () => {
    output.close(format.tail);
    stream?.close();
  };

  return {
    runId: options.runId,
    folder,
    before,
    isSettled,
    epochOf: ({ first, last }) => epochs.get(`${first}-${last}`),
    sent: ({ first, last, start, end }, key, epoch) =>
      append({ sent: [first, last], bytes: [start, end], key, epoch }),
    async done({ first, last }, { counts, rejects, reasons = [], wire, noted }) {
      const note = ({ size, mark }: KnownRows) => {
        const line: DoneLine = { done: [first, last], counts, rejects: size, mark, wire: wire() };
        append(reasons.length === 0 ? line : { ...line, reasons: countsOf(reasons) });
        noted?.();
      };
      if (rejects.length === 0) note(commits.known());
      else await commits.add({ rows: rejects, note });
    },
    rejectsFiles: () => [
      ...filled.filter((one) => one !== output.file() && existsSync(one)),
      ...(output.size() > 0 ? [output.file()] : []),
    ],
    leftAlone,
    end(summary) {
      endRejects();
      append({ end: withPlaces(summary, (file) => toStored(folder, file)) });
    },
    async close() {
      stopSyncing();
      try {
        endRejects();
      } catch {
        // The run has not come to its end, and resuming it ends the file.
      }
      await sync();
      ledger.close();
      options.release();
    },
  };
}

const countsOf = (reasons: readonly Reason[]) =>
  Object.fromEntries(reasons.map(({ why, count }) => [why, count]));

/** For a dry run: nothing is written and nothing was done before. */
export const unwrittenJournal = (runId: string): Journal => ({
  runId,
  folder: '',
  before: emptyLedger(),
  isSettled: () => false,
  epochOf: () => undefined,
  sent: () => undefined,
  done: async (_batch, { noted }) => noted?.(),
  rejectsFiles: () => [],
  leftAlone: undefined,
  end: () => undefined,
  close: async () => undefined,
});
