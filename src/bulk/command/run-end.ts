// The end of a run: errors after its last row, and the error of a finished run that is resumed.
import { SvcError } from '../../core/errors.ts';
import type { RunEnd } from '../engine/run.ts';
import type { Summary } from '../engine/stats.ts';
import { isInputBroken } from './report.ts';

/** Returns the error of a finished run whose input could not be read to the end; undefined for other finished runs. */
export const errorOfStoppedRun = ({ stopped }: Summary) =>
  stopped === null
    ? undefined
    : new SvcError(
        'partial',
        stopped.reason,
        stopped.line === undefined ? {} : { line: stopped.line },
      );

/** Whether no rows are left to send, because the input has ended or the rest cannot be read. */
export const isFinished = ({ stopped, cause }: RunEnd) => stopped === null || isInputBroken(cause);

/** Runs `act` after the last row. If it fails, the run counts as stopped, so that it can be resumed. */
export function stopOnError(end: RunEnd, act: () => void): RunEnd {
  try {
    act();
    return end;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return isFinished(end) ? { stopped: { reason: error.message }, cause: error } : end;
  }
}
