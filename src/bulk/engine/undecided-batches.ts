// Batches whose response was not conclusive. They stay unfinished in the journal until the plan has followed them up, so
// that a resumed run sends them again.
import type { Batch } from './batches.ts';
import type { DecidedRow, FollowUpContext, Outcome, Plan, UndecidedRow } from './plan.ts';

/** Max batches in memory. */
const maxBatches = 10_000;

export function createUndecidedBatches(
  { followUp }: Plan,
  recordOutcome: (batch: Batch, outcome: Outcome) => Promise<void>,
) {
  let entries: { batch: Batch; row: UndecidedRow }[] = [];
  let lastSentRow = 0;
  return {
    /** Adds the batch if its outcome is undecided; `followUp` records it later. Returns whether it was added. */
    addIfUndecided(batch: Batch, outcomes: readonly Outcome[]): boolean {
      lastSentRow = Math.max(lastSentRow, batch.last);
      const [row] = batch.rows;
      const [outcome] = outcomes;
      if (!followUp || !row || !outcome || outcomes.length > 1) return false;
      if (!('isUndecided' in outcome)) return false;
      entries.push({ batch, row: { id: row.id, number: row.number, outcome } });
      return true;
    },
    isFull: () => entries.length >= maxBatches,
    /** Follows up all batches. Call it when no request is in flight. Stops early when `isStopping` returns true. */
    async followUp(
      countRequests: FollowUpContext['countRequests'],
      isStopping: () => boolean,
    ): Promise<void> {
      if (!followUp || entries.length === 0) return;
      const batches = new Map(entries.map(({ batch, row }) => [row, batch]));
      entries = [];
      const rows = [...batches.keys()];
      for await (const { row, outcome } of followUp(rows, {
        lastSentRow,
        countRequests,
      }) as AsyncIterable<DecidedRow>) {
        const batch = batches.get(row);
        if (batch) await recordOutcome(batch, outcome);
        if (isStopping()) return;
      }
    },
  };
}
