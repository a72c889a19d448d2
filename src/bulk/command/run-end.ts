// The end of a run in its journal: when it is written, and what it says when the run is resumed once more.
import { SvcError } from '../../core/errors.ts';
import type { RunEnd } from '../engine/run.ts';
import type { Summary } from '../engine/stats.ts';
import { isBroken } from './report.ts';

/** A finished run that stopped early has an input that could not be read further. */
export const causeOf = ({ stopped }: Summary) =>
  stopped === null
    ? undefined
    : new SvcError(
        'partial',
        stopped.reason,
        stopped.line === undefined ? {} : { line: stopped.line },
      );

/** Records that nothing is left to do: the input has ended, or cannot be read further. A run whose end cannot be
 * written stays resumable. */
export function noted(exitReason: RunEnd, note: () => void): RunEnd {
  if (exitReason.stopped !== null && !isBroken(exitReason.cause)) return exitReason;
  try {
    note();
    return exitReason;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return { stopped: { reason: error.message }, cause: error };
  }
}
