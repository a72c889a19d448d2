// The journal of a run: a folder with manifest, ledger and rejects. A batch is in the ledger before it is
// sent and again once it is settled, so that a run that ended anyhow goes on where it was.
import { closeSync, fdatasync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { localError, usageError } from '../../errors.ts';
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
  const output = openRejects(options, before.rejects);
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

/** The rejects file: made with its first row, cut back to what the ledger knows when a run goes on. */
function openRejects({ rejects }: JournalOptions, known: number) {
  const { file, format } = rejects;
  let size = 0;
  let descriptor: number | undefined;
  // Who has taken rows out of it meanwhile keeps what is left; nothing is filled up.
  const kept = Math.min(known, statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  if (kept > 0) {
    descriptor = opened(file, 'r+');
    ftruncateSync(descriptor, kept);
    size = kept;
  }
  return {
    size: () => size,
    append(rows: readonly string[]) {
      if (rows.length === 0) return;
      descriptor ??= opened(file, 'w');
      const text = (size === 0 ? format.head : format.between) + rows.join(format.between);
      write(descriptor, text, file, size);
      size += Buffer.byteLength(text);
    },
    close(tail: string) {
      if (descriptor === undefined) return;
      write(descriptor, tail, file, size);
      closeSync(descriptor);
    },
  };
}

/** Asked before a run begins: its own rejects are in the way of none that goes on. */
export function refuseExisting(file: string): void {
  try {
    closeSync(openSync(file, 'r'));
  } catch {
    return;
  }
  throw usageError(`The rejects file ${file} exists already.`, {
    hint: 'Name another one with --rejects, or replace it with --force.',
  });
}

function opened(file: string, flags: string): number {
  try {
    return openSync(file, flags, 0o600);
  } catch (error) {
    throw unwritable(file, error);
  }
}

function write(descriptor: number, text: string, file: string, position?: number): void {
  try {
    const bytes = Buffer.from(text);
    let written = 0;
    while (written < bytes.length) {
      const at = position === undefined ? null : position + written;
      written += writeSync(descriptor, bytes, written, bytes.length - written, at);
    }
  } catch (error) {
    throw unwritable(file, error);
  }
}

const unwritable = (file: string, error: unknown) =>
  localError(`${file} cannot be written: ${(error as Error).message}`, {
    hint: 'What is settled stays settled. Make room or choose another place, then resume the run.',
  });
