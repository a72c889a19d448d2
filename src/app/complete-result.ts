// Completes the result of a command: where it wrote, and the service that the commands it proposes select.
import type { Result } from '../output/result.ts';
import type { Context } from './context.ts';

export const completeResult = (result: Result, context: Context, isWrite: boolean): Result =>
  withHeadline(withSelection(result, context), isWrite ? context.connection.place : undefined);

/** Completes the headline of a result to a sentence that names where the command wrote. */
function withHeadline(result: Result, place: (() => string) | undefined): Result {
  if (result.kind !== 'report' && result.kind !== 'record') return result;
  if (result.headline === undefined) return result;
  const headline = `${result.headline}${place ? ` ${place()}` : ''}.`;
  return result.kind === 'record'
    ? { ...result, headline }
    : { ...result, lines: [headline, ...result.lines] };
}

/** Completes the commands that a result proposes to people. Errors are completed when they are reported. */
function withSelection(result: Result, { followUps }: Context): Result {
  switch (result.kind) {
    case 'report': {
      const lines = result.lines.map((line) =>
        typeof line === 'string' ? followUps.text(line) : line,
      );
      return { ...result, lines };
    }
    case 'list':
      return { ...result, empty: followUps.text(result.empty) };
    default:
      return result;
  }
}
