// Lists of ids: one a line, a column of a CSV file, or a member of JSON objects.

import { usageError } from '../../core/errors.ts';
import { trimWhitespace } from '../../core/whitespace.ts';
import type { InputRecord, RecordSource } from '../../input/records.ts';
import type { Item } from '../engine/plan.ts';
import { plainName } from './subscriber-columns.ts';

export type IdReader = (record: InputRecord) => unknown;

/** Where a record holds its id. */
export function idReader({ format, header, name }: RecordSource, field: string): IdReader {
  if (format === 'lines') return ({ cells }) => cells?.[0];
  if (!header) return ({ value }) => value?.[field];
  const index = header.findIndex((column) => plainName(column) === plainName(field));
  if (index < 0) {
    throw usageError(`${name} has no column \`${field}\`.`, {
      suggestion: { input: field, candidates: header },
      hint: 'A plain list of ids needs no header: one id a line, in a file of another ending than .csv.',
    });
  }
  return ({ cells }) => cells?.[index];
}

/** The item of an id, without blanks around it. */
export function idItem(given: unknown, field: string): Item | { error: string } {
  const id = typeof given === 'string' ? trimWhitespace(given) : '';
  return id === '' ? { error: `${field}: is required` } : { id, json: JSON.stringify(id) };
}
