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
import { openRejects, write } from './rejects-file.ts';

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
  /** Whether rows were rejected so far, by this process or an earlier one. */
  hasRejects(): boolean;
  /** The last line of a run that came to its end. */
  end(summary: Summary): void;
  close(): Promise<void>;
}

export interface JournalOptions {
  runId: string;
  folder: string;
  rejects: { file: string; format: RejectsFormat };
  /** Calls back again and again; returns what stops it. */
  every: (ms: number, tick: () => void) => () => void;
  /** Frees the run for other processes. */
  release: () => void;
}

/** What a power cut may lose at most. */
const syncEveryMs = 200;

export function openJournal(options: JournalOptions): Journal {
  const { folder, rejects } = options;
  const ledgerFile = path.join(folder, 'ledger.ndjson');
  mendLedger(ledgerFile);
  const before = readLedger(ledgerFile);
  const ledger = openSync(ledgerFile, 'a', 0o600);
  const isSettled = createPassage(before.settled);
  const epochs = new Map(before.sent.map(({ range, epoch }) => [range.join('-'), epoch]));
  const output = openRejects(rejects, before.rejects);
  let dirty = false;

  const append = (line: LedgerLine) => {
    write(ledger, `${JSON.stringify(line)}\n`, ledgerFile);
    dirty = true;
  };
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
      append({ done: [first, last], counts, rejects: output.size(), wire });
    },
    hasRejects: () => output.size() > 0,
    end: (summary) => append({ end: summary }),
    async close() {
      stopSyncing();
      output.close(rejects.format.tail);
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
  hasRejects: () => false,
  end: () => undefined,
  close: async () => undefined,
});
