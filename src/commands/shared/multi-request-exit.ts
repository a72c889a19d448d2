// How a command of several requests ends when some of them fail: what is done stays done and is shown.
import type { SvcError } from '../../core/errors.ts';
import type { ReportResult } from '../../output/result.ts';

/** Thrown when nothing was done; else partial, or the error after which the rest was not tried. */
export function multiRequestExit(
  errors: readonly SvcError[],
  answers: readonly unknown[],
): Pick<ReportResult, 'exitReason' | 'cause'> {
  const [first] = errors;
  const last = errors.at(-1);
  if (first === undefined || last === undefined) return {};
  const isOver = last.exitReason !== 'refused' && last.exitReason !== 'notFound';
  if (errors.length === answers.length) throw isOver ? last : first;
  return isOver ? { exitReason: last.exitReason, cause: last } : { exitReason: 'partial' };
}
