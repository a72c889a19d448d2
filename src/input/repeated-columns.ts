// Columns with the same name: they count as one column if each row has the same value in all of them.
import { usageError } from '../core/errors.ts';
import { shellWord } from '../core/shell-word.ts';
import type { InputRecord } from './record.ts';

/** A column, and an earlier one with the same name. */
export interface RepeatedColumn {
  name: string;
  first: number;
  other: number;
}

/** The columns that repeat the name of an earlier one. Without those that are not used. */
export const findRepeatedColumns = (
  header: readonly string[],
  isUsed: (column: string) => boolean,
): RepeatedColumn[] =>
  header.flatMap((name, other) => {
    const first = header.indexOf(name);
    return first === other || !isUsed(name) ? [] : [{ name, first, other }];
  });

/** Rejects the rows with different values in columns with the same name. */
export async function* requireEqualCells(
  chunks: AsyncIterable<readonly InputRecord[]>,
  repeated: readonly RepeatedColumn[],
): AsyncGenerator<readonly InputRecord[]> {
  for await (const chunk of chunks)
    yield chunk.map((record) => {
      const column = findDifference(record, repeated);
      if (record.error !== undefined || column === undefined) return record;
      return { ...record, error: `has two values for \`${column.name}\`` };
    });
}

/** Throws a usage error if one of the first rows has different values in columns with the same name. */
export function refuseDifferences(
  rows: readonly InputRecord[],
  repeated: readonly RepeatedColumn[],
  { name, canIgnore }: { name: string; canIgnore: boolean },
): void {
  for (const record of rows) {
    const column = findDifference(record, repeated);
    if (column === undefined) continue;
    const ignoreHint = canIgnore
      ? `, or send neither of them with --ignore-column ${shellWord(column.name)}`
      : '';
    throw usageError(
      `${name} has two columns named \`${column.name}\`, with different values on line ${record.line}.`,
      { hint: `Rename or remove one of them${ignoreHint}.` },
    );
  }
}

function findDifference(record: InputRecord, repeated: readonly RepeatedColumn[]) {
  const cells = record.cells?.() ?? [];
  return repeated.find(({ first, other }) => cells[first]?.trim() !== cells[other]?.trim());
}
