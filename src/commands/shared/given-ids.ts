// The ids that a command line names: as arguments, or with `-` one per line on standard input.

import { usageError } from '../../core/errors.ts';
import { counted } from '../../core/text.ts';
import { findIdProblem, trimSpaces } from '../../core/whitespace.ts';
import { textOrStdin } from '../../input/values.ts';
import type { Host } from '../../platform/host.ts';

/** Whether the ids are in a list, which becomes a bulk run. */
export const isList = (given: readonly string[], { file }: { file?: string | undefined }) =>
  file !== undefined || (given.length === 1 && given[0] === '-');

/** The file of the list, or `-`. Throws a usage error if ids are given as well. */
export function listFile(given: readonly string[], file: string | undefined): string {
  if (file === undefined) return '-';
  if (given.length > 0) throw usageError('--file cannot be combined with ids.');
  return file;
}

/** `3 subscribers`, for a question before a bulk run; `count` is NaN for a list that is read only once. */
export async function listedSubscribers(count: () => Promise<number>): Promise<string> {
  const rows = await count();
  return Number.isNaN(rows) ? 'the subscribers of a list' : counted(rows, 'subscriber');
}

/** Returns the ids without duplicates. Throws a usage error if there are none; `next` are commands to run instead. */
export async function givenIds(
  { stdin }: Pick<Host, 'stdin'>,
  given: readonly string[],
  noun: string,
  next: readonly string[],
): Promise<string[]> {
  const isFromStdin = given.includes('-');
  if (isFromStdin && given.length > 1)
    throw usageError('- cannot be combined with other ids.', { next });
  const ids = isFromStdin ? readIdLines(await textOrStdin('-', stdin)) : given;
  if (ids.length > 0) return [...new Set(ids)];
  throw usageError(isFromStdin ? 'Standard input contains no ids.' : `No ${noun} is given.`, {
    next,
  });
}

const readIdLines = (text: string) =>
  text.split('\n').flatMap((line, index) => {
    const id = trimSpaces(line);
    const problem = findIdProblem(id);
    if (problem === undefined) return id === '' ? [] : [id];
    throw usageError(`The id on line ${index + 1} of standard input ${problem}.`, {
      hint: 'Remove the character. Nothing was sent.',
    });
  });
