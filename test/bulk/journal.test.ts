// The journal of a run: sent and finished batches.
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDryRunJournal } from '../../src/bulk/journal/journal.ts';
import { emptyLedger } from '../../src/bulk/journal/ledger.ts';
import { readTransactionIds } from '../../src/bulk/journal/transaction-id-file.ts';
import { fileMode } from '../support/file-mode.ts';
import {
  createTotals,
  doneLine,
  endLine,
  finishedBatch,
  openFolder,
  sentLine,
  summary,
  writeLedger,
} from './run-folder.ts';
import { batch, openTestJournal } from './test-journal.ts';

describe('the journal of a new run', () => {
  it('records sent and finished batches, readable only by the user', async () => {
    const { journal, folder, ledger, released } = openTestJournal({ isNew: true });
    expect(journal).toMatchObject({ runId: 'r1', folder, earlier: emptyLedger() });
    expect(ledger()).toBe('');
    journal.recordSent(batch(1, 3), 'k', 0);
    expect(ledger()).toBe(sentLine(1, 3));
    await journal.recordDone(batch(1, 3), finishedBatch({ created: 3 }, [], createTotals(1)));
    journal.recordEnd(summary);
    expect(ledger()).toBe(sentLine(1, 3) + doneLine(1, 3) + endLine);
    expect(fileMode(path.join(folder, 'ledger.ndjson'))).toBe('600');
    expect(released).toEqual([]);
    await journal.close();
    expect(released).toEqual(['ticks']);
    expect(ledger()).toBe(sentLine(1, 3) + doneLine(1, 3) + endLine);
  });

  it('that stopped early records that it is complete, until the run is resumed', async () => {
    const { journal, folder, ledger } = openTestJournal({ isNew: true });
    journal.recordSent(batch(1, 3), 'k', 0);
    await journal.close();
    expect(ledger()).toBe(`${sentLine(1, 3)}{"complete":true}\n`);
    const resumed = openTestJournal({ folder });
    expect(resumed.journal.isComplete).toBe(true);
    expect(ledger()).toBe(`${sentLine(1, 3)}{"complete":true}\n{"complete":false}\n`);
    const afterKill = openTestJournal({ folder });
    expect(afterKill.journal.isComplete).toBe(false);
    await afterKill.journal.close();
    expect(ledger()).toBe(`${sentLine(1, 3)}{"complete":true}\n{"complete":false}\n`);
  });

  it('records the rows of a batch that does not contain its whole range', () => {
    const { journal, ledger } = openTestJournal();
    journal.recordSent(batch(1, 3), 'k', 0, [
      { number: 1, id: 'a' },
      { number: 3, id: 'c' },
    ]);
    expect(JSON.parse(ledger())).toMatchObject({ sent: [1, 3], rows: [1, 3] });
  });

  it('stores the transaction ids of a batch, and no rows if it contains its whole range', () => {
    const { journal, ledger, folder } = openTestJournal();
    const ids = [4, 5, 6].map((number) => ({ number, id: `txn_${number}` }));
    journal.recordSent(batch(4, 6), 'k', 0, ids);
    expect(ledger()).toBe(sentLine(4, 6));
    expect(readTransactionIds(folder)).toEqual(
      new Map([
        [4, 'txn_4'],
        [5, 'txn_5'],
        [6, 'txn_6'],
      ]),
    );
  });

  it.each([
    ['nothing', [], true],
    ['a sent batch', [sentLine(1, 3)], false],
    ['a finished batch', [sentLine(1, 3), doneLine(1, 3)], false],
    ['the end of a batch whose start is lost', [doneLine(1, 3)], false],
  ])('says whether an earlier process has sent anything: %s', async (_what, lines, isEmpty) => {
    const folder = openFolder();
    writeLedger(folder, ...lines);
    const { journal } = openTestJournal({ folder });
    expect(journal.isEmpty).toBe(isEmpty);
    await journal.close();
  });

  it('of a dry run looks up no earlier start', () => {
    expect(createDryRunJournal('r1').isEmpty).toBe(false);
  });

  it('records why rows were rejected, and how often', async () => {
    const { journal, ledger, folder } = openTestJournal();
    await journal.recordDone(batch(1, 9), {
      ...finishedBatch({ created: 4, invalid: 5 }, [], createTotals(1)),
      reasons: [
        { text: 'no email', count: 2 },
        { text: 'no id', count: 3 },
      ],
    });
    expect(JSON.parse(ledger()).reasons).toEqual({ 'no email': 2, 'no id': 3 });
    await journal.close();
    expect(openTestJournal({ folder }).journal.earlier.reasons).toEqual([
      { text: 'no id', count: 3 },
      { text: 'no email', count: 2 },
    ]);
  });

  it('records a check of the canary', async () => {
    const { journal, ledger, folder } = openTestJournal();
    const reasons = [{ cause: 'provider_error', count: 1 }];
    const counts = { sent: 2, delivered: 1, failed: 1, skipped: 0, waiting: 0, rate: 0.5 };
    const canary = { ...counts, reasons };
    journal.recordCanary({ canary, passed: false });
    expect(JSON.parse(ledger())).toEqual({ canary, passed: false });
    await journal.close();
    expect(openTestJournal({ folder }).journal.earlier.canary).toEqual({ canary, passed: false });
  });

  it('reports a recorded batch before the next one is recorded', async () => {
    const { journal, ledger } = openTestJournal();
    const lines: number[] = [];
    const onRecorded = () => lines.push(ledger().trim().split('\n').length);
    const result = { ...finishedBatch({ created: 1 }, [], createTotals(1)), onRecorded };
    await Promise.all([
      journal.recordDone(batch(1, 1), result),
      journal.recordDone(batch(2, 2), result),
    ]);
    expect(lines).toEqual([1, 2]);
  });

  it('has no finished rows and no versions of keys', async () => {
    const { journal } = openTestJournal();
    expect([1, 2, 3].some(journal.isFinished)).toBe(false);
    expect(journal.findKeyVersion({ first: 1, last: 3 })).toBeUndefined();
  });
});

