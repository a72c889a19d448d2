// Reads lists of ids: one per line, a column of a CSV file, or a field of JSON objects.

import { usageError } from '../../core/errors.ts';
import { trimWhitespace } from '../../core/whitespace.ts';
import type { InputRecord, RecordSource } from '../../input/records.ts';
import type { Item } from '../engine/plan.ts';
import { normalizeName } from './columns.ts';

export type IdReader = (record: InputRecord) => unknown;

/** Returns a function that reads the id of a record. */
export function createIdReader({ format, header, name }: RecordSource, field: string): IdReader {
  if (format === 'lines') return (record) => record.cells?.()[0];
  if (!header) return ({ value }) => value?.[field];
  const index = header.findIndex((column) => normalizeName(column) === normalizeName(field));
  if (index < 0) {
    throw usageError(`${name} has no column \`${field}\`.`, {
      suggestion: { input: field, candidates: header },
      hint: 'A plain list of ids needs no header: one id per line, in a file without the extension .csv.',
    });
  }
  return (record) => record.cells?.()[index];
}

/** Trims an id and converts it to an item. */
export function toIdItem(value: unknown, field: string): Item | { error: string } {
  const id = typeof value === 'string' ? trimWhitespace(value) : '';
  return id === '' ? { error: `${field}: is required` } : { id, json: JSON.stringify(id) };
}
