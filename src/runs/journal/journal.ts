// The journal of a run: a folder with manifest, ledger and rejects. A batch is in the ledger before it is
// sent and again once it is settled, so that a run that ended anyhow goes on where it was.
import { closeSync, fdatasync, openSync } from 'node:fs';
import path from 'node:path';
import type { Batch } from '../batches.ts';
import type { RejectsFormat } from '../rejects.ts';
import type { Counts, Summary, Wire } from '../tally.ts';
import {
  createPassage,
  emptyLedger,
  type LedgerFacts,
  type LedgerLine,
  mendLedger,
  readLedger,
} from './ledger.ts';
import { fileBeside, isChanged, openRejects, write } from './rejects-file.ts';

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
  /** Settles a batch: its rejects first, then its line. */
  done(batch: Batch, counts: Counts, rejects: readonly string[], wire: Wire): void;
  /** Where rows that were rejected so far stand; null when there are none. */
  rejectsFile(): string | null;
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
  /** Calls back again and again; returns what stops it. */
  every: (ms: number, tick: () => void) => () => void;
  /** Told when somebody else has made the file of the rejects meanwhile, so that they go to another one. */
  moved: (file: string, instead: string) => void;
  /** Frees the run for other processes. */
  release: () => void;
  /** The process before this one had no time to close the journal. */
  wasKilled?: boolean;
}

/** What a power cut may lose at most. */
const syncEveryMs = 200;

export function openJournal(options: JournalOptions): Journal {
  const { folder } = options;
  const ledgerFile = path.join(folder, 'ledger.ndjson');
  mendLedger(ledgerFile);
  const before = readLedger(ledgerFile);
  const ledger = openSync(ledgerFile, 'a', 0o600);
  const isSettled = createPassage(before.settled);
  const epochs = new Map(before.sent.map(({ range, epoch }) => [range.join('-'), epoch]));
  let dirty = false;

  const append = (line: LedgerLine) => {
    write(ledger, `${JSON.stringify(line)}\n`, ledgerFile);
    dirty = true;
  };
  const earlier = before.movedTo.at(-1) ?? options.rejects.file;
  const { format } = options.rejects;
  const leftAlone = isChanged(
    { file: earlier, format },
    { size: before.rejects, mark: before.mark, torn: options.wasKilled === true },
  )
    ? { file: earlier, instead: fileBeside(options.rejects.file) }
    : undefined;
  if (leftAlone) append({ rejectsTo: leftAlone.instead });
  const file = leftAlone?.instead ?? earlier;
  const isElsewhere = before.movedTo.some((to) => to !== options.rejects.file);
  const changed = leftAlone?.file ?? (isElsewhere ? options.rejects.file : null);
  const isInFolder = path.dirname(file) === folder;
  const output = openRejects(
    { file, format },
    {
      known: leftAlone ? 0 : before.rejects,
      isOurs: isInFolder || (before.isMade && before.rejects === 0),
      made: (own) => {
        append({ rejectsTo: own, made: true });
        if (own !== file) options.moved(file, own);
      },
    },
  );
  const sync = (descriptor: number) =>
    new Promise<void>((resolve) => fdatasync(descriptor, () => resolve()));
  const stopSyncing = options.every(syncEveryMs, () => {
    if (!dirty) return;
    dirty = false;
    void sync(ledger);
  });

  return {
    runId: options.runId,
    folder,
    before,
    isSettled,
    epochOf: ({ first, last }) => epochs.get(`${first}-${last}`),
    sent: ({ first, last, start, end }, key, epoch) =>
      append({ sent: [first, last], bytes: [start, end], key, epoch }),
    done({ first, last }, counts, texts, wire) {
      output.append(texts);
      const mark = output.mark();
      append({
        done: [first, last],
        counts,
        rejects: output.size(),
        mark,
        wire,
      });
    },
    rejectsFile: () => (output.size() > 0 ? output.file() : changed),
    leftAlone,
    end(summary) {
      output.close(format.tail);
      append({ end: summary });
    },
    async close() {
      stopSyncing();
      output.close(format.tail);
      await sync(ledger);
      closeSync(ledger);
      options.release();
    },
  };
}

/** For a dry run: nothing is written and nothing was done before. */
export const unwrittenJournal = (runId: string): Journal => ({
  runId,
  folder: '',
  before: emptyLedger(),
  isSettled: () => false,
  epochOf: () => undefined,
  sent: () => undefined,
  done: () => undefined,
  rejectsFile: () => null,
  leftAlone: undefined,
  end: () => undefined,
  close: async () => undefined,
});
