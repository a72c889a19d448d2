// How a command ends after its report is printed.
import { type ExitReason, SvcError } from '../core/errors.ts';
import { type ExitEnd, plainText, type ReportResult } from '../output/result.ts';

/** Returns the exit reason, or throws the error of the report. Data formats do not print its lines. */
export async function endCommand(
  { end, lines }: Pick<ReportResult, 'end' | 'lines'>,
  hasPrintedLines: boolean,
): Promise<ExitReason> {
  switch (end?.kind) {
    case undefined:
      return 'ok';
    case 'error':
      throw end.cause;
    case 'work':
      return end.run();
    case 'exit':
      // A difference is a result and not an error.
      if (end.exitReason === 'ok' || end.exitReason === 'different') return end.exitReason;
      if (!hasPrintedLines) throw outcomeError(lines.map(plainText), end);
      return end.exitReason;
  }
}

function outcomeError(
  [first = '', ...rest]: readonly string[],
  { exitReason, failure }: ExitEnd,
): SvcError {
  if (failure) return new SvcError(exitReason, failure.message, failure);
  const fieldErrors = rest.map((line) => ({ field: '', message: line.trim() }));
  return new SvcError(exitReason, first, { fieldErrors });
}
