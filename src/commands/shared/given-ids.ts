// The ids that a command line names: as arguments, or with `-` one per line on standard input.
import { usageError } from '../../core/errors.ts';
import { textOrStdin } from '../../input/values.ts';
import type { Host } from '../../platform/host.ts';

/** Returns the ids without duplicates. Throws a usage error if there are none; `next` are commands to run instead. */
export async function givenIds(
  { stdin }: Pick<Host, 'stdin'>,
  given: readonly string[],
  noun: string,
  next: readonly string[],
): Promise<string[]> {
  const isList = given.includes('-');
  if (isList && given.length > 1)
    throw usageError('- cannot be combined with other ids.', { next });
  const ids = isList ? linesOf(await textOrStdin('-', stdin)) : given;
  if (ids.length > 0) return [...new Set(ids)];
  throw usageError(isList ? 'Standard input contains no ids.' : `No ${noun} is given.`, { next });
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
