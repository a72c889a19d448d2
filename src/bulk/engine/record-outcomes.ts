// Records the outcomes of a batch: first in the journal, then in the statistics and row by row in the output.
import type { InputRecord } from '../../input/records.ts';
import type { Batch } from './batches.ts';
import type { RunOptions } from './run-options.ts';
import type { Outcome } from './sender.ts';
import { type Counts, createReasons } from './stats.ts';

interface FinishedRow {
  row: { number: number; record: InputRecord; id?: string };
  outcome: Outcome;
}

/** Max different reasons that the journal keeps for one batch. */
const maxReasonsPerBatch = 16;

export function createOutcomeRecorder(options: RunOptions) {
  const { journal, stats, sampleOf, onRowFinished } = options;

  return async (batch: Batch, outcomes: readonly Outcome[]): Promise<void> => {
    const [first] = outcomes;
    // Fast path: most batches succeed completely, and then single rows need no work.
    const isUniformSuccess =
      first && !onRowFinished && haveSameSuccess(outcomes, batch.rows.length);
    const rows = [...toUnsentRows(batch), ...(isUniformSuccess ? [] : toSentRows(batch, outcomes))];
    const counts: Counts = isUniformSuccess ? { [first.state]: outcomes.length } : {};
    const reasons = createReasons();
    const rejects: { number: number; text: string }[] = [];
    for (const { row, outcome } of rows) {
      counts[outcome.state] = (counts[outcome.state] ?? 0) + 1;
      const reason = findReason(outcome);
      if (reason === undefined) continue;
      reasons.add(reason, 1, () => (sampleOf ? [sampleOf(row.record, reason)] : []));
      rejects.push({ number: row.number, text: options.rejects.formatRow(row.record, reason) });
    }
    const rejectTexts = rejects.sort((a, b) => a.number - b.number).map(({ text }) => text);
    const topReasons = reasons.top(maxReasonsPerBatch);
    await journal.recordDone(batch, {
      counts,
      rejects: rejectTexts,
      reasons: topReasons,
      totals: () => stats.totals(batch.duplicates),
      // Counted only once recorded: a batch that the journal could not record is sent again by a resumed run.
      onRecorded() {
        stats.addOutcomes(counts, topReasons);
        stats.addDuplicates(batch.duplicates);
        stats.updateReachedByte(batch.end);
      },
    });
    for (const { row, outcome } of rows) onRowFinished?.(row, outcome);
  };
}

const toUnsentRows = ({ unsentRows }: Batch): FinishedRow[] =>
  unsentRows.map(({ reason, ...row }) => ({
    row,
    outcome: reason === undefined ? { state: 'skipped' } : { state: 'invalid', reason },
  }));

const toSentRows = ({ rows }: Batch, outcomes: readonly Outcome[]): FinishedRow[] =>
  rows.map((row, index) => ({ row, outcome: outcomes[index] ?? { state: 'unknown' } }));

/** Whether all rows have the same successful outcome. */
const haveSameSuccess = (outcomes: readonly Outcome[], rows: number): boolean => {
  const [first] = outcomes;
  if (first === undefined || findReason(first) !== undefined) return false;
  return outcomes.length === rows && outcomes.every((outcome) => outcome === first);
};

const findReason = (outcome: Outcome): string | undefined => {
  if ('reason' in outcome) return outcome.reason;
  return outcome.state === 'unknown' ? 'the response does not name it' : undefined;
};
