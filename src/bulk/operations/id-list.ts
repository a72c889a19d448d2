// Reads lists of ids: one per line, a column of a CSV file, or a field of JSON objects.

import { usageError } from '../../core/errors.ts';
import { findIdProblem, trimSpaces } from '../../core/whitespace.ts';
import type { InputRecord, RecordSource } from '../../input/records.ts';
import type { Item } from '../engine/plan.ts';
import { normalizeName } from './columns.ts';

export type IdReader = (record: InputRecord) => unknown;

/** Returns a function that reads the id of a record. */
export function createIdReader(
  { format, header, name, fieldColumns }: RecordSource,
  field: string,
): IdReader {
  if (format === 'lines') {
    if (field !== 'topicKey') return (record) => record.cells?.()[0];
    throw usageError(`${name} is a list of ids, which names no topics.`, {
      hint: 'Name the topic, or use CSV or NDJSON with the columns subscriberId and topicKey.',
    });
  }
  if (!header) return ({ value }) => value?.[field];
  const mapped = fieldColumns?.get(field);
  const index =
    mapped === undefined
      ? header.findIndex((column) => normalizeName(column) === normalizeName(field))
      : header.indexOf(mapped);
  if (index < 0) {
    throw usageError(`${name} has no column \`${field}\`.`, {
      suggestion: { input: field, candidates: header },
      hint: `Name the column with --map ${field}=<column>. A plain list of ids needs no header: one id per line, in a file without the extension .csv.`,
    });
  }
  return (record) => record.cells?.()[index];
}

/** Like `toIdItem`; also rejects an id that cannot be part of a path, instead of stopping the run. */
export function toPathItem(
  value: unknown,
  field: string,
  pathOf: (id: string) => string,
): Item | { error: string } {
  const item = toIdItem(value, field);
  if ('error' in item) return item;
  try {
    pathOf(item.id);
    return item;
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** Removes spaces around an id and converts it to an item. Rejects an id with an invisible character. */
export function toIdItem(value: unknown, field: string): Item | { error: string } {
  const id = typeof value === 'string' ? trimSpaces(value) : '';
  const problem = id === '' ? 'is required' : findIdProblem(id);
  return problem === undefined
    ? { id, json: JSON.stringify(id) }
    : { error: `${field}: ${problem}` };
}
