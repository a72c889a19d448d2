// Records the end of a run, and restores its error when a finished run is resumed.
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

/**
 * Records the end of the run if no rows are left to send, because the input has ended or the rest cannot be read. If
 * the record cannot be written, the run stays resumable.
 */
export function recordEnd(end: RunEnd, writeEnd: () => void): RunEnd {
  if (end.stopped !== null && !isInputBroken(end.cause)) return end;
  try {
    writeEnd();
    return end;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return { stopped: { reason: error.message }, cause: error };
  }
}
