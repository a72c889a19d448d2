// A bulk command whose input has no rows: a warning, or an error where the caller asked for one.
import type { Context } from '../../app/context.ts';
import { usageError } from '../../core/errors.ts';
import type { RecordSource } from '../../input/records.ts';
import type { BulkOptions } from './options.ts';

/** Warns of an input without rows; with `--fail-on-empty` it is a usage error. */
export function reportEmpty(
  context: Context,
  source: RecordSource,
  { failOnEmpty, skip = 0 }: BulkOptions,
): void {
  const what = emptiness(source, skip);
  if (failOnEmpty) {
    throw usageError(`${what}.`, {
      hint: 'Without --fail-on-empty this is a warning and the exit code is 0.',
    });
  }
  context.note(`Warning: ${what}.`);
}

function emptiness({ name, header, progress }: RecordSource, skip: number): string {
  if (skip > 0) return `${name} has no rows after the first ${skip}, which --skip leaves out`;
  if (header) return `${name} has a header and no rows`;
  return progress().bytes === 0 ? `${name} is empty` : `${name} has no rows`;
}
