// Columns that the header does not name clearly. Columns with the same name count as one column if each row has the same
// value in all of them. A column without a name is ignored if it is empty in every row.
import { usageError } from '../core/errors.ts';
import { shellWord } from '../core/text.ts';
import type { InputRecord } from './record.ts';

/** A column, and an earlier one with the same name. */
export interface RepeatedColumn {
  name: string;
  first: number;
  other: number;
}

export interface UnclearColumns {
  repeated: readonly RepeatedColumn[];
  /** The positions of columns without a name. */
  unnamed: readonly number[];
}

/** Undefined if all columns are clear, apart from repeated ones that are not used. */
export function findUnclearColumns(
  header: readonly string[],
  isUsed: (column: string) => boolean,
): UnclearColumns | undefined {
  const repeated = header.flatMap((name, other) => {
    const first = header.indexOf(name);
    return first === other || name === '' || !isUsed(name) ? [] : [{ name, first, other }];
  });
  const unnamed = header.flatMap((name, index) => (name === '' ? [index] : []));
  return repeated.length + unnamed.length === 0 ? undefined : { repeated, unnamed };
}

/** Rejects the rows with different values in columns with the same name, or with a value in a column without a name. */
export async function* requireClearCells(
  chunks: AsyncIterable<readonly InputRecord[]>,
  columns: UnclearColumns,
): AsyncGenerator<readonly InputRecord[]> {
  for await (const chunk of chunks)
    yield chunk.map((record) => {
      if (record.error !== undefined) return record;
      const repeated = findDifference(record, columns);
      if (repeated) return { ...record, error: `has two values for \`${repeated.name}\`` };
      const filled = findUnnamedValue(record, columns);
      if (filled === undefined) return record;
      return { ...record, error: `has a value in column ${filled + 1}, which has no name` };
    });
}

/** Throws a usage error if one of the first rows has such values. */
export function refuseUnclearRows(
  rows: readonly InputRecord[],
  columns: UnclearColumns,
  { name, canIgnore }: { name: string; canIgnore: boolean },
): void {
  for (const record of rows) {
    const filled = findUnnamedValue(record, columns);
    if (filled !== undefined)
      throw usageError(
        `${name}: column ${filled + 1} has no name in the header, but a value on line ${record.line}.`,
        { hint: 'Name the column or remove it.' },
      );
    const column = findDifference(record, columns);
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

function findDifference(record: InputRecord, { repeated }: UnclearColumns) {
  if (repeated.length === 0) return undefined;
  const cells = record.cells?.() ?? [];
  return repeated.find(({ first, other }) => cells[first]?.trim() !== cells[other]?.trim());
}

/** Usually without decoding the cells. */
const findUnnamedValue = (record: InputRecord, { unnamed }: UnclearColumns) =>
  unnamed.find((column) => {
    const { bounds } = record.cellBytes ?? {};
    const bound = 2 * ((record.firstCell ?? 0) + column);
    const isEmpty = bounds !== undefined && bounds[bound] === bounds[bound + 1];
    return !isEmpty && (record.cells?.()[column] ?? '').trim() !== '';
  });