describe('the journal of a resumed run', () => {
  it('contains the finished rows and the last version of the key of each batch', async () => {
    const folder = openFolder();
    writeLedger(folder, sentLine(1, 2), sentLine(3, 5), sentLine(3, 5, 2), doneLine(1, 2));
    const { journal } = openTestJournal({ folder });
    expect([1, 2, 3].filter(journal.isFinished)).toEqual([1, 2]);
    expect(journal.findKeyVersion({ first: 3, last: 5 })).toBe(2);
    expect(journal.findKeyVersion({ first: 1, last: 2 })).toBe(0);
    expect(journal.findKeyVersion({ first: 35, last: 2 })).toBeUndefined();
    expect(journal.earlier.counts).toEqual({ created: 2 });
  });

  it('is continued after its last complete line', async () => {
    const folder = openFolder();
    writeLedger(folder, sentLine(1, 2), '{"done":[1');
    const { journal, ledger } = openTestJournal({ folder });
    await journal.recordDone(batch(1, 2), finishedBatch({ created: 2 }, [], createTotals(1)));
    await journal.close();
    expect(ledger()).toBe(sentLine(1, 2) + doneLine(1, 2));
  });
});

describe('the journal of a dry run', () => {
  it('is empty and writes nothing', async () => {
    const folder = openFolder();
    const journal = createDryRunJournal('r1');
    expect(journal).toMatchObject({ runId: 'r1', folder: '', earlier: emptyLedger() });
    expect(journal.isComplete).toBe(true);
    expect(journal.isFinished(1)).toBe(false);
    expect(journal.findKeyVersion({ first: 1, last: 2 })).toBeUndefined();
    journal.recordSent(batch(1, 2), 'k', 0);
    let isRecorded = false;
    await journal.recordDone(batch(1, 2), {
      ...finishedBatch({ invalid: 2 }, ['a'], createTotals(1)),
      onRecorded: () => {
        isRecorded = true;
      },
    });
    await journal.recordDone(batch(3, 3), finishedBatch({ created: 1 }, [], createTotals(1)));
    expect(isRecorded).toBe(true);
    expect(journal.publishRejects()).toBeUndefined();
    expect(journal.rejectsFiles()).toEqual([]);
    journal.recordEnd(summary);
    await journal.close();
    expect(existsSync(path.join(folder, 'ledger.ndjson'))).toBe(false);
    rmSync(folder, { recursive: true });
  });
});
