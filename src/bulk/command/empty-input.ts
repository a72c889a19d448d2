// Reports an input without rows: a warning, or an error with --fail-on-empty.
import type { Context } from '../../app/context.ts';
import { usageError } from '../../core/errors.ts';
import type { RecordSource } from '../../input/records.ts';
import type { Shard } from '../engine/shard.ts';
import type { BulkOptions } from './options.ts';
import { shardText } from './shard-options.ts';

/** Prints a warning about an input without rows. Throws a usage error with `--fail-on-empty`. */
export function reportEmpty(
  context: Context,
  source: RecordSource,
  { failOnEmpty, skip = 0 }: BulkOptions,
  { shard, emptyRows }: { shard: Shard | undefined; emptyRows: number },
): void {
  const description =
    emptyRows > 0 ? `${source.name} has only empty rows` : describeEmptyInput(source, skip, shard);
  if (failOnEmpty) {
    throw usageError(`${description}.`, {
      hint: 'Without --fail-on-empty this is a warning and the exit code is 0.',
    });
  }
  context.note(`Warning: ${description}.`);
}

function describeEmptyInput(
  { name, header, progress }: RecordSource,
  skip: number,
  shard: Shard | undefined,
): string {
  if (skip > 0) return `${name} has no rows after the first ${skip}, which --skip skips`;
  if (shard) return `no row of ${name} is in shard ${shardText(shard)}`;
  if (header) return `${name} has a header and no rows`;
  return progress().bytes === 0 ? `${name} is empty` : `${name} has no rows`;
}
