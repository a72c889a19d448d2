// A batch with its outcomes: noted in the journal first, then counted and reported row by row.
import type { InputRecord } from '../../input/records.ts';
import type { Batch } from './batches.ts';
import type { RunState } from './dispatcher.ts';
import type { Outcome } from './plan.ts';
import { createReasons } from './reasons.ts';
import type { RunOptions } from './run.ts';
import type { Counts } from './stats.ts';

interface SettledRow {
  row: { number: number; record: InputRecord; id?: string };
  outcome: Outcome;
}

/** Different reasons of one batch that the journal keeps. */
const mostNoted = 16;

export function createSettler(options: RunOptions, state: RunState) {
  const { journal, tally, settled: report } = options;
  const { cellsAgain } = options.source;
  const whole = (record: InputRecord): InputRecord =>
    record.cells === undefined && record.latin !== undefined && cellsAgain
      ? { ...record, cells: cellsAgain(record.latin) }
      : record;

  return async (batch: Batch, outcomes: readonly Outcome[]): Promise<void> => {
    const [first] = outcomes;
    // Most batches succeed as a whole, and then single rows are of no interest.
    const isPlain = first && !report && isOneSuccess(outcomes, batch.rows.length);
    const rows = [...refusedRows(batch), ...(isPlain ? [] : sentRows(batch, outcomes))];
    const counts: Counts = isPlain ? { [first.state]: outcomes.length } : {};
    const reasons = createReasons();
    const rejects: { number: number; text: string }[] = [];
    for (const { row, outcome } of rows) {
      counts[outcome.state] = (counts[outcome.state] ?? 0) + 1;
      const why = reasonOf(outcome);
      if (why === undefined) continue;
      reasons.add(why);
      rejects.push({ number: row.number, text: options.rejects.row(whole(row.record), why) });
    }
    const texts = rejects.sort((a, b) => a.number - b.number).map(({ text }) => text);
    const repeated = batch.rows.filter(({ isAgain }) => isAgain).length;
    const why = reasons.top(mostNoted);
    await journal.done(batch, {
      counts,
      rejects: texts,
      reasons: why,
      wire: () => tally.wire(repeated),
      // A batch that the journal does not take is sent again when the run is resumed, and counts then.
      noted() {
        tally.add(counts, why);
        tally.repeated(repeated);
        tally.reach(batch.end);
      },
    });
    for (const { row, outcome } of rows) report?.(row, outcome);
    stopAtTooManyErrors();
  };

  /** A resumed run is stopped by what it meets now, not by what stopped it before. */
  function stopAtTooManyErrors(): void {
    const bad = tally.newBad();
    if (!options.tooMany(bad, tally.newRows())) return;
    const more = bad < tally.bad() ? 'more rows' : 'rows';
    state.stopped ??= {
      reason: `${bad} ${more} are bad, more than --max-errors allows`,
      line: state.line,
    };
  }
}

const refusedRows = ({ refused }: Batch): SettledRow[] =>
  refused.map((row) => ({ row, outcome: { state: 'invalid', why: row.why } }));

const sentRows = ({ rows }: Batch, outcomes: readonly Outcome[]): SettledRow[] =>
  rows.map((row, index) => ({ row, outcome: outcomes[index] ?? { state: 'unknown' } }));

/** The same outcome for every row, and none to reject. */
const isOneSuccess = (outcomes: readonly Outcome[], rows: number): boolean => {
  const [first] = outcomes;
  if (first === undefined || reasonOf(first) !== undefined) return false;
  return outcomes.length === rows && outcomes.every((one) => one === first);
};

const reasonOf = (outcome: Outcome): string | undefined => {
  if ('why' in outcome) return outcome.why;
  return outcome.state === 'unknown' ? 'the answer does not name it' : undefined;
};
